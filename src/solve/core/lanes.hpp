#pragma once

#include <cstddef>
#include <cstdint>

#ifdef __AVX512F__
#include <immintrin.h>
#endif

// Arithmetic on lanes: eight doubles, one of each trajectory. A core's sources are compiled once for each kind of
// processor (RONDO_ISA names it). Rules of the sources in this folder, so that no code for one kind is ever linked into
// another: everything in namespace RONDO_ISA or always inlined, plain pointers, nothing of the standard library but
// types. A lane's result never depends on another lane: no operation crosses lanes, conditions only choose.
#define RONDO_ALWAYS_INLINE [[gnu::always_inline]] inline

namespace rondo::solve::RONDO_ISA {

inline constexpr std::size_t W = 8;
typedef double V __attribute__((vector_size(64)));
typedef long long Mask __attribute__((vector_size(64))); ///< of a comparison: -1 or 0 in each lane
typedef double Memory __attribute__((vector_size(64), aligned(8), may_alias));

RONDO_ALWAYS_INLINE V load(const double* p) { return *reinterpret_cast<const Memory*>(p); }
RONDO_ALWAYS_INLINE void store(double* p, V x) { *reinterpret_cast<Memory*>(p) = x; }
RONDO_ALWAYS_INLINE V splat(double x) { return V{x, x, x, x, x, x, x, x}; }
RONDO_ALWAYS_INLINE V choose(Mask m, V a, V b) { return m ? a : b; }
RONDO_ALWAYS_INLINE V maximum(V a, V b) { return a < b ? b : a; }
RONDO_ALWAYS_INLINE V minimum(V a, V b) { return b < a ? b : a; }
RONDO_ALWAYS_INLINE V absolute(V a) { return (V)((Mask)a & 0x7fffffffffffffffLL); }

RONDO_ALWAYS_INLINE V square_root(V a) {
#ifdef __AVX512F__
    return (V)_mm512_maskz_sqrt_pd(0xff, (__m512d)a);
#else
    V r;
    for (std::size_t l = 0; l < W; ++l) {
        r[l] = __builtin_sqrt(a[l]);
    }
    return r;
#endif
}

/// Bit l is set where lane l of the mask is.
RONDO_ALWAYS_INLINE unsigned bits(Mask m) {
#ifdef __AVX512DQ__
    return _mm512_movepi64_mask((__m512i)m);
#else
    unsigned all = 0;
    for (std::size_t l = 0; l < W; ++l) {
        all |= static_cast<unsigned>(m[l] & 1) << l;
    }
    return all;
#endif
}

RONDO_ALWAYS_INLINE Mask mask_of(unsigned set) {
    const Mask position{1, 2, 4, 8, 16, 32, 64, 128};
    const long long b = static_cast<long long>(set);
    const Mask all{b, b, b, b, b, b, b, b};
    return (all & position) != Mask{};
}

/// About 1 / x, to 26 bits: for error norms, where a division would cost more than all the rest. x is normal.
RONDO_ALWAYS_INLINE V rough_inverse(V x) {
#ifdef __AVX512F__
    const V first = (V)_mm512_maskz_rcp14_pd(0xff, (__m512d)x) /* g++ 12 warns about the form without mask */;
    return first * (2.0 - x * first);
#else
    return 1.0 / x;
#endif
}

/// log2 to about 1e-9, of positive normal numbers.
RONDO_ALWAYS_INLINE V rough_log2(V x) {
    const Mask raw = (Mask)x;
    const Mask shifted =
        raw - 0x3fe6a09e667f3bcdLL; // bits of sqrt(1/2): the mantissa comes out in sqrt(1/2) .. sqrt(2)
    const Mask exponent = shifted >> 52;
    const V mantissa = (V)(raw - (exponent << 52));
    const V z = (mantissa - 1.0) / (mantissa + 1.0);
    const V s = z * z;
    const V series = 1.0 + s * (1.0 / 3.0 + s * (1.0 / 5.0 + s * (1.0 / 7.0 + s * (1.0 / 9.0))));
    return __builtin_convertvector(exponent, V) + 2.8853900817779268 * z * series;
}

/// 2^x to about 1e-9, for |x| < 1000.
RONDO_ALWAYS_INLINE V rough_exp2(V x) {
    const V magic = splat(6755399441055744.0); // 1.5 * 2^52: adding it rounds to a whole number
    const V shifted = x + magic;
    const V whole = shifted - magic;
    const V f = (x - whole) * 0.69314718055994531;
    const V series =
        1.0 + f * (1.0 + f * (1.0 / 2 +
                              f * (1.0 / 6 + f * (1.0 / 24 + f * (1.0 / 120 + f * (1.0 / 720 + f * (1.0 / 5040)))))));
    const Mask scale = ((Mask)shifted - (Mask)magic) << 52;
    return (V)((Mask)series + scale);
}

} // namespace rondo::solve::RONDO_ISA
