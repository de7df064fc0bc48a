#include <rondo/expression/parse.hpp>

#include "complain.hpp"
#include "functions.hpp"
#include "lexer.hpp"

#include <fmt/format.h>

#include <numbers>
#include <optional>
#include <vector>

namespace rondo::expression {
namespace {

constexpr std::size_t longest_text = 100'000; // bytes
constexpr int deepest_nesting = 200;

/// Recursive descent, one method a level of precedence, loosest first.
class Parser {
public:
    Parser(Graph& graph, Scope& scope, const Source& source) : graph_{graph}, scope_{scope}, source_{source} {}

    NodeId parse_all() {
        if (source_.text.size() > longest_text) {
            fail(longest_text,
                 fmt::format("the expression is {} bytes long (at most {} are allowed); split it into helpers",
                             source_.text.size(), longest_text));
        }
        advance();
        if (now_.kind == Token::Kind::end) {
            fail(now_.place, "the expression is empty; write a number or a formula");
        }
        const NodeId result = disjunction();
        if (now_.kind != Token::Kind::end) {
            fail(now_.place, complain_missing_operator(now_, source_.text));
        }
        return result;
    }

private:
    // ---- tokens

    void advance() {
        now_ = read_token(source_, next_place_);
        next_place_ = now_.place + now_.spelling.size();
    }
    [[nodiscard]] bool at(std::string_view symbol) const {
        return now_.kind == Token::Kind::symbol && now_.symbol == symbol;
    }
    bool accept(std::string_view symbol) {
        const bool is_there = at(symbol);
        if (is_there) {
            advance();
        }
        return is_there;
    }

    // ---- grammar

    NodeId disjunction() {
        NodeId left = conjunction();
        while (accept("or")) {
            left = graph_.binary(Op::logical_or, left, conjunction());
        }
        return left;
    }

    NodeId conjunction() {
        NodeId left = negation();
        while (accept("and")) {
            left = graph_.binary(Op::logical_and, left, negation());
        }
        return left;
    }

    NodeId negation() {
        std::size_t n_not = 0;
        while (accept("not")) {
            ++n_not;
        }
        NodeId value = comparison();
        for (; n_not > 0; --n_not) {
            value = graph_.unary(Op::logical_not, value);
        }
        return value;
    }

    NodeId comparison() {
        const NodeId left = sum();
        if (!at_comparison()) {
            return left;
        }
        const std::string_view symbol = now_.symbol;
        advance();
        const NodeId right = sum();
        if (at_comparison()) {
            fail(now_.place, fmt::format("comparisons cannot be chained (a {0} b {1} c would compare 1 or 0 with c); "
                                         "write a {0} b and b {1} c",
                                         symbol, now_.symbol));
        }
        if (symbol == "<" || symbol == "<=") {
            return graph_.binary(symbol == "<" ? Op::less : Op::less_equal, left, right);
        }
        if (symbol == ">" || symbol == ">=") {
            return graph_.binary(symbol == ">" ? Op::less : Op::less_equal, right, left);
        }
        return graph_.binary(symbol == "==" ? Op::equal : Op::not_equal, left, right);
    }

    [[nodiscard]] bool at_comparison() const {
        return at("<") || at("<=") || at(">") || at(">=") || at("==") || at("!=");
    }

    NodeId sum() {
        NodeId left = product();
        while (at("+") || at("-")) {
            const Op op = at("+") ? Op::add : Op::subtract;
            advance();
            left = graph_.binary(op, left, product());
        }
        return left;
    }

    NodeId product() {
        NodeId left = signed_power();
        while (at("*") || at("/")) {
            const Op op = at("*") ? Op::multiply : Op::divide;
            advance();
            left = graph_.binary(op, left, signed_power());
        }
        return left;
    }

    NodeId signed_power() {
        bool is_negative = false;
        while (at("+") || at("-")) {
            is_negative = is_negative != at("-");
            advance();
        }
        const NodeId value = power();
        return is_negative ? graph_.negate(value) : value;
    }

