// Where the helpers run.
#include "thread_pool.hpp"
#include "waiting.hpp"

#include <doctest/doctest.h>

#if defined(__linux__)
#include <sched.h>

#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

using namespace tune_gemm;

namespace {

bool stay_on(int processor) {
    cpu_set_t only;
    CPU_ZERO(&only);
    CPU_SET(processor, &only);
    return sched_setaffinity(0, sizeof only, &only) == 0;
}

/// Keeps processors busy as long as it lives.
class Busy {
  public:
    void on(int processor) {
        threads_.emplace_back([this, processor] {
            stay_on(processor);
            while (!enough_)
                relax();
        });
    }
    ~Busy() { enough_ = true; }

  private:
    std::atomic<bool> enough_{false};
    std::vector<std::jthread> threads_; // joined first
};

/// The processor on which the helper meets its caller; -1 when there was no run.
int meet_helper() {
    std::atomic<int> processor{-1};
    const pool::Body meet = [](const void* context, unsigned member, int) noexcept {
        auto& where = *static_cast<std::atomic<int>*>(const_cast<void*>(context));
        if (member == 1)
            where = sched_getcpu();
        while (where < 0)
            std::this_thread::yield();
    };
    return pool::run(2, meet, &processor) ? processor.load() : -1;
}

} // namespace

TEST_CASE("threads: a helper that wakes on the processor of its caller leaves it") {
    cpu_set_t usable;
    REQUIRE(sched_getaffinity(0, sizeof usable, &usable) == 0);
    if (const int processors = CPU_COUNT(&usable); processors < 2 || processors > 16) {
        MESSAGE("skipped: 2 to 16 processors can all be kept busy, here there are " << processors);
        return;
    }
    pool::reserve(1);
    constexpr int runs = 20;
    int apart = 0;
    for (int run = 0; run < runs; ++run) {
        // This thread goes where the helper was, and all others are busy when it wakes there again.
        const int shared = meet_helper();
        REQUIRE(shared >= 0);
        REQUIRE(stay_on(shared));
        Busy others;
        for (int processor = 0; processor < CPU_SETSIZE; ++processor)
            if (processor != shared && CPU_ISSET(processor, &usable))
                others.on(processor);
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
        const int met = meet_helper();
        apart += met >= 0 && met != shared;
        REQUIRE(sched_setaffinity(0, sizeof usable, &usable) == 0);
    }
    CHECK(apart > runs / 2); // the system may still move it back now and then
}
#endif
