// A rank throws what the others do not know of: the program has to end, with its message. Run by ctest on three ranks.
//   lonely_throw abort   main catches, says so and aborts, as rondo's own main does
//   lonely_throw return  main catches outside of the Environment and returns: no rank may wait in MPI_Finalize
//   lonely_throw agreed  the ranks agree: everyone leaves by the normal way

#include <rondo/base/error.hpp>
#include <rondo/comm/agree.hpp>
#include <rondo/comm/collective.hpp>
#include <rondo/comm/environment.hpp>

#include <cstdio>
#include <string_view>

namespace {

using namespace rondo;

void fail_on_rank_1(const comm::Comm& world) {
    if (world.rank() == 1) {
        throw StoreError{"rank 1 fails"};
    }
}

void run(std::string_view mode) {
    const comm::Environment environment;
    try {
        const comm::Comm world = comm::Comm::world();
        if (mode == "agreed") {
            comm::run_agreed(world, [&] { fail_on_rank_1(world); });
        }
        fail_on_rank_1(world);
        comm::barrier(world);
    } catch (const Error& error) {
        if (mode == "abort") {
            std::fprintf(stderr, "aborted: %s\n", error.what());
            comm::abort_all(error.exit_code());
        }
        if (mode == "return") {
            throw;
        }
        std::fprintf(stderr, "agreed: %s\n", error.what());
    }
}

} // namespace

int main(int argc, char** argv) {
    try {
        run(argc > 1 ? argv[1] : "");
    } catch (const Error& error) {
        std::fprintf(stderr, "returned: %s\n", error.what());
        return error.exit_code();
    }
    return 0;
}
