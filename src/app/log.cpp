#include "log.hpp"

#include <fmt/format.h>
#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>

#include <cstdlib>
#include <memory>

namespace rondo::app {

void set_up_log(const comm::Comm& comm, Verbosity verbosity) {
    auto sink = std::make_shared<spdlog::sinks::stderr_color_sink_mt>();
    if (const char* no_color = std::getenv("NO_COLOR"); no_color != nullptr && *no_color != '\0') {
        sink->set_color_mode(spdlog::color_mode::never);
    }
    auto logger = std::make_shared<spdlog::logger>("rondo", std::move(sink));
    const std::string who = comm.rank() == 0 ? std::string{} : fmt::format("[{}/{}] ", comm.rank(), comm.size());
    logger->set_pattern(fmt::format("%H:%M:%S %^%-5l%$ {}%v", who));
    const bool speaks = comm.rank() == 0 && verbosity != Verbosity::quiet;
    logger->set_level(speaks ? (verbosity == Verbosity::verbose ? spdlog::level::debug : spdlog::level::info)
                             : spdlog::level::warn);
    spdlog::set_default_logger(std::move(logger));
}

} // namespace rondo::app
