#pragma once

#include <rondo/base/error.hpp>
#include <rondo/job/job.hpp>

#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace rondo::job {

/// A small job with data, by lines: tests replace one of them.
inline const std::string fitted = R"(title = "decay"

[model]
states = ["u", "v"]
parameters = ["k", "s"]
[model.rates]
u = "-k*u"
v = "k*u"
[model.initial]
u = "1"
v = 0

[data]
file = "data/decay.csv"

[parameters]
k = { initial = 0.5, lower = 1e-3, upper = 10.0, scale = "log" }
s = 0.1

[loss]
kind = "gaussian"
sigma = "s"

[solver]
rtol = 1e-6

[train]
optimizer = "adam"

)";

/// The same model with a generated ensemble.
inline const std::string generated = R"(title = "decay"

[model]
states = ["u", "v"]
parameters = ["k", "s"]
[model.rates]
u = "-k*u"
v = "k*u"
[model.initial]
u = "1"
v = 0

[ensemble]
trajectories = 10
times = { start = 0, stop = 1, step = 0.1 }
target = "1.0"
seed = 7

[loss]
kind = "squared"

[parameters]
k = { initial = 0.5 }
s = 0.1
)";

/// A text with one of its lines (from 1) replaced.
inline std::string with_line(const std::string& text, int line, const std::string& replacement) {
    std::size_t begin = 0;
    for (int i = 1; i < line; ++i) {
        begin = text.find('\n', begin) + 1;
    }
    return text.substr(0, begin) + replacement + text.substr(text.find('\n', begin));
}

inline Job job_of(const std::string& text, const std::vector<std::string>& overrides = {}) {
    return parse(text, "jobs/decay.toml", overrides);
}

/// The sentence of the InputError that reading `text` throws; empty if it throws none.
inline std::string refusal(const std::string& text, const std::vector<std::string>& overrides = {}) {
    try {
        static_cast<void>(job_of(text, overrides));
    } catch (const InputError& error) {
        return error.what();
    }
    return {};
}

} // namespace rondo::job
