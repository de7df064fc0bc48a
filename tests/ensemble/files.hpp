#pragma once

#include <rondo/base/error.hpp>
#include <rondo/ensemble/build.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace rondo::ensemble {

inline constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// A directory of its own for each test, removed at the end.
class FilesTest : public testing::Test {
protected:
    FilesTest() {
        std::string name = (std::filesystem::temp_directory_path() / "rondo_ensemble_XXXXXX").string();
        if (mkdtemp(name.data()) == nullptr) {
            ADD_FAILURE() << "no temporary directory " << name;
        }
        directory_ = name;
    }
    ~FilesTest() override {
        std::error_code ignored;
        std::filesystem::remove_all(directory_, ignored);
    }

    [[nodiscard]] std::filesystem::path path(const std::string& name) const { return directory_ / name; }

    [[nodiscard]] std::filesystem::path write(const std::string& name, std::string_view text) const {
        std::ofstream{path(name)} << text;
        return path(name);
    }

private:
    std::filesystem::path directory_;
};

/// The text of the InputError that `work` throws.
template <class Work>
std::string message_of(Work&& work) {
    try {
        static_cast<void>(work());
    } catch (const InputError& error) {
        return error.what();
    }
    return "(no InputError)";
}

inline std::string message_of_build(const Source& source) {
    return message_of([&] { return build(source); });
}

/// Equal doubles, NaN equal to NaN.
MATCHER_P(SameNumbers, expected, "has the same numbers") {
    const std::vector<double> got(arg.begin(), arg.end()), want(expected.begin(), expected.end());
    if (got.size() != want.size()) {
        *result_listener << "sizes " << got.size() << " and " << want.size();
        return false;
    }
    for (std::size_t i = 0; i < got.size(); ++i) {
        if (got[i] != want[i] && !(std::isnan(got[i]) && std::isnan(want[i]))) {
            *result_listener << "entry " << i << ": " << got[i] << " instead of " << want[i];
            return false;
        }
    }
    return true;
}

inline auto same(std::vector<double> numbers) { return SameNumbers(std::move(numbers)); }

/// Both hold the same, to the bit.
inline void expect_same(const Ensemble& a, const Ensemble& b) {
    EXPECT_EQ(a.labels, b.labels);
    EXPECT_EQ(a.columns, b.columns);
    EXPECT_EQ(a.covariate_names, b.covariate_names);
    EXPECT_EQ(a.covariates, b.covariates);
    EXPECT_EQ(a.offset, b.offset);
    EXPECT_EQ(a.time, b.time);
    EXPECT_THAT(a.value, SameNumbers(b.value));
    EXPECT_THAT(a.sigma, SameNumbers(b.sigma));
    EXPECT_EQ(a.event_offset, b.event_offset);
    ASSERT_EQ(a.events.size(), b.events.size());
    for (std::size_t i = 0; i < a.events.size(); ++i) {
        EXPECT_EQ(a.events[i].time, b.events[i].time);
        EXPECT_EQ(a.events[i].state, b.events[i].state);
        EXPECT_EQ(a.events[i].action, b.events[i].action);
        EXPECT_EQ(a.events[i].amount, b.events[i].amount);
        EXPECT_EQ(a.events[i].value, b.events[i].value);
    }
}

} // namespace rondo::ensemble
