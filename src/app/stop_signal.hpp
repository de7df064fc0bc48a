#pragma once

namespace rondo::app {

/// From now on SIGTERM, SIGUSR1 and SIGINT only ask the run to stop; a second SIGINT ends the process at once.
void catch_stop_signals();

/// True once one of them has come to this rank.
[[nodiscard]] bool stop_requested() noexcept;

} // namespace rondo::app
