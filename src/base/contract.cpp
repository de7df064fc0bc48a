#include <rondo/base/contract.hpp>

#include <rondo/base/error.hpp>

#include <fmt/format.h>

namespace rondo {

void contract_failed(const char* kind, const char* text, const char* file, int line) {
    throw ContractError{
        fmt::format("{}:{}: rondo {} that {} (a bug in rondo, not in your job); please report it with the job file",
                    file, line, kind, text),
        file, line};
}

} // namespace rondo
