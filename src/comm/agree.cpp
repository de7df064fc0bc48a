#include <rondo/comm/agree.hpp>

#include <rondo/base/cast.hpp>
#include <rondo/base/error.hpp>
#include <rondo/base/text.hpp>
#include <rondo/comm/collective.hpp>

#include "native.hpp"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace rondo::comm {
namespace {

constexpr std::int64_t bug = 70;

/// What travels between ranks about an exception. An Error's exit code names its kind.
struct Failure {
    std::int64_t exit_code = bug;
    std::int64_t mpi_code = 0;
    std::string text;
};

Failure unexpected(std::string_view text) {
    return {bug, 0,
            fmt::format("{} (an exception that rondo did not expect: a bug in rondo, or memory ran out); please report "
                        "it with the job file",
                        text)};
}

Failure describe(const std::exception_ptr& exception) {
    try {
        std::rethrow_exception(exception);
    } catch (const CommError& error) {
        return {error.exit_code(), error.code, error.what()};
    } catch (const Error& error) {
        return {error.exit_code(), 0, error.what()};
    } catch (const std::exception& error) {
        return unexpected(error.what());
    } catch (...) {
        return unexpected("something that is no std::exception");
    }
}

[[noreturn]] void raise(const Failure& failure) {
    switch (failure.exit_code) {
    case 2:
        throw OnAllRanks<InputError>{failure.text};
    case 3:
        throw OnAllRanks<SolveError>{failure.text};
    case 4:
        throw OnAllRanks<StoreError>{failure.text};
    case 5:
        throw OnAllRanks<CommError>{failure.text, static_cast<int>(failure.mpi_code)};
    default:
        throw OnAllRanks<ContractError>{failure.text, __FILE__, __LINE__};
    }
}

std::int64_t smallest(const Comm& comm, std::int64_t mine) {
    std::int64_t result = mine;
    if (comm.size() > 1) {
        check(MPI_Allreduce(&mine, &result, 1, MPI_INT64_T, MPI_MIN, native(comm)), "MPI_Allreduce");
    }
    return result;
}

} // namespace

void agree(const Comm& comm, const std::exception_ptr& mine) {
    const std::int64_t first = smallest(comm, mine ? comm.rank() : comm.size());
    if (first == comm.size()) {
        return;
    }
    const Failure own = mine ? describe(mine) : Failure{};
    const int root = narrow<int>(first);
    std::array<std::int64_t, 2> codes{own.exit_code, own.mpi_code};
    broadcast(comm, std::span<std::int64_t>{codes}, root);
    Failure agreed{codes[0], codes[1], broadcast(comm, own.text, root)};
    const bool alike = mine && own.exit_code == agreed.exit_code && own.text == agreed.text;
    if (smallest(comm, alike ? 1 : 0) == 0) {
        agreed.text = fmt::format("[rank {} of {}] {}", first, comm.size(), agreed.text);
    }
    raise(agreed);
}

void verify_equal(const Comm& comm, std::span<const double> values, std::string_view what) {
    const std::vector<double> expected = broadcast(comm, std::vector<double>(values.begin(), values.end()));
    const auto fail = [&](const std::string& difference) {
        throw CommError{fmt::format("{}: {} (all ranks must hold the same bits, or they train different models); run "
                                    "the job on one kind of machine and one build of rondo",
                                    what, difference),
                        MPI_ERR_OTHER};
    };
    run_agreed(comm, [&] {
        if (values.size() != expected.size()) {
            fail(fmt::format("{} entries here, {} on rank 0", values.size(), expected.size()));
        }
        for (std::size_t i = 0; i < values.size(); ++i) {
            if (std::bit_cast<std::uint64_t>(values[i]) != std::bit_cast<std::uint64_t>(expected[i])) {
                fail(fmt::format("entry {} is {} here, {} on rank 0", i, number_text(values[i]),
                                 number_text(expected[i])));
            }
        }
    });
}

} // namespace rondo::comm
