#pragma once

#include <rondo/expression/graph.hpp>

#include <map>
#include <string>
#include <string_view>

namespace rondo::expression {

/// What names mean while a text is parsed, and what is allowed in it.
struct Scope {
    std::map<std::string, NodeId, std::less<>> names; ///< states, parameters, covariates, helpers, `t`, `index`
    bool allows_random = false;                       ///< uniform(a, b), normal(mean, sd), lognormal(mu, sigma)
    std::uint32_t n_random = 0;                       ///< random numbers used so far: each call takes the next slot
};

/// Parse one expression into `graph`.
///
/// Grammar: numbers; names; + - * / and ^ (right-associative, binds tighter than unary minus: -x^2 = -(x^2));
/// parentheses; comparisons < <= > >= == != ; `and`, `or`, `not` (also && || !); functions
/// exp log log10 sqrt sin cos tan asin acos atan sinh cosh tanh abs min max (two or more arguments) pow sign floor ceil
/// expm1 log1p, if(condition, a, b), and the smooth conditional step(x, width) = (1 + tanh(x / width)) / 2;
/// constants `pi` and `e` unless a name in scope hides them.
///
/// @param where  names the text in errors, for instance `job.toml: [model.rates] hare`
/// @throws InputError  what is wrong, the text, and a caret under the place; names the nearest known word.
///                     Text longer than 100 kB or nested deeper than 200 levels is refused.
/// Tests   tests/expression/parse_test.cpp, tests/expression/parse_error_test.cpp
[[nodiscard]] NodeId parse(Graph& graph, Scope& scope, std::string_view text, const std::string& where);

/// Names that may not be used for states, parameters, covariates or helpers: functions, `t`, `index`, `and`, `or`,
/// `not`.
[[nodiscard]] bool is_reserved(std::string_view name);

} // namespace rondo::expression
