#include "solve/linear.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

namespace rondo::solve {
namespace {

TEST(BlockMatrix, solves_every_column) {
    std::mt19937_64 random{3};
    std::uniform_real_distribution<double> any{-1.0, 1.0};
    for (std::size_t n = 1; n <= 20; ++n) {
        const std::size_t columns = 1 + n % 4;
        BlockMatrix matrix{n};
        for (std::size_t i = 0; i < n * n; ++i) {
            matrix.data()[i] = any(random);
        }
        const std::vector<double> a{matrix.data(), matrix.data() + n * n};
        std::vector<double> x(n * columns), b(n * columns, 0.0);
        for (double& value : x) {
            value = any(random);
        }
        for (std::size_t c = 0; c < columns; ++c) {
            for (std::size_t j = 0; j < n; ++j) {
                for (std::size_t i = 0; i < n; ++i) {
                    b[c * n + i] += a[j * n + i] * x[c * n + j];
                }
            }
        }

        ASSERT_TRUE(matrix.factorise());
        matrix.solve(b.data(), columns);

        for (std::size_t i = 0; i < x.size(); ++i) {
            EXPECT_NEAR(b[i], x[i], 1e-11) << "n = " << n;
        }
    }
}

TEST(BlockMatrix, a_column_does_not_depend_on_its_neighbours) {
    std::mt19937_64 random{5};
    std::uniform_real_distribution<double> any{-1.0, 1.0};
    constexpr std::size_t columns = 19; // two groups of lanes and some left over
    for (std::size_t n = 1; n <= 12; ++n) {
        BlockMatrix matrix{n};
        std::generate_n(matrix.data(), n * n, [&] { return any(random); });
        std::vector<double> together(n * columns);
        std::generate(together.begin(), together.end(), [&] { return any(random); });
        std::vector<double> alone = together;
        ASSERT_TRUE(matrix.factorise());

        matrix.solve(together.data(), columns);
        for (std::size_t c = 0; c < columns; ++c) {
            matrix.solve(alone.data() + c * n, 1);
        }

        EXPECT_EQ(together, alone) << "n = " << n;
    }
}

TEST(BlockMatrix, exchanges_rows_where_the_diagonal_is_zero) {
    for (const std::size_t n : {2U, 3U, 6U}) {
        BlockMatrix matrix{n}; // x_i -> x_(i + 1 mod n)
        std::vector<double> b(n);
        for (std::size_t j = 0; j < n; ++j) {
            matrix.data()[j * n + (j + 1) % n] = 1.0;
            b[(j + 1) % n] = static_cast<double>(j);
        }

        ASSERT_TRUE(matrix.factorise());
        matrix.solve(b.data(), 1);

        for (std::size_t j = 0; j < n; ++j) {
            EXPECT_EQ(b[j], static_cast<double>(j));
        }
    }
}

TEST(BlockMatrix, refuses_what_has_no_inverse) {
    BlockMatrix singular{2};
    singular.data()[0] = singular.data()[2] = 1.0;
    EXPECT_FALSE(singular.factorise());
    BlockMatrix zero{3};
    EXPECT_FALSE(zero.factorise());
    BlockMatrix strange{2};
    strange.data()[0] = std::nan("");
    strange.data()[3] = 1.0;
    EXPECT_FALSE(strange.factorise());
}

} // namespace
} // namespace rondo::solve
