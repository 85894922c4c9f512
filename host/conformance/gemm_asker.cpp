#include "conformance/gemm_asker.hpp"

#include "conformance/allocation.hpp"
#include "conformance/descriptor.hpp"
#include "worker/crash_note.hpp"

#include <algorithm>
#include <array>
#include <cstring>

namespace tune_gemm::host {
namespace {

std::size_t write_asked(const void* what, char* out, std::size_t room) noexcept {
    const auto* text = static_cast<const char*>(what);
    const std::size_t used = std::min(room, std::strlen(text));
    std::memcpy(out, text, used);
    return used;
}

} // namespace

template <class T>
GemmAsker<T>::GemmAsker(const CheckContext& context, std::uint32_t message_room)
    : kernel_(context.kernel), gemm_(read_descriptor(read_descriptor(context.kernel.kernel).gemm)),
      room_(message_room), message_("the message", message_room, GuardedMemory::Rights::read_write, 8) {}

template <class T>
GemmAnswer GemmAsker<T>::ask_starving(const char* what, void (*change)(tg_problem&),
                                      std::int64_t refuse_from) {
    const T alpha = 1, beta = 0;
    struct { // the room that a struct of a later version takes
        tg_problem problem;
        std::array<std::byte, 64> later;
    } asked{};
    tg_problem& problem = asked.problem;
    problem.struct_size = sizeof problem;
    problem.threads = 1;
    problem.m = 7, problem.n = 9, problem.k = 5, problem.batch = 1;
    problem.rs_a = problem.k, problem.rs_b = problem.rs_c = problem.n;
    problem.cs_a = problem.cs_b = problem.cs_c = 1;
    problem.bs_a = problem.m * problem.k, problem.bs_b = problem.k * problem.n;
    problem.bs_c = problem.m * problem.n;
    problem.alpha = &alpha, problem.beta = &beta;
    change(problem);

    const GuardedBlock block = message_.place(room_, {Placement::flush_end, 1});
    std::memset(block.own, 'x', room_);
    block.own[0] = std::byte{0};
    tg_error error{sizeof(tg_error), room_, reinterpret_cast<char*>(block.seen)};
    void* plan = nullptr;
    std::uint64_t bytes = 0;
    GemmAnswer answer;
    set_call_note({write_asked, what});
    {
        AllocationWatch watch;
        watch.refuse_from(refuse_from);
        answer.status = gemm_.prepare(kernel_.kernel, &problem, &plan, &bytes, &error);
        answer.refused = watch.refused();
    }
    if (answer.status == TG_OK)
        gemm_.release(kernel_.kernel, plan);
    set_call_note({});
    const auto* text = reinterpret_cast<const char*>(block.own);
    const auto* end = static_cast<const char*>(std::memchr(text, 0, room_));
    answer.terminated = end != nullptr;
    answer.sentence.assign(text, answer.terminated ? static_cast<std::size_t>(end - text) : room_);
    message_.restore();
    return answer;
}

template class GemmAsker<float>;
template class GemmAsker<double>;

} // namespace tune_gemm::host
