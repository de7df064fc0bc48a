#include "spawn.hpp"

#include "descriptor.hpp"

#include <fmt/format.h>

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <optional>
#include <string_view>
#include <thread>
#include <vector>

namespace rondo::expression {
namespace {

using Clock = std::chrono::steady_clock;

/// What the child gets instead of ours: files, signals, process group. Freed at the end of scope.
class Setup {
public:
    explicit Setup(int output) {
        posix_spawn_file_actions_init(&files_);
        posix_spawn_file_actions_addopen(&files_, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
        posix_spawn_file_actions_adddup2(&files_, output, STDOUT_FILENO);
        posix_spawn_file_actions_adddup2(&files_, output, STDERR_FILENO);
#if defined(__GLIBC__) && __GLIBC_PREREQ(2, 34)
        posix_spawn_file_actions_addclosefrom_np(&files_, STDERR_FILENO + 1);
#endif
        posix_spawnattr_init(&attributes_);
        sigset_t none{}, all{};
        sigemptyset(&none);
        sigfillset(&all);
        posix_spawnattr_setsigmask(&attributes_, &none);
        posix_spawnattr_setsigdefault(&attributes_, &all);
        posix_spawnattr_setpgroup(&attributes_, 0);
        posix_spawnattr_setflags(
            &attributes_, static_cast<short>(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP));
    }
    Setup(const Setup&) = delete;
    Setup& operator=(const Setup&) = delete;
    ~Setup() {
        posix_spawn_file_actions_destroy(&files_);
        posix_spawnattr_destroy(&attributes_);
    }

    [[nodiscard]] const posix_spawn_file_actions_t* files() const { return &files_; }
    [[nodiscard]] const posix_spawnattr_t* attributes() const { return &attributes_; }

private:
    posix_spawn_file_actions_t files_{};
    posix_spawnattr_t attributes_{};
};

std::vector<std::string> environment(const std::filesystem::path& scratch) {
    std::vector<std::string> variables{"LC_ALL=C", "TMPDIR=" + scratch.string()};
    for (char** variable = environ; variable != nullptr && *variable != nullptr; ++variable) {
        const std::string_view text{*variable};
        if (!text.starts_with("LC_ALL=") && !text.starts_with("TMPDIR=")) {
            variables.emplace_back(text);
        }
    }
    return variables;
}

std::vector<char*> pointers(std::vector<std::string>& words) {
    std::vector<char*> result;
    result.reserve(words.size() + 1);
    for (std::string& word : words) {
        result.push_back(word.data());
    }
    result.push_back(nullptr);
    return result;
}

/// Collect output until the end of the file or the deadline; what exceeds the limit is read and dropped.
void drain(int from, Clock::time_point deadline, std::string& output) {
    constexpr std::size_t limit = std::size_t{1} << 16U;
    std::array<char, 4096> chunk{};
    for (;;) {
        const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now()).count();
        pollfd ready{.fd = from, .events = POLLIN, .revents = 0};
        const int n_ready = left > 0 ? ::poll(&ready, 1, static_cast<int>(std::min<long long>(left, 60'000))) : 0;
        if (left <= 0 || (n_ready < 0 && errno != EINTR)) {
            return;
        }
        if (n_ready <= 0) {
            continue;
        }
        const auto n = ::read(from, chunk.data(), chunk.size());
        if (n == 0 || (n < 0 && errno != EINTR)) {
            return;
        }
        output.append(chunk.data(),
                      std::min(static_cast<std::size_t>(std::max<decltype(n)>(n, 0)), limit - output.size()));
    }
}

/// The child's status, or nothing where it is not known; kills its group at the deadline.
std::optional<int> wait_for(pid_t child, Clock::time_point deadline, bool& timed_out) {
    auto pause = std::chrono::microseconds{100};
    for (;;) {
        int status = 0;
        const pid_t ended = ::waitpid(child, &status, timed_out ? 0 : WNOHANG);
        if (ended == child) {
            return status;
        }
        if (ended < 0 && errno != EINTR) {
            return std::nullopt;
        }
        if (!timed_out && Clock::now() >= deadline) {
            timed_out = true;
            ::kill(-child, SIGKILL);
        } else if (!timed_out) {
            std::this_thread::sleep_for(pause);
            pause = std::min(2 * pause, std::chrono::microseconds{10'000});
        }
    }
}

std::string explain(std::optional<int> status) {
    if (!status) {
        return "its exit status is not known";
    }
    if (WIFSIGNALED(*status)) {
        return fmt::format("it was ended by signal {}", WTERMSIG(*status));
    }
    return WEXITSTATUS(*status) == 0 ? "" : fmt::format("it returned {}", WEXITSTATUS(*status));
}

} // namespace

Ended run_program(std::span<const std::string> argv, const std::filesystem::path& scratch,
                  std::chrono::milliseconds timeout) {
    Ended ended;
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
        ended.reason = fmt::format("it could not be started ({})", std::strerror(errno));
        return ended;
    }
    const Descriptor from{ends[0]};
    Descriptor to{ends[1]};
    std::vector<std::string> words{argv.begin(), argv.end()};
    std::vector<std::string> variables = environment(scratch);
    const auto deadline = Clock::now() + timeout;
    pid_t child = 0;
    {
        const Setup setup{to.get()};
        const int error = ::posix_spawn(&child, argv[0].c_str(), setup.files(), setup.attributes(),
                                        pointers(words).data(), pointers(variables).data());
        if (error != 0) {
            ended.reason = fmt::format("it could not be started ({})", std::strerror(error));
            return ended;
        }
    }
    to = Descriptor{};
    drain(from.get(), deadline, ended.output);
    const auto status = wait_for(child, deadline, ended.timed_out);
    ended.reason = ended.timed_out
                       ? fmt::format("it was stopped after {:g} s", std::chrono::duration<double>(timeout).count())
                       : explain(status);
    ended.ok = ended.reason.empty();
    return ended;
}

} // namespace rondo::expression
