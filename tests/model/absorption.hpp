#pragma once

#include <rondo/model/functor.hpp>

#include <cmath>
#include <span>

namespace rondo::model {

/// The model `absorption` of specs.hpp as a user would write it in C++; its covariates stand in another order than the
/// data's.
struct Absorbed {
    static constexpr const char* states[] = {"gut", "plasma"};
    static constexpr const char* parameters[] = {"ka", "cl", "v", "f", "vm", "sd"};
    static constexpr const char* covariates[] = {"dose", "weight"};
    static constexpr const char* observables[] = {"level", "effect"};

    template <class T>
    T concentration(std::span<const T> x, std::span<const T> p, std::span<const T> c) const {
        return x[1] / (p[2] * c[1] / 70);
    }
    template <class T>
    void rates(const T& t, std::span<const T> x, std::span<const T> p, std::span<const T> c, std::span<T> dxdt) const {
        using std::pow;
        const T level = concentration(x, p, c);
        const T absorbed = select(t < 1, p[0], 2 * p[0]) * x[0];
        const T saturable = select(level > 0.5, p[4] * level / (1 + level), p[4] * level / 1.5);
        dxdt[0] = -absorbed;
        dxdt[1] = p[3] * absorbed - p[1] * pow(c[1] / 70, 0.75) * level - saturable;
    }
    template <class T>
    void initial(std::span<const T> p, std::span<const T> c, std::span<T> x0) const {
        using std::exp;
        x0[0] = p[3] * c[0];
        x0[1] = exp(-p[2]);
    }
    template <class T>
    void observe(const T& /*t*/, std::span<const T> x, std::span<const T> p, std::span<const T> c,
                 std::span<T> y) const {
        using std::log1p, std::sqrt, std::tanh;
        y[0] = concentration(x, p, c);
        y[1] = tanh(y[0]) + log1p(x[0]) * sqrt(p[4]);
    }
};

} // namespace rondo::model
