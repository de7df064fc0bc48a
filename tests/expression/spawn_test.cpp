#include "expression/spawn.hpp"

#include "support.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>

namespace rondo::expression {
namespace {

using namespace std::chrono_literals;

Ended run_shell(const std::string& command, std::chrono::milliseconds timeout = 20s) {
    const ScratchDirectory scratch;
    const std::vector<std::string> argv{"/bin/sh", "-c", command};
    return run_program(argv, scratch.path(), timeout);
}

TEST(RunProgram, gives_both_outputs) {
    const Ended ended = run_shell("echo out; echo err >&2");
    EXPECT_TRUE(ended.ok);
    EXPECT_EQ(ended.output, "out\nerr\n");
    EXPECT_EQ(ended.reason, "");
}

TEST(RunProgram, gives_no_input) { EXPECT_EQ(run_shell("cat; echo end").output, "end\n"); }

TEST(RunProgram, says_the_status) {
    const Ended ended = run_shell("exit 3");
    EXPECT_FALSE(ended.ok);
    EXPECT_EQ(ended.reason, "it returned 3");
}

TEST(RunProgram, says_the_signal) { EXPECT_EQ(run_shell("kill -9 $$").reason, "it was ended by signal 9"); }

TEST(RunProgram, says_what_cannot_be_started) {
    const ScratchDirectory scratch;
    const std::vector<std::string> argv{(scratch.path() / "nothing").string()};
    const Ended ended = run_program(argv, scratch.path(), 1s);
    EXPECT_FALSE(ended.ok);
    EXPECT_EQ(ended.reason, "it could not be started (No such file or directory)");
}

TEST(RunProgram, stops_a_program_and_its_children_at_the_time_limit) {
    const auto start = std::chrono::steady_clock::now();
    const Ended ended = run_shell("sleep 60 & sleep 60; echo never", 200ms);
    EXPECT_TRUE(ended.timed_out);
    EXPECT_FALSE(ended.ok);
    EXPECT_EQ(ended.reason, "it was stopped after 0.2 s");
    EXPECT_LT(std::chrono::steady_clock::now() - start, 20s);
}

TEST(RunProgram, keeps_the_first_64_kilobytes_of_output) {
    const Ended ended =
        run_shell("i=0; while [ $i -lt 3000 ]; do echo 0123456789012345678901234567890123456789; i=$((i+1)); done");
    EXPECT_TRUE(ended.ok);
    EXPECT_EQ(ended.output.size(), 65536U);
}

TEST(RunProgram, signals_blocked_here_are_not_blocked_there) {
    sigset_t blocked{}, before{};
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &blocked, &before);
    const Ended ended = run_shell("kill -TERM $$; echo alive");
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    EXPECT_EQ(ended.reason, "it was ended by signal 15");
}

TEST(RunProgram, temporary_files_go_to_the_scratch_directory_and_messages_are_english) {
    const ScratchDirectory scratch;
    const std::vector<std::string> argv{"/bin/sh", "-c", "echo $TMPDIR $LC_ALL"};
    EXPECT_EQ(run_program(argv, scratch.path(), 20s).output, scratch.path().string() + " C\n");
}

} // namespace
} // namespace rondo::expression
