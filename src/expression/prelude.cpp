#include "prelude.hpp"

#include <fmt/format.h>

#include <string_view>

namespace rondo::expression {
namespace {

constexpr std::string_view common = R"(struct Arguments {
    const double* time;
    const double* state;
    const double* parameter;
    const double* covariate;
    const double* seed;
};
#define RONDO_INLINE static inline __attribute__((always_inline))
#define RONDO_FUNCTIONS(F) F(exp) F(log) F(log10) F(sin) F(cos) F(tan) F(asin) F(acos) F(atan) F(sinh) F(cosh) F(tanh) \
    F(expm1) F(log1p)
)";

constexpr std::string_view single = R"(
namespace w1 {
typedef double V;
RONDO_INLINE V load(const double* p) { return *p; }
RONDO_INLINE void store(double* p, V x) { *p = x; }
RONDO_INLINE V splat(double x) { return x; }
RONDO_INLINE V minimum(V a, V b) { return b < a ? b : a; }
RONDO_INLINE V maximum(V a, V b) { return a < b ? b : a; }
RONDO_INLINE V sign(V a) { return a > 0 ? 1.0 : a < 0 ? -1.0 : a; }
RONDO_INLINE V less(V a, V b) { return a < b ? 1.0 : 0.0; }
RONDO_INLINE V less_equal(V a, V b) { return a <= b ? 1.0 : 0.0; }
RONDO_INLINE V equal(V a, V b) { return a == b ? 1.0 : 0.0; }
RONDO_INLINE V not_equal(V a, V b) { return a != b ? 1.0 : 0.0; }
RONDO_INLINE V logical_and(V a, V b) { return (a != 0) & (b != 0) ? 1.0 : 0.0; }
RONDO_INLINE V logical_or(V a, V b) { return (a != 0) | (b != 0) ? 1.0 : 0.0; }
RONDO_INLINE V logical_not(V a) { return a == 0 ? 1.0 : 0.0; }
RONDO_INLINE V select(V c, V a, V b) { return c != 0 ? a : b; }
RONDO_INLINE V absolute(V a) { return __builtin_fabs(a); }
RONDO_INLINE V square_root(V a) { return __builtin_sqrt(a); }
RONDO_INLINE V floor(V a) { return __builtin_floor(a); }
RONDO_INLINE V ceil(V a) { return __builtin_ceil(a); }
RONDO_INLINE V power(V a, V b) { return __builtin_pow(a, b); }
#define RONDO_FUNCTION(name) RONDO_INLINE V name(V a) { return __builtin_##name(a); }
RONDO_FUNCTIONS(RONDO_FUNCTION)
#undef RONDO_FUNCTION
}
)";

/// {0}: lanes; {1}: bytes; {2}: x, x, ..., x.
constexpr std::string_view vector = R"(
namespace w{0} {{
typedef double V __attribute__((vector_size({1})));
typedef double Memory __attribute__((vector_size({1}), aligned(8), may_alias));
typedef long long Mask __attribute__((vector_size({1})));
RONDO_INLINE V load(const double* p) {{ return *(const Memory*)p; }}
RONDO_INLINE void store(double* p, V x) {{ *(Memory*)p = x; }}
RONDO_INLINE V splat(double x) {{ return V{{{2}}}; }}
RONDO_INLINE V truth(Mask m) {{ return m ? splat(1.0) : splat(0.0); }}
RONDO_INLINE V minimum(V a, V b) {{ return b < a ? b : a; }}
RONDO_INLINE V maximum(V a, V b) {{ return a < b ? b : a; }}
RONDO_INLINE V sign(V a) {{ return a > splat(0.0) ? splat(1.0) : (a < splat(0.0) ? splat(-1.0) : a); }}
RONDO_INLINE V less(V a, V b) {{ return truth(a < b); }}
RONDO_INLINE V less_equal(V a, V b) {{ return truth(a <= b); }}
RONDO_INLINE V equal(V a, V b) {{ return truth(a == b); }}
RONDO_INLINE V not_equal(V a, V b) {{ return truth(a != b); }}
RONDO_INLINE V logical_and(V a, V b) {{ return truth((a != splat(0.0)) & (b != splat(0.0))); }}
RONDO_INLINE V logical_or(V a, V b) {{ return truth((a != splat(0.0)) | (b != splat(0.0))); }}
RONDO_INLINE V logical_not(V a) {{ return truth(a == splat(0.0)); }}
RONDO_INLINE V select(V c, V a, V b) {{ return c != splat(0.0) ? a : b; }}
RONDO_INLINE V absolute(V a) {{ return (V)((Mask)a & 0x7fffffffffffffffLL); }}
#define RONDO_EACH_LANE(expression) V r; for (int l = 0; l < {0}; ++l) r[l] = expression; return r;
RONDO_INLINE V square_root(V a) {{ RONDO_EACH_LANE(__builtin_sqrt(a[l])) }}
RONDO_INLINE V floor(V a) {{ RONDO_EACH_LANE(__builtin_floor(a[l])) }}
RONDO_INLINE V ceil(V a) {{ RONDO_EACH_LANE(__builtin_ceil(a[l])) }}
static __attribute__((noinline)) V power(V a, V b) {{ RONDO_EACH_LANE(__builtin_pow(a[l], b[l])) }}
#define RONDO_FUNCTION(name) static __attribute__((noinline)) V name(V a) {{ RONDO_EACH_LANE(__builtin_##name(a[l])) }}
RONDO_FUNCTIONS(RONDO_FUNCTION)
#undef RONDO_FUNCTION
#undef RONDO_EACH_LANE
}}
)";

} // namespace

std::string source_prelude() { return std::string{common}; }

std::string lane_prelude(int width) {
    if (width == 1) {
        return std::string{single};
    }
    std::string copies = "x";
    for (int lane = 1; lane < width; ++lane) {
        copies += ", x";
    }
    return fmt::format(fmt::runtime(vector), width, 8 * width, copies);
}

} // namespace rondo::expression
