#include "thread_pool.hpp"

#include <pthread.h>

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
    Barriers& barriers;
};

/// One thread and what it is told. It looks at `job` only after `ticket` has changed, and gets the next
/// ticket only after it has reported: so neither needs a lock.
struct Helper {
    alignas(64) std::atomic<unsigned> ticket{0};
    const Job* job = nullptr; ///< null with a new ticket: the end
    unsigned member = 0;
    std::thread thread;
};

class Crew {
  public:
    Crew() = default;
    ~Crew() {
        for (Helper& helper : helpers_)
            send(helper, nullptr);
        for (Helper& helper : helpers_)
            helper.thread.join();
    }
    Crew(const Crew&) = delete;
    Crew& operator=(const Crew&) = delete;

    void reserve(unsigned count) {
        const std::lock_guard lock(in_use_);
        while (barriers_.size() < std::size_t{count} + 1)
            barriers_.emplace_back();
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
        for (unsigned member = 0; member < members; ++member)
            barriers_[member].set_looks(looks);
        const Job job{body, context, barriers_};
        const unsigned before = reports_.load(std::memory_order_relaxed);
        for (unsigned member = 1; member < members; ++member)
            send(helpers_[member - 1], &job);
        body(context, 0, barriers_);
        for (unsigned seen = before; seen - before < members - 1;)
            seen = wait_for_change(reports_, seen, looks);
        return true;
    }

  private:
    static void send(Helper& helper, const Job* job) noexcept {
        helper.job = job;
        helper.ticket.fetch_add(1); // in one order with who is about to sleep
        helper.ticket.notify_one();
    }

    void serve(Helper& helper) noexcept {
        for (unsigned seen = 0;;) {
            seen = wait_for_change(helper.ticket, seen, looks_.load(std::memory_order_relaxed));
            if (helper.job == nullptr)
                return;
            helper.job->body(helper.job->context, helper.member, helper.job->barriers);
            // The caller may be gone, and the job with it, once this is said.
            reports_.fetch_add(1);
            reports_.notify_one();
        }
    }

    const unsigned processors_ = std::thread::hardware_concurrency(); ///< asking costs a system call
    std::mutex in_use_;                                               ///< by one run, or while the crew grows
    std::deque<Helper> helpers_;
    Barriers barriers_;
    alignas(64) std::atomic<unsigned> reports_{0};
    std::atomic<int> looks_{0};
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
