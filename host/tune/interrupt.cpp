#include "tune/interrupt.hpp"

#include <atomic>
#include <csignal>

#include <unistd.h>

namespace tune_gemm::host {
namespace {

std::atomic<int> signals_seen{0};
static_assert(std::atomic<int>::is_always_lock_free, "used in a signal handler");

struct sigaction before_interrupt, before_terminate;

void count_signal(int) {
    if (signals_seen.fetch_add(1) > 0)
        _exit(130);
}

} // namespace

InterruptGuard::InterruptGuard() {
    signals_seen = 0;
    struct sigaction action {};
    action.sa_handler = count_signal;
    sigemptyset(&action.sa_mask);
    // Calls that were interrupted go on: the request is looked at between two measurements.
    action.sa_flags = SA_RESTART;
    sigaction(SIGINT, &action, &before_interrupt);
    sigaction(SIGTERM, &action, &before_terminate);
}

InterruptGuard::~InterruptGuard() {
    sigaction(SIGINT, &before_interrupt, nullptr);
    sigaction(SIGTERM, &before_terminate, nullptr);
}

bool InterruptGuard::interrupted() noexcept {
    return signals_seen > 0;
}

} // namespace tune_gemm::host
