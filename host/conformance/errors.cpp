// errors.: how a whole-gemm kernel says no. A tile has no way to: the host asks it for nothing that it may
// refuse.
#include "conformance/allocation.hpp"
#include "conformance/gemm_asker.hpp"
#include "conformance/subject.hpp"

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace tune_gemm::host {
namespace {

constexpr std::int64_t far = std::int64_t{1} << 33, huge = std::int64_t{1} << 40;

/// A request, told by what is unusual in it.
struct Request {
    const char* what;
    void (*change)(tg_problem&);
};

/// Requests that contradict the contract.
const Request contradictions[] = {
    {"m = -1", [](tg_problem& p) { p.m = -1; }},
    {"n = -1", [](tg_problem& p) { p.n = -1; }},
    {"k = -1", [](tg_problem& p) { p.k = -1; }},
    {"batch = -1", [](tg_problem& p) { p.batch = -1; }},
    {"m = -2^63", [](tg_problem& p) { p.m = std::numeric_limits<std::int64_t>::min(); }},
    {"k = -2^63", [](tg_problem& p) { p.k = std::numeric_limits<std::int64_t>::min(); }},
    {"threads = 0", [](tg_problem& p) { p.threads = 0; }},
    {"alpha = null", [](tg_problem& p) { p.alpha = nullptr; }},
    {"beta = null", [](tg_problem& p) { p.beta = nullptr; }},
    {"a struct that is too small", [](tg_problem& p) { p.struct_size = 16; }},
};

/// Sound requests that not every kernel serves.
const Request sound_requests[] = {
    {"A with both strides above 1", [](tg_problem& p) { p.rs_a = 20, p.cs_a = 2; }},
    {"B with both strides above 1", [](tg_problem& p) { p.rs_b = 2, p.cs_b = 20; }},
    {"C with both strides above 1", [](tg_problem& p) { p.rs_c = 20, p.cs_c = 2; }},
    {"A with a negative row stride", [](tg_problem& p) { p.rs_a = -p.rs_a; }},
    {"C with a negative row stride", [](tg_problem& p) { p.rs_c = -p.rs_c; }},
    {"B with a row stride of 0", [](tg_problem& p) { p.rs_b = 0; }},
    {"A by columns, C by rows", [](tg_problem& p) { p.rs_a = 1, p.cs_a = p.m; }},
    {"C by columns", [](tg_problem& p) { p.rs_c = 1, p.cs_c = p.m; }},
    {"rows of A 2^33 elements apart", [](tg_problem& p) { p.rs_a = far; }},
    {"rows of B 2^33 elements apart", [](tg_problem& p) { p.rs_b = far; }},
    {"rows of C 2^33 elements apart", [](tg_problem& p) { p.rs_c = far; }},
    {"a batch of 3", [](tg_problem& p) { p.batch = 3; }},
    {"a batch of 2^40", [](tg_problem& p) { p.batch = huge, p.bs_a = p.bs_b = 0; }},
    {"no rows", [](tg_problem& p) { p.m = 0; }},
    {"no columns", [](tg_problem& p) { p.n = 0; }},
    {"k = 0", [](tg_problem& p) { p.k = 0; }},
    {"an empty batch", [](tg_problem& p) { p.batch = 0; }},
    {"m = 2^40", [](tg_problem& p) { p.m = huge; }},
    {"n = 2^40", [](tg_problem& p) { p.n = p.rs_b = p.rs_c = huge; }},
    {"k = 2^40", [](tg_problem& p) { p.k = p.rs_a = huge; }},
    {"m, n and k = 2^31", [](tg_problem& p) { p.m = p.n = p.k = p.rs_a = p.rs_b = p.rs_c = huge >> 9; }},
    {"a struct of a later version", [](tg_problem& p) { p.struct_size += 64; }},
};

void only_for_whole_gemm(const CheckContext& context) {
    if (!context.kernel.whole_gemm)
        skip_check("A tile has no status to give: the host asks it for nothing that it may refuse.");
}

template <class T>
void ask_contradictions(const CheckContext& context, Tally& tally) {
    GemmAsker<T> asker(context);
    for (const Request& request : contradictions) {
        const GemmAnswer answer = asker.ask(request.what, request.change);
        if (answer.status != TG_INVALID)
            fail_check(fmt::format("prepare gave status {} to {}, which contradicts the contract; {} "
                                   "(TG_INVALID) is the answer.",
                                   answer.status, request.what, static_cast<int>(TG_INVALID)));
        tally.ran();
    }
}

template <class T>
void ask_sound_requests(const CheckContext& context, Tally& tally) {
    GemmAsker<T> asker(context);
    bool served = asker.ask("a product by rows", [](tg_problem&) {}).status == TG_OK;
    for (const Request& request : sound_requests) {
        const GemmAnswer answer = asker.ask(request.what, request.change);
        served = served || answer.status == TG_OK;
        if (answer.status != TG_OK && answer.status != TG_UNSUPPORTED && answer.status != TG_NO_WORKSPACE)
            fail_check(fmt::format("prepare gave status {} to {}, a sound request; TG_OK, TG_UNSUPPORTED and "
                                   "TG_NO_WORKSPACE (0, 1 and 3) are its answers.",
                                   answer.status, request.what));
        tally.ran();
    }
    if (!served)
        fail_check("The kernel refuses every request that was made of it.");
}

template <class T>
void ask_for_sentences(const CheckContext& context, Tally& tally) {
    for (const std::uint32_t room : {256u, 1000u}) {
        GemmAsker<T> asker(context, room);
        for (const auto& requests :
             {std::span<const Request>(contradictions), std::span<const Request>(sound_requests)})
            for (const Request& request : requests) {
                const GemmAnswer answer = asker.ask(request.what, request.change);
                if (!answer.terminated)
                    fail_check(fmt::format(
                        "prepare left a message without an end in the {} bytes that it had, for {}.", room,
                        request.what));
                if (answer.status != TG_OK && answer.sentence.empty())
                    fail_check(fmt::format("prepare refused {} with status {} and gave no sentence.",
                                           request.what, answer.status));
                tally.ran();
            }
    }
}

/// Refuses each allocation of prepare in turn, with all after it.
template <class T>
void starve(const CheckContext& context, Tally& tally) {
    constexpr std::int64_t most = 200;
    GemmAsker<T> asker(context);
    const auto plain = [](tg_problem&) {};
    if (const GemmAnswer answer = asker.ask("a product by rows", plain); answer.status != TG_OK)
        skip_check(fmt::format("The kernel refuses the product that would be planned: {}", answer.sentence));
    std::int64_t refused = 0;
    for (std::int64_t number = 1; number <= most; ++number) {
        const GemmAnswer answer = asker.ask_starving("a product by rows", plain, number);
        tally.ran();
        if (answer.refused == 0)
            break; // prepare makes fewer allocations than that
        refused += answer.refused;
        if (answer.status == TG_INVALID || answer.status == TG_UNSUPPORTED)
            fail_check(
                fmt::format("prepare gave status {} when allocation {} was refused; TG_NO_WORKSPACE (3) "
                            "says that memory could not be had.",
                            answer.status, number));
    }
    if (refused == 0)
        skip_check("prepare allocates nothing.");
    if (const GemmAnswer answer = asker.ask("a product by rows", plain); answer.status != TG_OK)
        fail_check(
            fmt::format("After allocations had been refused, prepare gave status {} with memory there again.",
                        answer.status));
}

void check_invalid(const CheckContext& context, Tally& tally) {
    only_for_whole_gemm(context);
    with_type(context, [&](auto zero) { ask_contradictions<decltype(zero)>(context, tally); });
}
void check_sound(const CheckContext& context, Tally& tally) {
    only_for_whole_gemm(context);
    with_type(context, [&](auto zero) { ask_sound_requests<decltype(zero)>(context, tally); });
}
void check_sentences(const CheckContext& context, Tally& tally) {
    only_for_whole_gemm(context);
    with_type(context, [&](auto zero) { ask_for_sentences<decltype(zero)>(context, tally); });
}
void check_no_memory(const CheckContext& context, Tally& tally) {
    only_for_whole_gemm(context);
    if (const char* reason = no_allocation_count())
        skip_check(reason);
    with_type(context, [&](auto zero) { starve<decltype(zero)>(context, tally); });
}

using std::chrono::seconds;

const Check errors_table[] = {
    {"errors.invalid", "A request that contradicts the contract is answered with TG_INVALID.", Severity::must,
     Scope::tile, seconds(5), check_invalid},
    {"errors.sound", "A sound request is planned, or refused with TG_UNSUPPORTED or TG_NO_WORKSPACE.",
     Severity::must, Scope::tile, seconds(5), check_sound},
    {"errors.sentence", "A refusal comes with a sentence that fits the room it is given.", Severity::must,
     Scope::tile, seconds(5), check_sentences},
    {"errors.no_memory", "When memory cannot be had, prepare says so, and works again when it can.",
     Severity::must, Scope::tile, seconds(5), check_no_memory},
};

} // namespace

std::span<const Check> errors_checks() noexcept {
    return errors_table;
}

} // namespace tune_gemm::host
