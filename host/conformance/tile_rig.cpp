#include "conformance/tile_rig.hpp"

#include "conformance/descriptor.hpp"
#include "conformance/poison.hpp"

#include <tune_gemm/checked.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace tune_gemm::host {
namespace {

/// Bytes for rows x columns under the widest strides of set_strides.
template <class T>
std::int64_t capacity_for(std::int64_t rows, std::int64_t columns, bool wide) {
    const std::int64_t pad = wide ? 1100 : 8;
    const std::int64_t longest = std::max(rows * (2 * columns + 1 + pad), columns * (2 * rows + 1 + pad));
    return (longest + 64) * static_cast<std::int64_t>(sizeof(T)) + 8192;
}

template <class T>
Spot spot_of(const Place& place, std::int64_t alignment, std::int64_t residue) {
    const auto size = static_cast<std::int64_t>(sizeof(T));
    const bool packed = place.form == Form::packed;
    return {place.placement, std::max(alignment, size), residue, packed ? 0 : place.shift * size};
}

} // namespace

TileExtents extents_of(const TileInfo& tile) noexcept {
    constexpr std::int64_t reasonable = 64;
    const bool free = tile.is_free();
    return {free ? std::min<std::int64_t>(tile.max_mr, reasonable) : tile.mr,
            free ? std::min<std::int64_t>(tile.max_nr, reasonable) : tile.nr,
            std::max<std::int64_t>({1, tile.k_unroll, tile.kr}), free};
}

template <class T>
TileRig<T>::TileRig(const CheckContext& context, std::int64_t m, std::int64_t n, std::int64_t k, bool wide)
    : kernel_(context.kernel), info_(*context.tile), descriptor_(read_descriptor(context.kernel.kernel)),
      tile_(read_descriptor(context.tile->tile)), combinations_(form_combinations(*context.tile)),
      watch_(context.watch), poison_width_(poison_width(context.kernel.cpu)),
      a_("A", capacity_for<T>(std::max<std::int64_t>(m, info_.mr), round_up(k, std::max(1u, info_.kr)), wide),
         GuardedMemory::Rights::read_only, sizeof(T)),
      b_("B", capacity_for<T>(round_up(k, std::max(1u, info_.kr)), std::max<std::int64_t>(n, info_.nr), wide),
         GuardedMemory::Rights::read_only, sizeof(T)),
      c_("C", capacity_for<T>(m, n, wide), GuardedMemory::Rights::read_write, sizeof(T)),
      args_("the arguments") {
    if (descriptor_.enter != nullptr)
        call_watched(watch_, PluginFunction::enter, poison_width_, descriptor_.enter, kernel_.kernel);
}

template <class T>
TileRig<T>::~TileRig() {
    if (descriptor_.leave != nullptr)
        call_watched(watch_, PluginFunction::leave, poison_width_, descriptor_.leave, kernel_.kernel);
}

template <class T>
std::int64_t TileRig<T>::variations() const noexcept {
    return static_cast<std::int64_t>(combinations_.size()) * 2 * (has_select() ? 2 : 1);
}

template <class T>
TileCase TileRig<T>::vary(std::int64_t m, std::int64_t n, std::int64_t k, std::int64_t number) const {
    constexpr std::array<std::int64_t, 4> pads{0, 1, 3, 6};
    TileCase made;
    made.m = m, made.n = n, made.k = k;
    const auto combinations = static_cast<std::int64_t>(combinations_.size());
    const Forms forms = combinations_[static_cast<std::size_t>(number % combinations)];
    made.a.form = forms.a, made.b.form = forms.b, made.c.form = forms.c;
    const std::int64_t round = number / combinations;
    const Placement placement = round % 2 == 0 ? Placement::flush_end : Placement::flush_start;
    made.a.placement = made.b.placement = made.c.placement = placement;
    made.selected = has_select() && round / 2 % 2 == 1;
    // What follows is no part of the promise about numbers, so it may depend on all there is.
    const std::int64_t mixed = number + round + 3 * m + 5 * n + k;
    made.hints = mixed % 2 == 1;
    made.registers = static_cast<int>(mixed / 2 % 2) + poison_width_;
    set_strides(made.a, m, k, pads[static_cast<std::size_t>(mixed % 4)], mixed % 3 == 0);
    set_strides(made.b, k, n, pads[static_cast<std::size_t>(mixed / 2 % 4)], mixed % 3 == 1);
    set_strides(made.c, m, n, pads[static_cast<std::size_t>(mixed / 3 % 4)], mixed % 3 == 2);
    made.a.shift = made.b.shift = 0;
    settle(made);
    return made;
}

template <class T>
void TileRig<T>::settle(TileCase& made) const {
    // A free tile's panel is as wide as what is in it; a fixed tile's is filled up with zeros.
    made.a.width = info_.is_free() ? made.m : info_.mr;
    made.b.width = info_.is_free() ? made.n : info_.nr;
    if (made.a.form == Form::packed)
        made.a.rs = 1, made.a.cs = made.a.width;
    if (made.b.form == Form::packed)
        made.b.rs = made.b.width, made.b.cs = 1;
}

