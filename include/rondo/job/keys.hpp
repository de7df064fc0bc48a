#pragma once

#include <string>
#include <vector>

namespace rondo::job {

/// One key of the job file, for help texts: what a user may write, and what holds where nothing is written.
struct KeyDoc {
    std::string table;    ///< `train.learning_rate`; empty for the top of the file
    std::string key;      ///< `<state>` and its like where users choose the names
    std::string type;     ///< "a number", "a whole number", "a string", ...
    std::string fallback; ///< its value where the key is absent; empty: none
    bool required = false;
    std::string allowed;  ///< range or words; empty: anything of the type
    std::string sentence; ///< what it is for
};

/// Every key of the job file, by table, in the order of the design. The reader reads by the same declarations.
/// Tests   tests/job/keys_test.cpp
[[nodiscard]] std::vector<KeyDoc> documented_keys();

} // namespace rondo::job
