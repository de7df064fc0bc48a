#include "solve/retry.hpp"

#include <rondo/solve/options.hpp>

#include <gtest/gtest.h>

namespace rondo::solve {
namespace {

template <class Names, class From>
void expect_round_trip(const Names& names, From from) {
    for (const auto& name : names) {
        const auto kind = from(name);
        ASSERT_TRUE(kind.has_value()) << name;
        EXPECT_EQ(name_of(*kind), name);
    }
    EXPECT_FALSE(from("tsit").has_value());
}

TEST(Names, are_those_of_the_enumerators) {
    expect_round_trip(engine_names(), engine_from);
    expect_round_trip(method_names(), method_from);
    expect_round_trip(sensitivity_names(), sensitivity_from);
    EXPECT_EQ(name_of(EngineKind::single), "single");
    EXPECT_EQ(name_of(Method::bdf), "bdf");
    EXPECT_EQ(name_of(Sensitivity::adjoint), "adjoint");
}

TEST(SettingOf, tries_the_other_method_then_short_steps) {
    EXPECT_EQ(setting_of(Method::bdf, 0).method, Method::bdf);
    EXPECT_EQ(setting_of(Method::bdf, 1).method, Method::adams);
    EXPECT_EQ(setting_of(Method::adams, 1).method, Method::bdf);
    EXPECT_EQ(setting_of(Method::adams, 2).method, Method::bdf);
    EXPECT_FALSE(setting_of(Method::adams, 1).careful);
    EXPECT_TRUE(setting_of(Method::bdf, 2).careful);
}

} // namespace
} // namespace rondo::solve
