#include <rondo/base/text.hpp>

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace rondo {
namespace {

const std::vector<std::string> known{"atol", "max_steps", "method", "rtol"};

TEST(NearestWord, finds_one_letter_too_many) { EXPECT_EQ(nearest_word("rtoll", known), "rtol"); }
TEST(NearestWord, finds_swapped_neighbours) { EXPECT_EQ(nearest_word("mehtod", known), "method"); }
TEST(NearestWord, ignores_case) { EXPECT_EQ(nearest_word("RTOL", known), "rtol"); }
TEST(NearestWord, finds_nothing_near_a_strange_word) { EXPECT_EQ(nearest_word("banana", known), std::nullopt); }
TEST(NearestWord, one_letter_words_do_not_match_everything) {
    const std::vector<std::string> letters{"a", "b"};
    EXPECT_EQ(nearest_word("x", letters), std::nullopt);
}

TEST(KnownWordsHint, lists_sorted_words_and_the_nearest) {
    EXPECT_EQ(known_words_hint("rtoll", known), " (known: atol, max_steps, method, rtol); did you mean \"rtol\"?");
}

TEST(ParseNumber, reads_a_whole_number_only) {
    EXPECT_EQ(parse_number(" 1.5e-3 "), 1.5e-3);
    EXPECT_EQ(parse_number("+2"), 2.0);
    EXPECT_EQ(parse_number("1.5x"), std::nullopt);
    EXPECT_EQ(parse_number(""), std::nullopt);
    EXPECT_EQ(parse_number("nan"), std::nullopt);
    EXPECT_EQ(parse_number("1e999"), std::nullopt);
}

TEST(NumberText, reads_back_as_the_same_double) {
    for (const double value : {0.1, 1.0 / 3.0, 1e-300, 123456789.0}) {
        EXPECT_EQ(parse_number(number_text(value)), value);
    }
}

TEST(IsIdentifier, wants_a_letter_first) {
    EXPECT_TRUE(is_identifier("k_12"));
    EXPECT_FALSE(is_identifier("2k"));
    EXPECT_FALSE(is_identifier("a-b"));
    EXPECT_FALSE(is_identifier(""));
}

TEST(IsUtf8, refuses_stray_and_overlong_bytes) {
    EXPECT_TRUE(is_utf8("h\xC3\xA4lt"));
    EXPECT_FALSE(is_utf8("\xFF"));
    EXPECT_FALSE(is_utf8("\xC0\xAF"));
    EXPECT_FALSE(is_utf8("\xC3"));
    EXPECT_FALSE(is_utf8("\xED\xA0\x80"));
}

} // namespace
} // namespace rondo
