#pragma once

#include <rondo/expression/differentiate.hpp>
#include <rondo/expression/graph.hpp>

#include <cstddef>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace rondo::expression {

/// Where a kernel reads. Structure of arrays over W lanes: entry i of lane l at [i * W + l]; parameters are one set for
/// all lanes: [i]. Arrays that a program does not use may be null. `out` overlaps none of them.
struct Arguments {
    const double* time = nullptr;      ///< [W]
    const double* state = nullptr;     ///< [n_states x W]
    const double* parameter = nullptr; ///< [n_parameters]
    const double* covariate = nullptr; ///< [n_covariates x W]
    const double* seed = nullptr;      ///< [n_seed x W]
};

/// A function to make a kernel of: `outputs[i]` is written to out[i * W + lane].
///
/// With `columns` > 0 it is a tangent program: after the outputs come, for every column k in 0 .. columns - 1, the
/// n = outputs.size() entries of  A s_k + b_k,  where s_k is seed[(k * n + j) * W + lane], A the sparse matrix
/// `matrix` [n x n] and b_k the entries of `offsets` with that column. Written to out[((1 + k) * n + i) * W + lane].
/// So with outputs = rates the kernel is the right-hand side of the augmented system [x, s_1, ..., s_m].
///
/// Outputs from number `first_added` on are added to what `out` holds; adding the constant 0 costs nothing.
struct Program {
    static constexpr std::size_t none = std::numeric_limits<std::size_t>::max();
    std::string name;
    std::vector<NodeId> outputs;
    std::size_t first_added = none;
    std::size_t columns = 0;
    std::vector<Entry> matrix;
    std::vector<Entry> offsets;
};

/// One kernel for W lanes. Reentrant: threads may call it at the same time.
class Kernel {
public:
    using Function = void (*)(const void* self, const Arguments* arguments, double* out);
    Kernel() = default;
    Kernel(Function function, const void* self) : function_{function}, self_{self} {}
    [[gnu::always_inline]] void operator()(const Arguments& arguments, double* out) const { function_(self_, &arguments, out); }
    explicit operator bool() const { return function_ != nullptr; }

private:
    Function function_ = nullptr;
    const void* self_ = nullptr;
};

/// The kernels of a set of programs at one width. Owns their code; kernels are valid while it lives.
class Module {
public:
    virtual ~Module() = default;
    /// The kernel of programs[i] as given when the module was made.
    [[nodiscard]] virtual Kernel kernel(std::size_t i) const = 0;
    [[nodiscard]] virtual int width() const = 0;
};

/// Kernels that walk the graph: no compiler needed, slower. Same operations in the same order as the compiled ones,
/// except that those may round a product and a sum once (FMA): the two agree to rounding.
///
/// @throws ContractError  a matrix entry or offset lies outside the program, or a node reads a random number
/// Tests   tests/expression/interpret_test.cpp, compile_test.cpp
[[nodiscard]] std::shared_ptr<const Module> interpret(const Graph& graph, std::span<const Program> programs, int width);

/// C++ source of the programs: one `extern "C"` function a program and width, named `rondo_<width>_<i>`.
/// The text is a function of the arguments only (its hash is the key of the cache). Contains no user text but numbers.
/// Lanes are values of GCC's vector extension, mathematical functions are libm's. Long programs are cut into functions
/// of bounded length, so that the time to compile grows with the number of operations and matrix entries, not faster.
///
/// @param widths  different powers of two up to 64
/// @throws ContractError  as `interpret`, or a width that is none of these
/// Tests   tests/expression/generate_test.cpp, compile_test.cpp
[[nodiscard]] std::string generate_source(const Graph& graph, std::span<const Program> programs,
                                          std::span<const int> widths);

} // namespace rondo::expression
