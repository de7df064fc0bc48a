// Theophylline by mouth: one compartment, first-order absorption, and an elimination that saturates above a plasma
// level.
#include <rondo/model/functor.hpp>

#include <span>

struct Theophylline {
    static constexpr const char* states[] = {"gut", "plasma"};                    // mg/kg, mg/L
    static constexpr const char* parameters[] = {"ke", "ka", "cl", "saturation"}; // 1/h, 1/h, L/h/kg, mg/L
    static constexpr const char* covariates[] = {"dose"};           // mg/kg, a column of the trajectories table
    static constexpr const char* observables[] = {"concentration"}; // as in the data

    // T is a number that writes down the formula, once: no `if` on it, but select(condition, a, b).
    template <class T>
    void rates(const T& /*t*/, std::span<const T> x, std::span<const T> p, std::span<const T> /*c*/,
               std::span<T> dxdt) const {
        const T ke = p[0], ka = p[1], cl = p[2], saturation = p[3];
        const T volume = cl / ke;
        dxdt[0] = -ka * x[0];
        dxdt[1] = ka * x[0] / volume - ke * select(x[1] > saturation, saturation, x[1]);
    }

    template <class T>
    void initial(std::span<const T> /*p*/, std::span<const T> c, std::span<T> x0) const {
        x0[0] = c[0];
        x0[1] = 0.0;
    }

    template <class T>
    void observe(const T& /*t*/, std::span<const T> x, std::span<const T> /*p*/, std::span<const T> /*c*/,
                 std::span<T> y) const {
        y[0] = x[1];
    }
};

RONDO_MODEL(Theophylline)
