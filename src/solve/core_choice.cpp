#include "core/core.hpp"

namespace rondo::solve {

namespace plain {
extern const Core table;
}
#if defined(__x86_64__)
namespace avx2 {
extern const Core table;
}
namespace avx512 {
extern const Core table;
}
#endif

const Core& core() {
#if defined(__x86_64__)
    static const Core& best = __builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512dq") != 0 &&
                                      __builtin_cpu_supports("avx512vl") != 0 && __builtin_cpu_supports("avx512bw") != 0
                                  ? avx512::table
                              : __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0
                                  ? avx2::table
                                  : plain::table;
    return best;
#else
    return plain::table;
#endif
}

} // namespace rondo::solve
