#include "app/json.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <string>

namespace rondo::app {
namespace {

TEST(Json, an_object_without_members_is_two_braces) { EXPECT_EQ(Json{}.text(), "{}"); }

TEST(Json, members_stand_in_the_order_they_were_added) {
    Json json;
    json.add("b", std::int64_t{-3}).add("a", true).add("word", "x");
    EXPECT_EQ(json.text(), R"({"b": -3, "a": true, "word": "x"})");
}

TEST(Json, a_double_has_17_significant_digits_and_reads_back_as_the_same_bits) {
    EXPECT_EQ(Json::number(0.1), "0.10000000000000001");
    for (const double value : {1.0 / 3.0, 1e-300, -2.5e17, 5e-324, std::numeric_limits<double>::max()}) {
        EXPECT_EQ(std::strtod(Json::number(value).c_str(), nullptr), value);
    }
}

TEST(Json, what_JSON_has_no_number_for_is_null) {
    const double infinity = std::numeric_limits<double>::infinity();
    EXPECT_EQ(Json::number(std::numeric_limits<double>::quiet_NaN()), "null");
    EXPECT_EQ(Json::number(infinity), "null");
    EXPECT_EQ(Json::number(-infinity), "null");
}

TEST(Json, quotes_backslashes_and_control_characters_are_escaped) {
    EXPECT_EQ(Json::quoted("a\"b\\c\nd\te\x01"), "\"a\\\"b\\\\c\\nd\\u0009e\\u0001\"");
}

TEST(Json, bytes_above_ASCII_stay_as_they_are) { EXPECT_EQ(Json::quoted("\xc3\xa9"), "\"\xc3\xa9\""); }

TEST(Json, lists_hold_numbers_or_words) {
    const std::array<double, 3> numbers{1, 0.5, std::numeric_limits<double>::quiet_NaN()};
    const std::array<std::string, 2> words{"a", "b\""};
    Json json;
    json.add("numbers", std::span<const double>{numbers}).add("words", std::span<const std::string>{words});
    json.add("none", std::span<const double>{});
    EXPECT_EQ(json.text(), R"({"numbers": [1, 0.5, null], "words": ["a", "b\""], "none": []})");
}

TEST(Json, a_member_may_be_JSON_already_and_its_name_is_escaped) {
    EXPECT_EQ(Json{}.add_raw("say \"x\"", "{}").text(), R"({"say \"x\"": {}})");
}

} // namespace
} // namespace rondo::app
