#include "solve/vector.hpp"

#include <gtest/gtest.h>
#include <sundials/sundials_context.h>

#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace rondo::solve {
namespace {

class VectorTest : public ::testing::Test {
protected:
    VectorTest() { SUNContext_Create(nullptr, &context_); }
    ~VectorTest() override { SUNContext_Free(&context_); }

    Vector random_vector(const Shape& shape) {
        Vector vector = make_vector(shape, context_);
        std::uniform_real_distribution<double> any{0.5, 2.0};
        for (std::size_t i = 0; i < shape.size(); ++i) {
            data_of(vector.get())[i] = any(random_) * (i % 2 == 0 ? 1.0 : -1.0);
        }
        return vector;
    }
    static std::vector<double> read(const Vector& vector) {
        const double* const data = data_of(vector.get());
        return {data, data + shape_of(vector.get()).size()};
    }

    SUNContext context_ = nullptr;
    std::mt19937_64 random_{7};
};

const std::vector<Shape> shapes{{1, 1}, {3, 1}, {2, 7}, {4, 2}, {5, 3}, {8, 1}, {9, 2}, {17, 5}};

TEST_F(VectorTest, adds_multiples_of_two_vectors) {
    for (const Shape& shape : shapes) {
        for (const auto& [a, b] : {std::pair{1.0, 1.0}, {1.0, -2.5}, {3.0, 1.0}, {0.5, -4.0}}) {
            const Vector x = random_vector(shape), y = random_vector(shape), z = random_vector(shape);
            const auto from_x = read(x), from_y = read(y);

            N_VLinearSum(a, x.get(), b, y.get(), z.get());

            for (std::size_t i = 0; i < shape.size(); ++i) {
                EXPECT_DOUBLE_EQ(read(z)[i], a * from_x[i] + b * from_y[i]);
            }
        }
    }
}

TEST_F(VectorTest, adds_in_place) {
    const Vector x = random_vector({3, 4}), y = random_vector({3, 4});
    const auto from_x = read(x), from_y = read(y);

    N_VLinearSum(1.0, x.get(), 2.0, y.get(), x.get());
    N_VScale(-1.0, y.get(), y.get());

    for (std::size_t i = 0; i < from_x.size(); ++i) {
        EXPECT_EQ(read(x)[i], from_x[i] + 2.0 * from_y[i]);
        EXPECT_EQ(read(y)[i], -from_y[i]);
    }
}

TEST_F(VectorTest, does_entry_by_entry_what_its_name_says) {
    const Shape shape{5, 2};
    const Vector x = random_vector(shape), y = random_vector(shape), z = make_vector(shape, context_);
    const auto a = read(x), b = read(y);
    const auto expect_all = [&](auto formula) {
        for (std::size_t i = 0; i < a.size(); ++i) {
            EXPECT_EQ(read(z)[i], formula(a[i], b[i]));
        }
    };

    N_VProd(x.get(), y.get(), z.get());
    expect_all([](double u, double v) { return u * v; });
    N_VDiv(x.get(), y.get(), z.get());
    expect_all([](double u, double v) { return u / v; });
    N_VAbs(x.get(), z.get());
    expect_all([](double u, double) { return std::fabs(u); });
    N_VInv(x.get(), z.get());
    expect_all([](double u, double) { return 1.0 / u; });
    N_VAddConst(x.get(), 3.0, z.get());
    expect_all([](double u, double) { return u + 3.0; });
    N_VScale(2.0, x.get(), z.get());
    expect_all([](double u, double) { return 2.0 * u; });
    N_VScale(1.0, x.get(), z.get());
    expect_all([](double u, double) { return u; });
    N_VConst(4.0, z.get());
    expect_all([](double, double) { return 4.0; });
}

TEST_F(VectorTest, combines_many_vectors_also_into_one_of_them) {
    const Shape shape{3, 3};
    const Vector x = random_vector(shape), y = random_vector(shape), z = random_vector(shape);
    const auto a = read(x), b = read(y), c = read(z);
    std::vector<double> factors{2.0, -1.0, 0.25};
    std::vector<N_Vector> vectors{x.get(), y.get(), z.get()};

    ASSERT_EQ(N_VLinearCombination(3, factors.data(), vectors.data(), x.get()), 0);

    for (std::size_t i = 0; i < a.size(); ++i) {
        EXPECT_DOUBLE_EQ(read(x)[i], 2.0 * a[i] - b[i] + 0.25 * c[i]);
    }
}

TEST_F(VectorTest, adds_multiples_of_one_vector_to_many) {
    const Shape shape{2, 5};
    const Vector x = random_vector(shape), y = random_vector(shape), z = random_vector(shape);
    const auto a = read(x), b = read(y), c = read(z);
    std::vector<double> factors{2.0, -1.0};
    std::vector<N_Vector> vectors{y.get(), z.get()};

    ASSERT_EQ(N_VScaleAddMulti(2, factors.data(), x.get(), vectors.data(), vectors.data()), 0);

    for (std::size_t i = 0; i < a.size(); ++i) {
        EXPECT_EQ(read(y)[i], 2.0 * a[i] + b[i]);
        EXPECT_EQ(read(z)[i], -a[i] + c[i]);
    }
}

TEST_F(VectorTest, norm_is_the_worst_columns) {
    for (const Shape& shape : shapes) {
        const Vector x = random_vector(shape), w = random_vector(shape);
        double expected = 0;
        for (std::size_t c = 0; c < shape.columns; ++c) {
            double sum = 0;
            for (std::size_t i = c * shape.rows; i < (c + 1) * shape.rows; ++i) {
                sum += std::pow(read(x)[i] * read(w)[i], 2);
            }
            expected = std::max(expected, std::sqrt(sum / static_cast<double>(shape.rows)));
        }

        EXPECT_NEAR(N_VWrmsNorm(x.get(), w.get()), expected, 1e-15 * expected);
    }
}

TEST_F(VectorTest, norm_is_not_a_number_where_any_entry_is_not) {
    for (const Shape& shape : shapes) {
        for (std::size_t i = 0; i < shape.size(); ++i) {
            const Vector x = random_vector(shape), w = random_vector(shape);
            data_of(x.get())[i] = std::numeric_limits<double>::quiet_NaN();

            EXPECT_TRUE(std::isnan(N_VWrmsNorm(x.get(), w.get())))
                << shape.rows << " x " << shape.columns << " entry " << i;
            EXPECT_TRUE(std::isnan(N_VMaxNorm(x.get())));
        }
    }
}

TEST_F(VectorTest, largest_and_smallest_entries_ignore_the_padding) {
    const Vector x = random_vector({3, 1});
    data_of(x.get())[0] = -5.0;
    data_of(x.get())[1] = 1.0;
    data_of(x.get())[2] = 2.0;

    EXPECT_EQ(N_VMaxNorm(x.get()), 5.0);
    data_of(x.get())[0] = 3.0;
    EXPECT_EQ(N_VMin(x.get()), 1.0);
    EXPECT_EQ(N_VDotProd(x.get(), x.get()), 14.0);
    EXPECT_EQ(N_VGetLength(x.get()), 3);
}

TEST_F(VectorTest, clone_has_the_same_shape_and_its_own_memory) {
    const Vector x = random_vector({2, 3});
    const Vector copy{N_VClone(x.get())};

    EXPECT_EQ(shape_of(copy.get()).rows, 2U);
    EXPECT_EQ(shape_of(copy.get()).columns, 3U);
    EXPECT_NE(data_of(copy.get()), data_of(x.get()));
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(data_of(copy.get())) % 64, 0U); // NOLINT: an address as a number
}

TEST(AllFinite, finds_one_bad_number_anywhere) {
    for (const double bad :
         {std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity(), std::nan("")}) {
        for (std::size_t size = 1; size < 12; ++size) {
            for (std::size_t i = 0; i < size; ++i) {
                std::vector<double> values(size, 1e300);
                EXPECT_TRUE(all_finite(values.data(), size));
                values[i] = bad;
                EXPECT_FALSE(all_finite(values.data(), size)) << size << " " << i;
            }
        }
    }
}

TEST(ErrorWeights, are_the_inverse_of_the_tolerance) {
    const std::vector<double> y{1.0, -2.0, 0.0, 0, 0, 0, 0, 0}, atol{1e-8, 1e-6, 1e-4, 1, 1, 1, 1, 1};
    std::vector<double> w(8);

    error_weights(1e-3, y.data(), atol.data(), w.data(), 8);

    EXPECT_DOUBLE_EQ(w[0], 1.0 / (1e-3 + 1e-8));
    EXPECT_DOUBLE_EQ(w[1], 1.0 / (2e-3 + 1e-6));
    EXPECT_DOUBLE_EQ(w[2], 1e4);
}

} // namespace
} // namespace rondo::solve
