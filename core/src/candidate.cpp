#include "text.hpp"

#include <tune_gemm/candidate.hpp>
#include <tune_gemm/checked.hpp>
#include <tune_gemm/error.hpp>

#include <fmt/format.h>

#include <array>
#include <optional>

namespace tune_gemm {
namespace {

constexpr std::array packings{Packing::none, Packing::a, Packing::b, Packing::ab};
constexpr std::array loop_orders{LoopOrder::m_n_k, LoopOrder::n_k_m, LoopOrder::own};
constexpr std::array allocation_modes{AllocationMode::fresh,       AllocationMode::reuse_output,
                                      AllocationMode::workspace,   AllocationMode::prepacked_a,
                                      AllocationMode::prepacked_b, AllocationMode::prepacked_ab};
constexpr std::string_view id_pattern = "mcxncxkc:mrxnr:microkernel_id:loop_order:packing:allocation:timing";

template <class Enum, std::size_t count>
Enum parse_enum(std::string_view field, std::string_view given, const std::array<Enum, count>& values) {
    std::string allowed;
    for (const Enum value : values) {
        if (given == to_text(value))
            return value;
        allowed += fmt::format("{}{}", allowed.empty() ? "" : ", ", to_text(value));
    }
    throw_bad_input(fmt::format("{} {} is not known; it is one of {}.", field, text::quoted(given), allowed));
}

/// Takes numbers and texts off an id, part by part.
class IdReader {
  public:
    explicit IdReader(std::string_view id) : id_(id), rest_(id) {}

    std::string_view part(std::string_view field, char separator) {
        if (exhausted_)
            fail(field, "is missing");
        const std::string_view taken = text::take_part(rest_, separator);
        // A part that reached the end of the text leaves none behind it.
        exhausted_ = taken.data() + taken.size() == id_.data() + id_.size();
        return taken;
    }
    std::int64_t number(std::string_view field, char separator) {
        const std::string_view taken = part(field, separator);
        const auto value = text::canonical_integer(taken);
        if (!value) {
            fail(field,
                 fmt::format("is {}, which is not a whole number below 2^63 in digits without sign, blank or "
                             "leading 0",
                             text::quoted(taken)));
        }
        return *value;
    }
    [[noreturn]] void fail(std::string_view field, std::string_view what) const {
        throw_bad_input(fmt::format("{} {} in candidate id {}; the id is {}, e.g. "
                                    "64x64x32:4x4:scalar:m_n_k:ab:workspace:compute.",
                                    field, what, text::quoted(id_), id_pattern));
    }

  private:
    std::string_view id_, rest_;
    bool exhausted_ = false;
};

} // namespace

std::string_view to_text(Packing packing) noexcept {
    switch (packing) {
    case Packing::none:
        return "none";
    case Packing::a:
        return "a";
    case Packing::b:
        return "b";
    case Packing::ab:
        break;
    }
    return "ab";
}

std::string_view to_text(LoopOrder order) noexcept {
    switch (order) {
    case LoopOrder::m_n_k:
        return "m_n_k";
    case LoopOrder::n_k_m:
        return "n_k_m";
    case LoopOrder::own:
        break;
    }
    return "own";
}

std::string_view to_text(AllocationMode mode) noexcept {
    switch (mode) {
    case AllocationMode::fresh:
        return "fresh";
    case AllocationMode::reuse_output:
        return "reuse_output";
    case AllocationMode::workspace:
        return "workspace";
    case AllocationMode::prepacked_a:
        return "prepacked_a";
    case AllocationMode::prepacked_b:
        return "prepacked_b";
    case AllocationMode::prepacked_ab:
        break;
    }
    return "prepacked_ab";
}

std::string to_text(const TimingScope& scope) {
    switch (scope.kind) {
    case TimingScope::Kind::compute:
        return "compute";
    case TimingScope::Kind::end_to_end:
        return "end_to_end";
    case TimingScope::Kind::amortized:
        return fmt::format("amortized_{}", scope.uses);
    case TimingScope::Kind::steady_state:
        break;
    }
    return "steady_state";
}

Packing parse_packing(std::string_view given) {
    return parse_enum("packing", given, packings);
}
LoopOrder parse_loop_order(std::string_view given) {
    return parse_enum("loop_order", given, loop_orders);
}
AllocationMode parse_allocation_mode(std::string_view given) {
    return parse_enum("allocation_mode", given, allocation_modes);
}

TimingScope parse_timing_scope(std::string_view given) {
    using Kind = TimingScope::Kind;
    for (const Kind kind : {Kind::compute, Kind::end_to_end, Kind::steady_state}) {
        if (given == to_text(TimingScope{kind, 0}))
            return {kind, 0};
    }
    constexpr std::string_view prefix = "amortized_";
    if (given.starts_with(prefix)) {
        const auto uses = text::canonical_integer(given.substr(prefix.size()));
        if (uses && *uses > 0)
            return {Kind::amortized, *uses};
    }
    throw_bad_input(
        fmt::format("timing_scope {} is not known; it is one of compute, end_to_end, amortized_R with R "
                    "a positive number of uses, steady_state.",
                    text::quoted(given)));
}

std::string candidate_id(const GemmCandidate& c) {
    return fmt::format("{}x{}x{}:{}x{}:{}:{}:{}:{}:{}", c.mc, c.nc, c.kc, c.mr, c.nr, c.microkernel_id,
                       to_text(c.loop_order), to_text(c.packing), to_text(c.allocation_mode),
                       to_text(c.timing_scope));
}

GemmCandidate parse_candidate_id(std::string_view id) {
    IdReader reader(id);
    GemmCandidate candidate;
    candidate.mc = reader.number("mc", 'x');
    candidate.nc = reader.number("nc", 'x');
    candidate.kc = reader.number("kc", ':');
    candidate.mr = reader.number("mr", 'x');
    candidate.nr = reader.number("nr", ':');
    const std::string_view kernel = reader.part("microkernel_id", ':');
    if (!text::is_id(kernel)) {
        reader.fail("microkernel_id",
                    fmt::format("is {}, which is not 1 to 64 of a-z, 0-9, _ and .", text::quoted(kernel)));
    }
    candidate.microkernel_id = kernel;
    candidate.loop_order = parse_loop_order(reader.part("loop_order", ':'));
    candidate.packing = parse_packing(reader.part("packing", ':'));
    candidate.allocation_mode = parse_allocation_mode(reader.part("allocation_mode", ':'));
    // The last field is the whole rest, so that trailing text is an unknown scope.
    candidate.timing_scope = parse_timing_scope(reader.part("timing_scope", '\0'));
    return candidate;
}

std::int64_t workspace_bytes(const GemmCandidate& c, std::size_t element_size) {
    if (c.mc <= 0 || c.nc <= 0 || c.kc <= 0)
        return 0;
    const auto a = checked_multiply(c.mc, c.kc);
    const auto b = checked_multiply(c.kc, c.nc);
    const auto staged = checked_multiply(c.mc, c.nc);
    const auto panels = a && b ? checked_add(*a, *b) : std::nullopt;
    const auto elements = panels && staged ? checked_add(*panels, *staged) : std::nullopt;
    const auto bytes =
        elements ? checked_multiply(*elements, static_cast<std::int64_t>(element_size)) : std::nullopt;
    if (!bytes) {
        throw_bad_input(
            fmt::format("The workspace of mc = {}, nc = {}, kc = {}, which is {}*(mc*kc + kc*nc + mc*nc) "
                        "bytes, does not fit 64 bits; make the blocks smaller.",
                        c.mc, c.nc, c.kc, element_size));
    }
    return *bytes;
}

} // namespace tune_gemm
