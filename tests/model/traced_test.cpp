#include "model/kernels.hpp"
#include "model/library.hpp"
#include "model/specs.hpp"

#include <rondo/model/functor.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <string>

namespace rondo::model {
namespace {

constexpr std::size_t n_formulas = 32;

/// The formulas of `Everything`, as text.
const std::string formulas[n_formulas] = {"a + b*t",
                                          "a - b/a",
                                          "-a*-b",
                                          "exp(a) + expm1(b)",
                                          "log(a) + log1p(b)",
                                          "log10(a)*sqrt(b)",
                                          "sin(a) - cos(b)",
                                          "tan(a/4)",
                                          "asin(a/4) + acos(b/4)",
                                          "atan(a)",
                                          "sinh(a) + cosh(b)",
                                          "tanh(a*b)",
                                          "abs(a - b)",
                                          "abs(b - a)",
                                          "floor(a) + ceil(a)",
                                          "a^b",
                                          "2^a",
                                          "a^2",
                                          "min(a, b) + 3*max(a, b)",
                                          "min(a, 1) + 3*max(b, 1)",
                                          "if(a < b, a, 2*b)",
                                          "if(a <= b, a, 2*b)",
                                          "if(a > b, a, 2*b)",
                                          "if(a >= b, a, 2*b)",
                                          "if(a == b, a, 2*b)",
                                          "if(a != b, a, 2*b)",
                                          "if(a < b and t > 1, a, 2*b)",
                                          "if(a < b or t > 1, a, 2*b)",
                                          "if(not a < b, a, 2*b)",
                                          "a + b - t*2",
                                          "(a*b)/t",
                                          "7"};

/// Every operation that a model in C++ may use.
struct Everything {
    static constexpr const char* states[] = {"a", "b"};
    static constexpr const char* parameters[] = {"k"};
    static constexpr const char* observables[n_formulas] = {};

    template <class T>
    void rates(const T& /*t*/, std::span<const T> x, std::span<const T> p, std::span<const T> /*c*/,
               std::span<T> dxdt) const {
        dxdt[0] = p[0] * x[0];
        dxdt[1] = 0;
    }
    template <class T>
    void initial(std::span<const T> /*p*/, std::span<const T> /*c*/, std::span<T> x0) const {
        x0[0] = x0[1] = 1.0;
    }
    template <class T>
    void observe(const T& t, std::span<const T> x, std::span<const T> /*p*/, std::span<const T> /*c*/,
                 std::span<T> y) const {
        using namespace std;
        const T a = x[0], b = x[1];
        T sum = a, product = a;
        sum += b;
        sum -= t * 2;
        product *= b;
        product /= t;
        const T all[n_formulas] = {a + b * t,
                                   a - b / a,
                                   -a * -b,
                                   exp(a) + expm1(b),
                                   log(a) + log1p(b),
                                   log10(a) * sqrt(b),
                                   sin(a) - cos(b),
                                   tan(a / 4),
                                   asin(a / 4) + acos(b / 4),
                                   atan(a),
                                   sinh(a) + cosh(b),
                                   tanh(a * b),
                                   abs(a - b),
                                   fabs(b - a),
                                   floor(a) + ceil(a),
                                   pow(a, b),
                                   pow(2, a),
                                   pow(a, 2),
                                   min(a, b) + 3 * max(a, b),
                                   fmin(a, 1) + 3 * fmax(b, 1),
                                   select(a < b, a, 2 * b),
                                   select(a <= b, a, 2 * b),
                                   select(a > b, a, 2 * b),
                                   select(a >= b, a, 2 * b),
                                   select(a == b, a, 2 * b),
                                   select(a != b, a, 2 * b),
                                   select(a < b && t > 1, a, 2 * b),
                                   select(a < b || t > 1, a, 2 * b),
                                   select(!(a < b), a, 2 * b),
                                   sum,
                                   product,
                                   7};
        std::copy(all, all + n_formulas, y.begin());
    }
};

Spec as_text() {
    Spec spec{.where = "job.toml",
              .states = {"a", "b"},
              .parameters = {"k"},
              .rates = {{"a", "k*a", "here"}, {"b", "0", "here"}},
              .initial = {{"a", "1", "here"}, {"b", "1", "here"}}};
    for (std::size_t i = 0; i < n_formulas; ++i) {
        spec.observables.push_back({"y" + std::to_string(i), formulas[i], "here"});
    }
    return spec;
}

/// The formulas' values as traced in this program.
std::vector<double> traced_outputs(const Point& at) {
    const TracedFunctor<Everything> traced;
    abi::TracedModel model = traced.model();
    const std::vector<const char*> names(n_formulas, "y");
    model.observables = {names.data(), names.size()};
    expression::Graph graph;
    const ImportedNodes nodes = import_nodes(copy_model(model, "in memory", "job.toml"), {}, graph);
    const expression::Program program{.name = "formulas", .outputs = nodes.observables};
    std::vector<double> out(n_formulas, NAN);
    expression::interpret(graph, std::span{&program, 1}, 1)
        ->kernel(0)({&at.t, at.x.data(), nullptr, nullptr, nullptr}, out.data());
    return out;
}

TEST(Traced, operations_mean_what_they_mean_in_text) {
    const Model text = interpreted_model(as_text(), {});
    const std::vector<double> k{0.3};
    for (const double t : {0.5, 2.0}) {
        for (const auto& x : {std::vector{1.3, 0.6}, std::vector{0.4, 1.7}, std::vector{1.0, 1.0}}) {
            const Point at{.t = t, .x = x, .p = k, .c = {}, .seed = {}};
            const auto expected = evaluate(text, KernelKind::outputs, at);
            const auto values = traced_outputs(at);
            for (std::size_t i = 0; i < n_formulas; ++i) {
                EXPECT_DOUBLE_EQ(values[i], expected[i])
                    << formulas[i] << " at t = " << t << ", a = " << x[0] << ", b = " << x[1];
            }
        }
    }
}

TEST(Traced, select_on_plain_numbers_chooses_as_well) {
    const double a = 2, b = 3;
    EXPECT_EQ(select(a < b, a, b), 2);
    EXPECT_EQ(select(a > b, a, b), 3);
}

} // namespace
} // namespace rondo::model
