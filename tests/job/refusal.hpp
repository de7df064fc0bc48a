#pragma once

#include "job/sample.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace rondo::job {

/// A mistake: one line of a good job replaced, and the sentence that follows the file's name.
struct Refusal {
    std::string base;
    int line = 0;
    std::string replacement;
    std::string message;
};

inline void expect_refusals(const std::vector<Refusal>& refusals) {
    for (const Refusal& mistake : refusals) {
        EXPECT_EQ(refusal(with_line(mistake.base, mistake.line, mistake.replacement)),
                  "jobs/decay.toml" + mistake.message)
            << "in place of line " << mistake.line << ": " << mistake.replacement;
    }
}

} // namespace rondo::job