template <class T>
Placed<T> TileRig<T>::put(GuardedMemory& memory, const Place& place, std::int64_t rows, std::int64_t columns,
                          const T* values) {
    const Box box{rows, columns};
    const Strides strides{place.rs, place.cs, 0};
    const Placed<T> placed = place_operand<T>(memory, box, strides, spot_of<T>(place, sizeof(T), 0));
    if (values != nullptr)
        put_values(placed, box, strides, 0, values);
    return placed;
}

/// The panel as abi.h describes it: strip s (a row of A, a column of B) and depth l at (l/kr)*width*kr + s*kr
/// + l%kr, zeros in the strips past the last one and in the depths past k.
template <class T>
T* TileRig<T>::put_packed(GuardedMemory& memory, const Place& place, bool left, const Numbers<T>& numbers) {
    const auto size = static_cast<std::int64_t>(sizeof(T));
    const std::int64_t kr = std::max(1u, info_.kr);
    const std::int64_t elements = place.width * round_up(numbers.k, kr);
    // Only the first panel of a block is aligned; a shift says which panel of a block this is.
    const std::int64_t alignment = std::max<std::int64_t>(info_.align_packed, size);
    const std::int64_t residue = place.shift * elements * size % alignment;
    const GuardedBlock block = memory.place(elements * size, spot_of<T>(place, alignment, residue));
    if (elements == 0)
        return reinterpret_cast<T*>(block.seen);
    std::memset(block.own, 0, static_cast<std::size_t>(block.bytes));
    const std::int64_t strips = left ? numbers.m : numbers.n;
    for (std::int64_t l = 0; l < numbers.k; ++l) {
        for (std::int64_t s = 0; s < strips; ++s) {
            const T& value = left ? numbers.a[static_cast<std::size_t>(s * numbers.k + l)]
                                  : numbers.b[static_cast<std::size_t>(l * numbers.n + s)];
            std::memcpy(block.own + (l / kr * place.width * kr + s * kr + l % kr) * size, &value,
                        sizeof value);
        }
    }
    return reinterpret_cast<T*>(block.seen);
}

template <class T>
void TileRig<T>::call(const TileCase& tile_case, const tg_tile_args& args) {
    const tg_tile_args* seen = args_.put(args, tile_case.hints);
    set_call_note(note_of(tile_case));
    tg_tile_run entry = tile_.run;
    if (tile_case.selected) {
        if (const tg_tile_run selected = call_watched(watch_, PluginFunction::select, poison_width_,
                                                      tile_.select, kernel_.kernel, seen))
            entry = selected;
    }
    poison_registers(tile_case.registers);
    call_watched(watch_, PluginFunction::tile, tile_case.registers, entry, kernel_.kernel, seen);
    settle_registers();
    set_call_note({});
    judge_state(watch_, note_of(tile_case));
}

template <class T>
void TileRig<T>::run(const TileCase& tile_case, const Numbers<T>& numbers, const Expectation<T>& expected) {
    tg_tile_args args{};
    args.flags = tile_case.accumulate ? TG_ACCUMULATE : 0;
    args.m = tile_case.m, args.n = tile_case.n, args.k = tile_case.k;
    args.rs_a = tile_case.a.rs, args.cs_a = tile_case.a.cs;
    args.rs_b = tile_case.b.rs, args.cs_b = tile_case.b.cs;
    args.rs_c = tile_case.c.rs, args.cs_c = tile_case.c.cs;
    args.a = tile_case.a.form == Form::packed
                 ? put_packed(a_, tile_case.a, true, numbers)
                 : put(a_, tile_case.a, numbers.m, numbers.k, numbers.a.data()).seen;
    args.b = tile_case.b.form == Form::packed
                 ? put_packed(b_, tile_case.b, false, numbers)
                 : put(b_, tile_case.b, numbers.k, numbers.n, numbers.b.data()).seen;
    const T* before = tile_case.accumulate ? numbers.c.data()
                      : tile_case.dirty_c  ? large_numbers<T>(numbers.m * numbers.n)
                                           : nullptr;
    const Placed<T> c = put(c_, tile_case.c, numbers.m, numbers.n, before);
    args.c = c.seen;
    // Hints are for prefetching, which faults nowhere; a load from them does.
    if (tile_case.hints)
        args.next_a = a_.outside(), args.next_b = b_.outside(), args.next_c = c_.outside();
    call(tile_case, args);
    judge_c(c_, c, {numbers.m, numbers.n}, {tile_case.c.rs, tile_case.c.cs, 0}, std::span(&expected, 1),
            note_of(tile_case));
    a_.restore();
    b_.restore();
}

template <class T>
void TileRig<T>::finish() const {
    if (const auto at = c_.disturbed_anywhere())
        fail_check(fmt::format(
            "Wrote far from C in one of the calls, at byte {} counted from the last one's C.", *at));
}

template class TileRig<float>;
template class TileRig<double>;

} // namespace tune_gemm::host
