#pragma once

#include <string>
#include <string_view>

namespace rondo::solve {

/// A CVODES flag's name and what it means for a user: `CV_ERR_FAILURE: the error test failed again and again however
/// short the step`.
[[nodiscard]] std::string explain_flag(int flag);

/// Throw what a failed CVODES set-up function deserves: std::bad_alloc for CV_MEM_FAIL, else ContractError with its
/// name.
void check_flag(int flag, const char* function, const char* file = __builtin_FILE(), int line = __builtin_LINE());

} // namespace rondo::solve
