#include <rondo/base/error.hpp>
#include <rondo/expression/parse.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace rondo::expression {
namespace {

using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

struct ParseErrorTest : testing::Test {
    Graph graph;
    Scope scope{{{"hare", graph.input(Input::state, 0)},
                 {"lynx", graph.input(Input::state, 1)},
                 {"alpha", graph.input(Input::parameter, 0)},
                 {"beta", graph.input(Input::parameter, 1)}}};

    std::string message(const std::string& text) {
        try {
            static_cast<void>(parse(graph, scope, text, "job.toml: [model.rates] hare"));
        } catch (const InputError& error) {
            return error.what();
        }
        return "no error";
    }
};

TEST_F(ParseErrorTest, says_where_what_and_shows_the_place) {
    EXPECT_EQ(
        message("alpha*hare - bta*lynx"),
        "job.toml: [model.rates] hare: the name \"bta\" is unknown (known: alpha, beta, hare, lynx); did you mean "
        "\"beta\"?\n"
        "alpha*hare - bta*lynx\n"
        "             ^");
}

struct Case {
    std::string text, sentence;
    std::size_t column; ///< of the caret
};

TEST_F(ParseErrorTest, each_mistake_has_its_own_sentence_and_place) {
    const std::vector<Case> cases{
        {"", "the expression is empty; write a number or a formula", 0},
        {"  ", "the expression is empty", 0},
        {"hare + ", "the expression ends where a value is expected", 6},
        {"* hare", "a value is missing before \"*\"", 0},
        {"hare * / lynx", "a value is missing before \"/\"", 7},
        {"hare + )", "a value is missing before \")\"", 7},
        {"(hare + lynx", "this \"(\" is never closed; add \")\"", 0},
        {"exp(hare", "this \"(\" is never closed; add \")\"", 3},
        {"hare + lynx)", "this \")\" closes nothing", 11},
        {"hare lynx", "an operator is missing before \"lynx\"; write * to multiply", 5},
        {"(hare)(lynx)", "an operator is missing before \"(\"", 6},
        {"2 hare", "an operator is missing before \"hare\"", 2},
        {"2(hare)", "an operator is missing before \"(\"", 1},
        {"2hare", "\"2hare\" is neither a number nor a name; write 2*hare to multiply", 1},
        {"2e", "(an exponent needs digits, as in 2e3); write 2*e", 1},
        {"1d5", "write 1e5 for a power of ten", 1},
        {"1_000", "write numbers without underscores", 1},
        {"1.5.2", "the number 1.5. has a second decimal point", 3},
        {"1e999", "the number 1e999 is out of range", 0},
        {"1,5*hare", "write decimal numbers with a point", 1},
        {"hare, lynx", "a comma has no meaning here", 4},
        {"exp(1,5)", "exp takes 1 argument, not 2; write exp(x), and decimal numbers with a point", 0},
        {"exp(hare, lynx)", "exp takes 1 argument, not 2; write exp(x)", 0},
        {"2*exp()", "exp takes 1 argument, not 0; write exp(x)", 2},
        {"min(hare)", "min takes 2 or more arguments, not 1; write min(a, b, ...)", 0},
        {"if(hare, lynx)", "if takes 3 arguments, not 2; write if(condition, a, b)", 0},
        {"exp(hare,)", "a value is missing before \")\"", 9},
        {"1 + exp", "\"exp\" is a function and needs its arguments; write exp(x)", 4},
        {"exp hare", "\"exp\" is a function and needs its arguments; write exp(x)", 0},
        {"hare(2)", "\"hare\" is a name here, not a function; write hare*(...) to multiply", 0},
        {"pi(2)", "\"pi\" is a name here, not a function", 0},
        {"ln(hare)", "the function \"ln\" is unknown; write log(x), the natural logarithm", 0},
        {"expp(hare)", "did you mean \"exp\"?", 0},
        {"Sqrt(hare)", "did you mean \"sqrt\"?", 0},
        {"zeta(hare)", "the function \"zeta\" is unknown (known: abs, acos, asin,", 0},
        {"zeta", "the name \"zeta\" is unknown (known: alpha, beta, hare, lynx)", 0},
        {"t", "\"t\" (time) has no meaning here", 0},
        {"2*index", "\"index\" (the number of the trajectory) has no meaning here", 2},
        {"true", "the name \"true\" is unknown; write 1", 0},
        {"hare > 1 AND lynx > 1", "\"AND\" is not an operator; write and", 9},
        {"hare**2", "\"**\" is not an operator; write ^ for powers", 4},
        {"hare = 2", "\"=\" is not a comparison (and nothing is assigned here); write == to compare", 5},
        {"hare => 2", "\"=>\" is not an operator; write >=", 5},
        {"hare =< 2", "\"=<\" is not an operator; write <=", 5},
        {"hare <> 2", "\"<>\" is not an operator; write !=", 5},
        {"hare & lynx", "\"&\" is not an operator; write and", 5},
        {"hare | lynx", "\"|\" is not an operator; write or", 5},
        {"hare ? 1 : 2", "\"?\" is not an operator; write if(condition, a, b)", 5},
        {"hare % 2", "write a - b*floor(a/b) for the remainder", 5},
        {"nn(hare)[1]", "the function \"nn\" is unknown", 0},
        {"hare[1]", "\"[\" has no meaning here (there is no indexing, and only ( and ) group)", 4},
        {"exp(hare)[1]", "\"[\" has no meaning here", 9},
        {"{hare}", "\"{\" has no meaning here", 0},
        {"hare # births", "comments are not allowed", 5},
        {"hare; lynx", "there is one expression a text", 4},
        {"hare @ 2", "the character \"@\" has no meaning in an expression", 5},
        {"0 < hare < 1", "comparisons cannot be chained (a < b < c would compare 1 or 0 with c); write a < b and b < c",
         9},
        {"hare == lynx == 1", "write a == b and b == c", 13},
        {"1 + not hare", "\"not\" cannot stand here", 4},
        {"hare == !lynx", "put parentheses around it: (! ...)", 8},
        {"uniform(0, 1)", "(random numbers are only allowed in [ensemble.covariates])", 0},
    };
    for (const Case& c : cases) {
        const std::string expected_tail = "\n" + std::string(c.column, ' ') + "^";
        EXPECT_THAT(message(c.text),
                    AllOf(StartsWith("job.toml: [model.rates] hare: "), HasSubstr(c.sentence), EndsWith(expected_tail)))
            << c.text;
    }
}

TEST_F(ParseErrorTest, characters_beyond_ascii_are_named_and_replaced) {
    EXPECT_THAT(message("hare \xC3\x97 lynx"),
                HasSubstr("the character \"\xC3\x97\" (U+00D7) is not ASCII; write *\n"));
    EXPECT_THAT(message("hare \xE2\x88\x92 lynx"), HasSubstr("(U+2212) is not ASCII; write -\n"));
    EXPECT_THAT(message("hare\xC2\xB2"), HasSubstr("(U+00B2) is not ASCII; write ^2\n"));
    EXPECT_THAT(message("\xCE\xB1*hare"), HasSubstr("(names are letters, digits and underscores)"));
    EXPECT_THAT(message("hare \xE2\x80\xAE lynx"),
                AllOf(HasSubstr("the character (U+202E)"), HasSubstr("\nhare ? lynx\n")));
    EXPECT_THAT(message("hare \xFF"), AllOf(HasSubstr("the byte 0xFF is not UTF-8"), HasSubstr("\nhare ?\n     ^")));
    EXPECT_THAT(message(std::string{"hare \x1B[2J"}),
                AllOf(HasSubstr("the control character 0x1B"), HasSubstr("hare ?[2J")));
    EXPECT_THAT(message(std::string{"hare\0lynx", 9}), HasSubstr("the control character 0x00"));
}

TEST_F(ParseErrorTest, the_caret_counts_characters_not_bytes) {
    EXPECT_THAT(message("hare +\t2 # \xC3\xA4"), EndsWith("\nhare + 2 # \xC3\xA4\n         ^"));
}

TEST_F(ParseErrorTest, only_the_line_of_the_mistake_is_shown) {
    EXPECT_THAT(message("alpha*hare\n  - beta*hre\n  + 1"), EndsWith("?\n  - beta*hre\n         ^"));
    EXPECT_THAT(message("alpha\r\n+\r\n"), EndsWith("\n+\n ^"));
}

TEST_F(ParseErrorTest, long_lines_are_cut_to_a_window) {
    std::string sum = "hare";
    for (int i = 0; i < 1000; ++i) {
        sum += " + hare";
    }
    const std::string text = message(sum + " + har" + sum.substr(4));
    const std::string shown = text.substr(text.find('\n') + 1);
    const std::size_t second = shown.find('\n');
    EXPECT_LT(second, 110U);
    EXPECT_THAT(shown, AllOf(StartsWith("..."), HasSubstr("...\n")));
    const std::size_t caret = shown.size() - second - 2;
    EXPECT_EQ(shown.substr(caret, 5), "har +");
}

TEST_F(ParseErrorTest, too_long_and_too_deep_texts_are_refused) {
    EXPECT_THAT(message(std::string(100'001, 'x')),
                HasSubstr("the expression is 100001 bytes long (at most 100000 are allowed); split it into helpers"));
    const std::string deep = "nested deeper than 200 levels; split it into helpers";
    EXPECT_THAT(message(std::string(201, '(') + "hare" + std::string(201, ')')), HasSubstr(deep));
    EXPECT_THAT(message(std::string(100'000, '(')), HasSubstr(deep));
    std::string calls, powers = "1";
    for (int i = 0; i < 201; ++i) {
        calls += "exp(";
        powers += "^-1";
    }
    EXPECT_THAT(message(calls), HasSubstr(deep));
    EXPECT_THAT(message(powers), HasSubstr(deep));
}

TEST_F(ParseErrorTest, random_functions_are_known_where_they_are_allowed) {
    EXPECT_THAT(message("unifrm(0, 1)"), testing::Not(HasSubstr("did you mean")));
    scope.allows_random = true;
    EXPECT_THAT(message("unifrm(0, 1)"), HasSubstr("did you mean \"uniform\"?"));
}

// Any bytes give a value or an InputError: cut and spoilt texts must never end otherwise.
TEST_F(ParseErrorTest, spoilt_texts_end_in_an_input_error) {
    const std::string text = "if(hare >= 1.5e3 and not lynx < -2, min(alpha, beta)^2, exp(-hare/3))";
    for (std::size_t i = 0; i < text.size(); ++i) {
        for (int byte = 0; byte < 256; ++byte) {
            std::string spoilt = text;
            spoilt[i] = static_cast<char>(byte);
            EXPECT_NO_THROW(message(spoilt)) << spoilt;
        }
        EXPECT_THAT(message(text.substr(0, i)), StartsWith("job.toml: [model.rates] hare: ")) << i;
    }
}

} // namespace
} // namespace rondo::expression
