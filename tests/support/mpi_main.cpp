// main() of the tests that run on several ranks. Rank 0 prints as GoogleTest does; the others print their failures
// only, marked with their rank. All ranks wait for each other after each test. The exit code is the worst of all
// ranks', and a run without tests is a failure.

#include <gtest/gtest.h>
#include <mpi.h>

#include <cstdio>
#include <cstring>
#include <sstream>
#include <string>

namespace {

struct World {
    int rank = 0;
    int size = 1;
};

/// Keeps the ranks in the same test.
class BarrierAfterTest : public testing::EmptyTestEventListener {
    void OnTestEnd(const testing::TestInfo&) override { MPI_Barrier(MPI_COMM_WORLD); }
};

/// Prints the failures of one rank, each line with its prefix.
class FailurePrinter : public testing::EmptyTestEventListener {
public:
    explicit FailurePrinter(World world) : world_{world} {}

private:
    void OnTestStart(const testing::TestInfo& info) override {
        name_ = std::string{info.test_suite_name()} + "." + info.name();
    }
    void OnTestPartResult(const testing::TestPartResult& result) override {
        if (!result.failed()) {
            return;
        }
        std::istringstream lines{result.message()};
        std::string line, text;
        const std::string prefix = "[Rank " + std::to_string(world_.rank) + "/" + std::to_string(world_.size) + "] ";
        text = prefix + (result.file_name() != nullptr ? result.file_name() : "unknown file") + ":" +
               std::to_string(result.line_number()) + ": Failure in " + name_ + "\n";
        while (std::getline(lines, line)) {
            text += prefix + line + "\n";
        }
        std::fputs(text.c_str(), stdout);
        std::fflush(stdout);
    }

    World world_;
    std::string name_;
};

/// The ranks shuffle alike, and one of them writes the report.
void align_flags(World world) {
    int seed = GTEST_FLAG_GET(random_seed);
    if (GTEST_FLAG_GET(shuffle) && seed == 0) {
        seed = static_cast<int>(MPI_Wtime()) % 99999 + 1;
    }
    MPI_Bcast(&seed, 1, MPI_INT, 0, MPI_COMM_WORLD);
    GTEST_FLAG_SET(random_seed, seed);
    if (world.rank != 0) {
        GTEST_FLAG_SET(output, "");
    }
}

} // namespace

int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    World world;
    MPI_Comm_rank(MPI_COMM_WORLD, &world.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &world.size);
    testing::InitGoogleTest(&argc, argv);
    align_flags(world);

    testing::TestEventListeners& listeners = testing::UnitTest::GetInstance()->listeners();
    if (world.rank != 0) {
        delete listeners.Release(listeners.default_result_printer());
        listeners.Append(new FailurePrinter{world});
    }
    listeners.Append(new BarrierAfterTest);

    const int own = RUN_ALL_TESTS();
    const bool none_ran = testing::UnitTest::GetInstance()->test_to_run_count() == 0 && !GTEST_FLAG_GET(list_tests);
    if (none_ran && world.rank == 0) {
        std::fputs("no test ran: a failure\n", stderr);
    }
    const int mine = none_ran ? 1 : own;
    int worst = mine;
    MPI_Allreduce(&mine, &worst, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    MPI_Finalize();
    return worst;
}
