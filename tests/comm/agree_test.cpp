#include <rondo/base/error.hpp>
#include <rondo/comm/agree.hpp>
#include <rondo/comm/collective.hpp>

#include "world.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>
#include <memory>
#include <stdexcept>
#include <vector>

namespace rondo::comm {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

class RunAgreed : public testing::Test {
protected:
    const Comm comm = Comm::world();

    [[nodiscard]] std::string prefix(int rank) const {
        return comm.size() == 1 ? "" : "[rank " + std::to_string(rank) + " of " + std::to_string(comm.size()) + "] ";
    }
    void expect_in_step() const {
        EXPECT_EQ(broadcast(comm, std::string{comm.rank() == 0 ? "in step" : ""}), "in step");
    }
};

TEST_F(RunAgreed, returns_what_work_returned) {
    EXPECT_EQ(run_agreed(comm, [&] { return comm.rank() * 2; }), comm.rank() * 2);
    const std::unique_ptr<int> moved = run_agreed(comm, [] { return std::make_unique<int>(7); });
    EXPECT_EQ(*moved, 7);
    bool ran = false;
    run_agreed(comm, [&] { ran = true; });
    EXPECT_TRUE(ran);
}

TEST_F(RunAgreed, all_ranks_throw_what_one_rank_threw) {
    for (int bad = 0; bad < comm.size(); ++bad) {
        const auto run = [&](auto make_error) {
            return [this, bad, make_error] {
                run_agreed(comm, [&] {
                    if (comm.rank() == bad) {
                        throw make_error();
                    }
                    return 1;
                });
            };
        };
        EXPECT_EQ(message_of<InputError>(run([] { return InputError{"job.toml: wrong"}; })),
                  prefix(bad) + "job.toml: wrong");
        EXPECT_EQ(message_of<SolveError>(run([] { return SolveError{"stiff"}; })), prefix(bad) + "stiff");
        EXPECT_EQ(message_of<StoreError>(run([] { return StoreError{"no file"}; })), prefix(bad) + "no file");
        EXPECT_EQ(message_of<ContractError>(run([] {
                      return ContractError{"a bug", "f.cpp", 3};
                  })),
                  prefix(bad) + "a bug");
        EXPECT_THAT(message_of<ContractError>(run([] { return std::out_of_range{"index 9"}; })),
                    AllOf(StartsWith(prefix(bad) + "index 9"), HasSubstr("bug in rondo")));
        EXPECT_THAT(message_of<ContractError>(run([] { return 42; })),
                    StartsWith(prefix(bad) + "something that is no std::exception"));
        try {
            run([] { return CommError{"lost", 17}; })();
            ADD_FAILURE() << "no exception";
        } catch (const CommError& error) {
            EXPECT_EQ(error.what(), prefix(bad) + "lost");
            EXPECT_EQ(error.code, 17);
        }
        expect_in_step();
    }
}

TEST_F(RunAgreed, the_first_of_several_failing_ranks_speaks) {
    const std::string text = message_of<StoreError>([&] {
        run_agreed(comm, [&] {
            if (comm.rank() >= 1) {
                throw StoreError{"rank " + std::to_string(comm.rank())};
            }
            if (comm.size() == 1) {
                throw StoreError{"alone"};
            }
        });
    });
    EXPECT_EQ(text, comm.size() == 1 ? "alone" : prefix(1) + "rank 1");
}

TEST_F(RunAgreed, a_failure_of_all_ranks_alike_needs_no_rank) {
    EXPECT_EQ(message_of<InputError>([&] { run_agreed(comm, [] { throw InputError{"job.toml: wrong"}; }); }),
              "job.toml: wrong");
    EXPECT_THAT(message_of<ContractError>([&] { run_agreed(comm, [] { throw std::bad_alloc{}; }); }),
                AllOf(HasSubstr("bad_alloc"), HasSubstr("memory"), testing::Not(StartsWith("[rank"))));
}

TEST_F(RunAgreed, the_same_text_of_another_kind_is_not_alike) {
    const std::string text = message_of<InputError>([&] {
        run_agreed(comm, [&] {
            if (comm.rank() == 0) {
                throw InputError{"same"};
            }
            throw StoreError{"same"};
        });
    });
    EXPECT_EQ(text, prefix(0) + "same");
}

TEST_F(RunAgreed, its_errors_are_known_as_those_of_all_ranks) {
    try {
        run_agreed(comm, [] { throw StoreError{"no file"}; });
        ADD_FAILURE() << "no exception";
    } catch (const StoreError& error) {
        EXPECT_TRUE(is_agreed(error));
    }
    EXPECT_FALSE(is_agreed(StoreError{"of one rank"}));
}

class VerifyEqual : public RunAgreed {};

TEST_F(VerifyEqual, accepts_the_same_bits) {
    verify_equal(comm, {}, "nothing");
    verify_equal(comm, std::vector<double>{1.0, std::numeric_limits<double>::quiet_NaN(), -0.0}, "parameters");
}

TEST_F(VerifyEqual, names_the_first_rank_and_entry_that_differ) {
    if (comm.size() == 1) {
        GTEST_SKIP() << "one rank cannot differ";
    }
    std::vector<double> values{1.0, 2.0, 3.0};
    if (comm.rank() >= 1) {
        values[2] = std::nextafter(3.0, 4.0 + comm.rank());
    }
    EXPECT_THAT(message_of<CommError>([&] { verify_equal(comm, values, "parameters"); }),
                StartsWith(prefix(1) + "parameters: entry 2 is 3.0000000000000004 here, 3 on rank 0 (all ranks must"));
    expect_in_step();
}

TEST_F(VerifyEqual, tells_minus_zero_and_lengths_apart) {
    if (comm.size() == 1) {
        GTEST_SKIP() << "one rank cannot differ";
    }
    const int last = comm.size() - 1;
    const std::vector<double> zero{comm.rank() == last ? -0.0 : 0.0};
    EXPECT_THAT(message_of<CommError>([&] { verify_equal(comm, zero, "rates"); }),
                StartsWith(prefix(last) + "rates: entry 0 is -0 here, 0 on rank 0"));
    const std::vector<double> longer(comm.rank() == last ? 4U : 3U);
    EXPECT_THAT(message_of<CommError>([&] { verify_equal(comm, longer, "rates"); }),
                StartsWith(prefix(last) + "rates: 4 entries here, 3 on rank 0"));
}

} // namespace
} // namespace rondo::comm
