#include <rondo/base/cast.hpp>
#include <rondo/base/contract.hpp>
#include <rondo/base/error.hpp>
#include <rondo/base/handle.hpp>

#include <gtest/gtest.h>

#include <string>
#include <utility>

namespace rondo {
namespace {

int closed = 0;

struct CountingTraits {
    using type = int;
    static type null() noexcept { return -1; }
    static void close(type) noexcept { ++closed; }
};

TEST(UniqueHandle, closes_once_after_moves) {
    closed = 0;
    {
        UniqueHandle<CountingTraits> a{3};
        UniqueHandle<CountingTraits> b{std::move(a)};
        UniqueHandle<CountingTraits> c;
        c = std::move(b);
        EXPECT_EQ(c.get(), 3);
    }
    EXPECT_EQ(closed, 1);
}

#ifndef RONDO_NO_CONTRACTS
TEST(Contract, names_the_line_of_the_caller) {
    const int line = __LINE__ + 2;
    try {
        expects(1 > 2, "one is more than two");
        FAIL() << "no exception";
    } catch (const ContractError& error) {
        EXPECT_EQ(error.line, line);
        EXPECT_NE(std::string{error.what()}.find("expected that one is more than two"), std::string::npos);
        EXPECT_EQ(error.exit_code(), 70);
    }
}

TEST(Narrow, refuses_what_does_not_fit) {
    EXPECT_EQ(narrow<int>(std::int64_t{7}), 7);
    EXPECT_THROW(static_cast<void>(narrow<int>(std::int64_t{1} << 40)), ContractError);
    EXPECT_THROW(static_cast<void>(narrow<std::size_t>(-1)), ContractError);
}
#endif

TEST(Error, kinds_have_their_exit_codes) {
    EXPECT_EQ(InputError{"x"}.exit_code(), 2);
    EXPECT_EQ(SolveError{"x"}.exit_code(), 3);
    EXPECT_EQ(StoreError{"x"}.exit_code(), 4);
    EXPECT_EQ((CommError{"x", 1}.exit_code()), 5);
}

} // namespace
} // namespace rondo
