#include "thread_pool.hpp"

#include "waiting.hpp"

#include <pthread.h>
#if defined(__linux__)
#include <sched.h>
#endif

#include <atomic>
#include <cstddef>
#include <deque>
#include <mutex>
#include <system_error>
#include <thread>

namespace tune_gemm::pool {
namespace {

/// What all members of a run do.
struct Job {
    Body body;
    const void* context;
    int looks;
};

/// offered by the caller, taken by the helper, which makes it idle again; idle also by the caller, when it
/// takes back what was offered.
enum State : unsigned { idle, offered, taken, ended };

constexpr int no_processor = -1;

/// Where this thread runs just now.
int own_processor() noexcept {
#if defined(__linux__)
    return sched_getcpu();
#else
    return no_processor;
#endif
}

/// Goes to another of the processors that this thread may use, if there is one. The system wakes a thread
/// where it was last, and leaves it there when all others are busy at that moment; a helper that is then kept
/// busy can share its caller's processor for seconds, though another has become idle.
void leave_processor([[maybe_unused]] int processor) noexcept {
#if defined(__linux__)
    cpu_set_t usable;
    if (sched_getaffinity(0, sizeof usable, &usable) != 0 || processor >= CPU_SETSIZE)
        return;
    cpu_set_t others = usable;
    CPU_CLR(processor, &others);
    if (CPU_COUNT(&others) > 0 && sched_setaffinity(0, sizeof others, &others) == 0)
        sched_setaffinity(0, sizeof usable, &usable); // it moved at once, and may be moved as before
#endif
}

/// One thread and what it is told. It reads `job` only after it has taken it.
struct Helper {
    alignas(64) std::atomic<unsigned> state{idle};
    const Job* job = nullptr;
    unsigned member = 0;
    std::thread thread;
};

class Crew {
  public:
    Crew() = default;
    ~Crew() {
        for (Helper& helper : helpers_)
            tell(helper, ended);
        for (Helper& helper : helpers_)
            helper.thread.join();
    }
    Crew(const Crew&) = delete;
    Crew& operator=(const Crew&) = delete;

    void reserve(unsigned count) {
        const std::lock_guard lock(in_use_);
        while (helpers_.size() < count) {
            Helper& helper = helpers_.emplace_back();
            helper.member = static_cast<unsigned>(helpers_.size());
            try {
                helper.thread = std::thread([this, &helper] { serve(helper); });
            } catch (const std::system_error&) {
                helpers_.pop_back();
                return;
            }
        }
    }

    bool run(unsigned members, Body body, const void* context) noexcept {
        const std::unique_lock lock(in_use_, std::try_to_lock);
        if (!lock.owns_lock() || helpers_.size() + 1 < members)
            return false;
        // More threads than processors: who looks keeps others from working.
        const int looks = members > processors_ ? 0 : looks_before_sleep;
        looks_.store(looks, std::memory_order_relaxed);
        processor_.store(looks > 0 ? own_processor() : no_processor, std::memory_order_relaxed);
        const Job job{body, context, looks};
        for (unsigned member = 1; member < members; ++member) {
            helpers_[member - 1].job = &job;
            tell(helpers_[member - 1], offered);
        }
        body(context, 0, looks);
        for (unsigned member = 1; member < members; ++member)
            finish(helpers_[member - 1], looks);
        return true;
    }

  private:
    static void tell(Helper& helper, State state) noexcept {
        helper.state.store(state); // in one order with who is about to sleep
        helper.state.notify_one();
    }

    /// Takes back what was not begun, and waits for what was.
    static void finish(Helper& helper, int looks) noexcept {
        unsigned state = offered;
        if (helper.state.compare_exchange_strong(state, idle))
            return;
        while (state == taken)
            state = wait_for_change(helper.state, taken, looks);
    }

    void serve(Helper& helper) noexcept {
        for (;;) {
            wait_for_change(helper.state, idle, looks_.load(std::memory_order_relaxed));
            if (const int callers = processor_.load(std::memory_order_relaxed);
                callers != no_processor && callers == own_processor())
                leave_processor(callers);
            unsigned state = offered;
            if (!helper.state.compare_exchange_strong(state, taken)) {
                if (state == ended)
                    return;
                continue; // taken back meanwhile
            }
            helper.job->body(helper.job->context, helper.member, helper.job->looks);
            // The caller may be gone, and the job with it, once this is said.
            tell(helper, idle);
        }
    }

    const unsigned processors_ = std::thread::hardware_concurrency(); ///< asking costs a system call
    std::mutex in_use_;                                               ///< by one run, or while the crew grows
    std::deque<Helper> helpers_;
    std::atomic<int> looks_{0};
    std::atomic<int> processor_{no_processor}; ///< of the last caller
};

std::atomic<Crew*> current{nullptr};
/// The crew of the process that this one was forked from: its threads are not here. Kept, for its memory may
/// be in any state.
std::atomic<Crew*> left_behind{nullptr};

void after_fork_in_child() {
    if (Crew* const crew = current.exchange(nullptr))
        left_behind.store(crew);
}

/// Ends the threads with the process or the library.
struct AtEnd {
    ~AtEnd() { delete current.exchange(nullptr); }
};

Crew& crew() {
    if (Crew* const there = current.load(std::memory_order_acquire))
        return *there;
    static const AtEnd at_end;
    [[maybe_unused]] static const int registered = pthread_atfork(nullptr, nullptr, after_fork_in_child);
    Crew* const fresh = new Crew;
    Crew* other = nullptr;
    if (current.compare_exchange_strong(other, fresh, std::memory_order_acq_rel))
        return *fresh;
    delete fresh;
    return *other;
}

} // namespace

void reserve(unsigned helpers) {
    if (helpers > 0)
        crew().reserve(helpers);
}

bool run(unsigned members, Body body, const void* context) noexcept {
    // Without a crew nothing was reserved, or this is a child of the process that did.
    Crew* const there = current.load(std::memory_order_acquire);
    return there != nullptr && there->run(members, body, context);
}

} // namespace tune_gemm::pool
