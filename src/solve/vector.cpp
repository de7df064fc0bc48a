#include "vector.hpp"

#include "loops.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>

namespace rondo::solve {
namespace {

/// One allocation: the handle that CVODES sees, the layout, then (aligned) the numbers.
struct Block {
    _generic_N_Vector handle;
    Shape shape;
    std::size_t length = 0; ///< padded
    double* data = nullptr;
};

constexpr std::size_t alignment = 64;
constexpr std::size_t header_bytes = (sizeof(Block) + alignment - 1) / alignment * alignment;

Block& block_of(N_Vector vector) noexcept { return *static_cast<Block*>(vector->content); }
double* data(N_Vector vector) noexcept { return block_of(vector).data; }
std::size_t length(N_Vector vector) noexcept { return block_of(vector).length; }

N_Vector allocate(const Shape& shape, SUNContext context) noexcept;

N_Vector clone(N_Vector other) { return allocate(block_of(other).shape, other->sunctx); }

void destroy(N_Vector vector) {
    if (vector != nullptr) {
        std::free(vector->content); // NOLINT: the block that `allocate` made
    }
}

N_Vector_ID vector_id(N_Vector) { return SUNDIALS_NVEC_CUSTOM; }
double* array_pointer(N_Vector vector) { return data(vector); }
sunindextype vector_length(N_Vector vector) { return static_cast<sunindextype>(block_of(vector).shape.size()); }

void space(N_Vector vector, sunindextype* reals, sunindextype* integers) {
    *reals = vector_length(vector);
    *integers = 1;
}

void constant(double c, N_Vector z) { std::fill_n(data(z), length(z), c); }

void scale(double c, N_Vector x, N_Vector z) {
    const double* const from = data(x);
    double* const to = data(z);
    const std::size_t size = length(z);
    if (c == 1.0) {
        if (from != to) {
            std::memcpy(to, from, size * sizeof(double));
        }
    } else {
        for_each_entry(size, [=](std::size_t i) { to[i] = c * from[i]; });
    }
}

void linear_sum(double a, N_Vector x, double b, N_Vector y, N_Vector z) {
    const double* const first = data(x);
    const double* const second = data(y);
    double* const to = data(z);
    const std::size_t size = length(z);
    if (a == 1.0 && b == 1.0) {
        for_each_entry(size, [=](std::size_t i) { to[i] = first[i] + second[i]; });
    } else if (b == 1.0) {
        for_each_entry(size, [=](std::size_t i) { to[i] = a * first[i] + second[i]; });
    } else if (a == 1.0) {
        for_each_entry(size, [=](std::size_t i) { to[i] = first[i] + b * second[i]; });
    } else {
        for_each_entry(size, [=](std::size_t i) { to[i] = a * first[i] + b * second[i]; });
    }
}

void product(N_Vector x, N_Vector y, N_Vector z) {
    const double* const first = data(x);
    const double* const second = data(y);
    double* const to = data(z);
    for_each_entry(length(z), [=](std::size_t i) { to[i] = first[i] * second[i]; });
}

/// Divisions leave the padding alone, which holds zeros.
void divide(N_Vector x, N_Vector y, N_Vector z) {
    const double* const first = data(x);
    const double* const second = data(y);
    double* const to = data(z);
    const std::size_t size = block_of(z).shape.size();
    for (std::size_t i = 0; i < size; ++i) {
        to[i] = first[i] / second[i];
    }
}

void inverse(N_Vector x, N_Vector z) {
    const double* const from = data(x);
    double* const to = data(z);
    const std::size_t size = block_of(z).shape.size();
    for (std::size_t i = 0; i < size; ++i) {
        to[i] = 1.0 / from[i];
    }
}

void absolute(N_Vector x, N_Vector z) {
    const double* const from = data(x);
    double* const to = data(z);
    for_each_entry(length(z), [=](std::size_t i) { to[i] = std::fabs(from[i]); });
}

void add_constant(N_Vector x, double b, N_Vector z) {
    const double* const from = data(x);
    double* const to = data(z);
    for_each_entry(length(z), [=](std::size_t i) { to[i] = from[i] + b; });
}

double dot(N_Vector x, N_Vector y) {
    const double* const first = data(x);
    const double* const second = data(y);
    const std::size_t size = block_of(x).shape.size();
    double sum = 0;
    for (std::size_t i = 0; i < size; ++i) {
        sum += first[i] * second[i];
    }
    return sum;
}

double maximum_norm(N_Vector x) {
    const double* const from = data(x);
    const std::size_t size = block_of(x).shape.size();
    double largest = 0;
    for (std::size_t i = 0; i < size; ++i) {
        const double magnitude = std::fabs(from[i]);
        largest = magnitude > largest || std::isnan(magnitude) ? magnitude : largest;
    }
    return largest;
}

double minimum(N_Vector x) { return *std::min_element(data(x), data(x) + block_of(x).shape.size()); }

double weighted_norm(N_Vector x, N_Vector w) { return worst_norm(block_of(x).shape, data(x), data(w)); }

int linear_combination(int count, double* c, N_Vector* x, N_Vector z) {
    constexpr int most = 16; // CVODES never combines more than its highest order and one
    if (count > most) {
        return -1;
    }
    std::array<const double*, most> from{};
    for (int k = 0; k < count; ++k) {
        from[static_cast<std::size_t>(k)] = data(x[k]);
    }
    double* const to = data(z);
    const std::size_t size = length(z);
    for (std::size_t i = 0; i < size; i += 8) {
        std::array<double, 8> sum{};
        for (std::size_t j = 0; j < 8; ++j) {
            sum[j] = c[0] * from[0][i + j];
        }
        for (int k = 1; k < count; ++k) {
            const double factor = c[k];
            const double* const term = from[static_cast<std::size_t>(k)] + i;
            for (std::size_t j = 0; j < 8; ++j) {
                sum[j] += factor * term[j];
            }
        }
        for (std::size_t j = 0; j < 8; ++j) {
            to[i + j] = sum[j];
        }
    }
    return 0;
}

int scale_add_multi(int count, double* a, N_Vector x, N_Vector* y, N_Vector* z) {
    const double* const from = data(x);
    const std::size_t size = length(x);
    for (int k = 0; k < count; ++k) {
        const double factor = a[k];
        const double* const term = data(y[k]);
        double* const to = data(z[k]);
        for_each_entry(size, [=](std::size_t i) { to[i] = factor * from[i] + term[i]; });
    }
    return 0;
}

int scale_array(int count, double* c, N_Vector* x, N_Vector* z) {
    for (int k = 0; k < count; ++k) {
        scale(c[k], x[k], z[k]);
    }
    return 0;
}

/// One table for all vectors, so that it stays in the cache.
_generic_N_Vector_Ops* operations() {
    static _generic_N_Vector_Ops table = [] {
        _generic_N_Vector_Ops t{};
        t.nvgetvectorid = vector_id;
        t.nvclone = clone;
        t.nvcloneempty = clone;
        t.nvdestroy = destroy;
        t.nvspace = space;
        t.nvgetarraypointer = array_pointer;
        t.nvgetlength = vector_length;
        t.nvlinearsum = linear_sum;
        t.nvconst = constant;
        t.nvprod = product;
        t.nvdiv = divide;
        t.nvscale = scale;
        t.nvabs = absolute;
        t.nvinv = inverse;
        t.nvaddconst = add_constant;
        t.nvdotprod = dot;
        t.nvmaxnorm = maximum_norm;
        t.nvwrmsnorm = weighted_norm;
        t.nvmin = minimum;
        t.nvlinearcombination = linear_combination;
        t.nvscaleaddmulti = scale_add_multi;
        t.nvscalevectorarray = scale_array;
        return t;
    }();
    return &table;
}

N_Vector allocate(const Shape& shape, SUNContext context) noexcept {
    const std::size_t size = padded(shape.size());
    const std::size_t bytes = header_bytes + std::max<std::size_t>(size, 8) * sizeof(double);
    void* const memory = std::aligned_alloc(alignment, bytes);
    if (memory == nullptr) {
        return nullptr;
    }
    std::memset(memory, 0, bytes);
    auto* const block = new (memory) Block;
    block->shape = shape;
    block->length = size;
    block->data = reinterpret_cast<double*>(static_cast<std::byte*>(memory) + header_bytes); // NOLINT: aligned there
    block->handle.content = block;
    block->handle.ops = operations();
    block->handle.sunctx = context;
    return &block->handle;
}

} // namespace

Vector make_vector(const Shape& shape, SUNContext context) {
    N_Vector handle = allocate(shape, context);
    if (handle == nullptr) {
        throw std::bad_alloc{};
    }
    return Vector{handle};
}

double* data_of(N_Vector vector) noexcept { return data(vector); }

const Shape& shape_of(N_Vector vector) noexcept { return block_of(vector).shape; }

} // namespace rondo::solve
