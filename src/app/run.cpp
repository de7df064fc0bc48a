#include <rondo/app/run.hpp>

#include "arguments.hpp"
#include "commands.hpp"
#include "log.hpp"

#include <rondo/base/error.hpp>
#include <rondo/comm/agree.hpp>
#include <rondo/comm/environment.hpp>

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <cstdio>
#include <exception>
#include <optional>

namespace rondo::app {
namespace {

int run_command(const comm::Comm& comm, const Arguments& arguments) {
    switch (arguments.command) {
    case Command::train:
        return train(comm, arguments);
    case Command::evaluate:
        return evaluate(comm, arguments);
    case Command::simulate:
        return simulate(comm, arguments);
    case Command::gradient:
        return gradient(comm, arguments);
    case Command::check:
        return check(comm, arguments);
    case Command::inspect:
        return inspect(comm, arguments);
    }
    return 70;
}

/// An error all ranks threw alike is said once, by rank 0, and the program ends in order; one that this rank alone met
/// is said by this rank, and ends all ranks at once.
int end_with(const comm::Comm& comm, const std::string& text, int code, bool agreed) {
    if (comm.rank() == 0 || !agreed) {
        spdlog::error("{}", text);
    }
    spdlog::shutdown();
    std::fflush(nullptr);
    if (!agreed && comm.size() > 1) {
        comm::abort_all(code);
    }
    return code;
}

int run_and_report(const comm::Comm& comm, const Arguments& arguments) {
    try {
        return run_command(comm, arguments);
    } catch (const Error& error) {
        return end_with(comm, error.what(), error.exit_code(), comm::is_agreed(error));
    } catch (const std::bad_alloc&) {
        return end_with(
            comm,
            "memory: there is not enough of it on this machine; use more ranks on more machines, or a smaller batch",
            70, false);
    } catch (const std::exception& error) {
        return end_with(
            comm, fmt::format("unexpected: {} (a bug in rondo); please report it with the job file", error.what()), 70,
            false);
    }
}

} // namespace

int run(const std::vector<std::string>& given) {
    const Parsed parsed = parse_arguments(given);
    std::optional<comm::Environment> environment;
    try {
        environment.emplace();
        const comm::Comm comm = comm::Comm::world();
        if (parsed.ends) {
            if (comm.rank() == 0) {
                std::fputs(parsed.text.c_str(), parsed.exit_code == 0 ? stdout : stderr);
            }
            return parsed.exit_code;
        }
        set_up_log(comm, parsed.arguments.verbosity);
        return run_and_report(comm, parsed.arguments);
    } catch (const Error& error) {
        fmt::print(stderr, "{}\n", error.what());
        return error.exit_code();
    }
}

} // namespace rondo::app