    NodeId power() {
        const NodeId base = operand();
        const std::size_t place = now_.place;
        if (!accept("^")) {
            return base;
        }
        enter(place);
        const NodeId exponent = signed_power();
        --depth_;
        return graph_.is_constant(base, std::numbers::e) ? graph_.unary(Op::exp, exponent)
                                                         : graph_.binary(Op::power, base, exponent);
    }

    NodeId operand() {
        const Token token = now_;
        if (token.kind == Token::Kind::number) {
            advance();
            return graph_.constant(token.value);
        }
        if (token.kind == Token::Kind::name) {
            advance();
            return at("(") ? call(token) : variable(token);
        }
        if (!at("(")) {
            fail(now_.place, complain_missing_value(now_));
        }
        enter(token.place);
        advance();
        const NodeId value = disjunction();
        if (!accept(")")) {
            fail_unclosed(token.place);
        }
        --depth_;
        return value;
    }

    NodeId variable(const Token& token) {
        const auto known = find_name(token.spelling);
        if (!known) {
            fail(token.place, complain_unknown_name(token.spelling, scope_));
        }
        return *known;
    }

    [[nodiscard]] std::optional<NodeId> find_name(std::string_view name) {
        if (const auto known = scope_.names.find(name); known != scope_.names.end()) {
            return known->second;
        }
        if (name == "pi" || name == "e") {
            return graph_.constant(name == "pi" ? std::numbers::pi : std::numbers::e);
        }
        return std::nullopt;
    }

    /// A call of `token`, with `(` as the current token.
    NodeId call(const Token& token) {
        const std::string_view name = token.spelling;
        const Function* const function = find_function(name);
        if (function == nullptr) {
            fail(token.place, complain_unknown_function(name, scope_));
        }
        if (function->is_random && !scope_.allows_random) {
            fail(token.place,
                 fmt::format("{} is not allowed here (random numbers are only allowed in [ensemble.covariates]); "
                             "draw a covariate there and use its name here",
                             name));
        }
        const std::size_t opening = now_.place;
        enter(opening);
        bool has_decimal_comma = false;
        std::vector<NodeId> arguments;
        advance();
        if (!at(")")) {
            arguments.push_back(disjunction());
            while (at(",")) {
                has_decimal_comma = has_decimal_comma || looks_decimal(source_.text, now_.place);
                advance();
                arguments.push_back(disjunction());
            }
        }
        if (!accept(")")) {
            fail_unclosed(opening);
        }
        --depth_;
        if (arguments.size() < function->n_least || arguments.size() > function->n_most) {
            fail(token.place, fmt::format("{} takes {}{} argument{}, not {}; write {}{}", name, function->n_least,
                                          function->n_most > function->n_least ? " or more" : "",
                                          function->n_most > 1 ? "s" : "", arguments.size(), function->usage,
                                          has_decimal_comma ? ", and decimal numbers with a point" : ""));
        }
        return function->build(graph_, scope_, arguments);
    }

    // ---- limits and errors

    void enter(std::size_t place) {
        if (++depth_ > deepest_nesting) {
            fail(place,
                 fmt::format("the expression is nested deeper than {} levels; split it into helpers", deepest_nesting));
        }
    }

    [[noreturn]] void fail(std::size_t place, std::string_view message) const { fail_at(source_, place, message); }

    /// The parenthesis opened at `opening` should close at the current token.
    [[noreturn]] void fail_unclosed(std::size_t opening) const {
        if (now_.kind == Token::Kind::end) {
            fail(opening, "this \"(\" is never closed; add \")\"");
        }
        fail(now_.place, complain_missing_operator(now_, source_.text));
    }

    Graph& graph_;
    Scope& scope_;
    const Source& source_;
    Token now_;
    std::size_t next_place_ = 0;
    int depth_ = 0;
};

} // namespace

NodeId parse(Graph& graph, Scope& scope, std::string_view text, const std::string& where) {
    const Source source{text, where};
    return Parser{graph, scope, source}.parse_all();
}

} // namespace rondo::expression
