#pragma once

namespace rondo::comm {

/// Signed 128-bit integer of the compiler (GCC and Clang on 64-bit machines).
__extension__ typedef __int128 Int128;

} // namespace rondo::comm
