// Asks a whole-gemm kernel for plans, and looks at its answers; runs none of them.
#pragma once
#include "conformance/check.hpp"
#include "worker/guarded_memory.hpp"

#include <tune_gemm/abi.h>

#include <cstdint>
#include <string>

namespace tune_gemm::host {

struct GemmAnswer {
    tg_status status = TG_OK;
    std::string sentence;     ///< as far as it goes
    bool terminated = true;   ///< the message ends within its room
    std::int64_t refused = 0; ///< allocations that were
};

template <class T>
class GemmAsker {
  public:
    /// The room for messages ends at an inaccessible page.
    explicit GemmAsker(const CheckContext&, std::uint32_t message_room = 256);

    /// Asks for a small product by rows, changed; `what` says how, for a crash note. A plan is released.
    GemmAnswer ask(const char* what, void (*change)(tg_problem&)) { return ask_starving(what, change, 0); }
    /// The same with the allocation of this number, and all after it, refused to prepare.
    GemmAnswer ask_starving(const char* what, void (*change)(tg_problem&), std::int64_t refuse_from);

  private:
    const KernelInfo& kernel_;
    tg_gemm gemm_;
    std::uint32_t room_;
    GuardedMemory message_;
};

} // namespace tune_gemm::host
