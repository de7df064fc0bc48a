#include "stop_signal.hpp"

#include <csignal>
#include <initializer_list>

namespace rondo::app {
namespace {

volatile std::sig_atomic_t asked = 0;

extern "C" void on_stop_signal(int number) {
    if (asked != 0 && number == SIGINT) {
        std::signal(SIGINT, SIG_DFL);
        std::raise(SIGINT);
    }
    asked = 1;
}

} // namespace

void catch_stop_signals() {
    for (const int number : {SIGTERM, SIGUSR1, SIGINT}) {
        struct sigaction action {};
        action.sa_handler = on_stop_signal;
        action.sa_flags = SA_RESTART;
        sigaction(number, &action, nullptr);
    }
}

bool stop_requested() noexcept { return asked != 0; }

} // namespace rondo::app
