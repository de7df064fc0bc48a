#pragma once

#include <rondo/comm/comm.hpp>

#include <exception>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>

namespace rondo::comm {

/// Marks an error that every rank of the job throws with the same text, so that it is said once and all ranks end in
/// order.
struct AgreedMark {
    virtual ~AgreedMark() = default;
};

/// An error of kind `Kind` that every rank throws.
template <class Kind>
class OnAllRanks final : public Kind, public AgreedMark {
    using Kind::Kind;
};

/// True if every rank throws this error.
[[nodiscard]] inline bool is_agreed(const std::exception& error) {
    return dynamic_cast<const AgreedMark*>(&error) != nullptr;
}

/// Compare notes: returns if `mine` is null on all ranks; else all ranks throw the error of the first failing rank.
/// **Collective.** See run_agreed, which is what most callers want.
void agree(const Comm& comm, const std::exception_ptr& mine);

/// Do work that can fail on one rank alone (open a file, read a shard) so that either all ranks go on or all throw.
///
/// Every rank learns of the first failing rank and throws the same text and the same kind: InputError, SolveError,
/// StoreError, CommError or ContractError. Any other exception becomes a ContractError. The text is preceded by
/// `[rank 1 of 3] ` unless all ranks failed alike.
///
/// **Collective.** `work` itself must not communicate.
///
/// @return what `work` returned on this rank
/// @throws Error      as above
/// @throws CommError  MPI failed
/// Tests   tests/comm/agree_test.cpp
template <class Work>
std::invoke_result_t<Work> run_agreed(const Comm& comm, Work&& work) {
    using Result = std::invoke_result_t<Work>;
    static_assert(!std::is_reference_v<Result>, "work returns a value");
    std::exception_ptr failure;
    if constexpr (std::is_void_v<Result>) {
        try {
            std::forward<Work>(work)();
        } catch (...) {
            failure = std::current_exception();
        }
        agree(comm, failure);
    } else {
        std::optional<Result> result;
        try {
            result.emplace(std::forward<Work>(work)());
        } catch (...) {
            failure = std::current_exception();
        }
        agree(comm, failure);
        return std::move(*result);
    }
}

/// Check that all ranks hold the bits of rank 0. **Collective.**
///
/// @param what  names the values in the message, for instance "parameters"
/// @throws CommError  on all ranks: names the first rank that differs, the entry and both values
/// Tests   tests/comm/agree_test.cpp
void verify_equal(const Comm& comm, std::span<const double> values, std::string_view what);

} // namespace rondo::comm
