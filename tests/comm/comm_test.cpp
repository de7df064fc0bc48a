#include <rondo/base/error.hpp>
#include <rondo/comm/comm.hpp>
#include <rondo/comm/environment.hpp>

#include "comm/native.hpp"
#include "world.hpp"

#include <gmock/gmock.h>

#include <stdexcept>
#include <utility>

namespace rondo::comm {
namespace {

using testing::AllOf;
using testing::HasSubstr;

TEST(Comm, world_has_the_ranks_of_mpi) {
    int rank = -1, size = -1;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    const Comm world = Comm::world();
    EXPECT_EQ(world.rank(), rank);
    EXPECT_EQ(world.size(), size);
}

TEST(Comm, world_is_a_duplicate) {
    const Comm a = Comm::world(), b = Comm::world();
    int relation = MPI_IDENT;
    MPI_Comm_compare(a.native()->handle.get(), b.native()->handle.get(), &relation);
    EXPECT_EQ(relation, MPI_CONGRUENT);
    MPI_Comm_compare(a.native()->handle.get(), MPI_COMM_WORLD, &relation);
    EXPECT_EQ(relation, MPI_CONGRUENT);
}

TEST(Comm, self_is_one_rank_without_mpi) {
    const Comm self = Comm::self();
    EXPECT_EQ(self.rank(), 0);
    EXPECT_EQ(self.size(), 1);
    EXPECT_EQ(self.native(), nullptr);
}

TEST(Comm, moves) {
    Comm a = Comm::world();
    const MPI_Comm handle = a.native()->handle.get();
    Comm b = std::move(a);
    EXPECT_EQ(b.native()->handle.get(), handle);
    Comm c = Comm::self();
    c = std::move(b);
    EXPECT_EQ(c.native()->handle.get(), handle);
}

int freed = 0;
int count_freed(MPI_Comm, int, void*, void*) { return ++freed, MPI_SUCCESS; }

/// Count in `freed` when MPI frees the communicator.
MPI_Comm watch(const Comm& comm, int key) {
    const MPI_Comm handle = comm.native()->handle.get();
    MPI_Comm_set_attr(handle, key, nullptr);
    return handle;
}

TEST(Comm, is_freed_once_but_left_to_mpi_while_an_exception_unwinds) {
    int key = MPI_KEYVAL_INVALID;
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, count_freed, &key, nullptr);
    freed = 0;
    {
        Comm world = Comm::world();
        watch(world, key);
        const Comm moved = std::move(world);
    }
    EXPECT_EQ(freed, 1);

    MPI_Comm left = MPI_COMM_NULL;
    try {
        const Comm world = Comm::world();
        left = watch(world, key);
        throw std::runtime_error{"unwinds"};
    } catch (const std::runtime_error&) {
    }
    EXPECT_EQ(freed, 1);
    MPI_Comm_free(&left);
    MPI_Comm_free_keyval(&key);
}

TEST(Comm, a_failure_of_mpi_names_the_function_and_mpis_text) {
    const Comm world = Comm::world();
    int code = 0;
    const std::string text = message_of<CommError>([&] {
        try {
            int value = 0;
            check(MPI_Bcast(&value, 1, MPI_INT, world.size(), world.native()->handle.get()), "MPI_Bcast");
        } catch (const CommError& error) {
            code = error.code;
            throw;
        }
    });
    EXPECT_THAT(text, AllOf(HasSubstr("MPI_Bcast: "), HasSubstr("MPI_ERR_ROOT"), HasSubstr("MPI error ")));
    int kind = MPI_SUCCESS;
    MPI_Error_class(code, &kind);
    EXPECT_EQ(kind, MPI_ERR_ROOT);
}

TEST(Environment, leaves_an_mpi_that_others_started_alone) {
    { const Environment environment; }
    EXPECT_TRUE(is_running());
}

TEST(Environment, library_version_is_one_line) {
    const std::string text = library_version();
    EXPECT_GT(text.size(), 3U);
    EXPECT_EQ(text.find_first_of("\r\n"), std::string::npos);
}

} // namespace
} // namespace rondo::comm
