#include "conformance/strided.hpp"

#include "conformance/tally.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>

namespace tune_gemm::host {
namespace {

constexpr std::int64_t margin = 512; // bytes around C that every case looks at; finish looks at all

template <class T>
constexpr std::int64_t size_of = sizeof(T);

std::string place_text(std::int64_t at, std::int64_t bytes) {
    if (at < 0)
        return fmt::format("{} bytes before the start of C", -at);
    if (at >= bytes)
        return fmt::format("{} bytes past the end of C", at - bytes);
    return fmt::format("to byte {} of C, which lies between its entries,", at);
}

} // namespace

Reach::Reach(const Box& box, const Strides& strides) noexcept {
    if (box.rows <= 0 || box.columns <= 0 || box.batch <= 0)
        return;
    highest = 0;
    for (const std::int64_t way :
         {(box.rows - 1) * strides.row, (box.columns - 1) * strides.column, (box.batch - 1) * strides.batch})
        (way < 0 ? lowest : highest) += way;
}

template <class T>
Placed<T> place_operand(GuardedMemory& memory, const Box& box, const Strides& strides, const Spot& spot) {
    const Reach reach(box, strides);
    const GuardedBlock block = memory.place(reach.elements() * size_of<T>, spot);
    if (block.bytes == 0)
        return {reinterpret_cast<T*>(block.seen), nullptr};
    return {reinterpret_cast<T*>(block.seen - reach.lowest * size_of<T>),
            block.own - reach.lowest * size_of<T>};
}

template <class T>
void put_values(const Placed<T>& placed, const Box& box, const Strides& strides, std::int64_t batch_index,
                const T* values) {
    for (std::int64_t i = 0; i < box.rows; ++i) {
        for (std::int64_t j = 0; j < box.columns; ++j) {
            const std::int64_t offset = batch_index * strides.batch + i * strides.row + j * strides.column;
            std::memcpy(placed.own + offset * size_of<T>, values + i * box.columns + j, sizeof(T));
        }
    }
}

template <class T>
void judge_c(GuardedMemory& memory, const Placed<T>& placed, const Box& box, const Strides& strides,
             std::span<const Expectation<T>> expected, const CallNote& call) {
    std::int64_t wrong = 0, first_batch = 0, first = 0;
    T first_value{};
    for (std::int64_t batch = 0; batch < box.batch; ++batch) {
        const Expectation<T>& matrix = expected[static_cast<std::size_t>(batch)];
        for (std::int64_t i = 0; i < box.rows; ++i) {
            for (std::int64_t j = 0; j < box.columns; ++j) {
                std::byte* place =
                    placed.own + (batch * strides.batch + i * strides.row + j * strides.column) * size_of<T>;
                T actual;
                std::memcpy(&actual, place, sizeof actual);
                if (!matrix.accepts(i * box.columns + j, actual) && ++wrong == 1)
                    first_batch = batch, first = i * box.columns + j, first_value = actual;
                memory.restore_at(place, sizeof actual);
            }
        }
    }
    if (wrong != 0) {
        fail_check(fmt::format("C({},{}){} {}; {} of {} entries are wrong in the call {}.",
                               first / box.columns, first % box.columns,
                               box.batch == 1 ? "" : fmt::format(" of matrix {}", first_batch),
                               expected[static_cast<std::size_t>(first_batch)].difference(first, first_value),
                               wrong, box.rows * box.columns * box.batch, text_of(call)));
    }
    if (const auto at = memory.disturbed(margin))
        fail_check(fmt::format("Wrote {} in the call {}: write m x n entries of C and none besides.",
                               place_text(*at, memory.block_bytes()), text_of(call)));
}

std::string text_of(const CallNote& note) {
    std::array<char, 768> text;
    return note.write == nullptr ? std::string()
                                 : std::string(text.data(), note.write(note.what, text.data(), text.size()));
}

void judge_state(const CallWatch* watch, const CallNote& call) {
    if (watch != nullptr && !watch->breach().empty())
        fail_check(fmt::format("{} in the call {}.", watch->breach(), text_of(call)));
}

template Placed<float> place_operand<float>(GuardedMemory&, const Box&, const Strides&, const Spot&);
template void put_values<float>(const Placed<float>&, const Box&, const Strides&, std::int64_t, const float*);
template void judge_c<float>(GuardedMemory&, const Placed<float>&, const Box&, const Strides&,
                             std::span<const Expectation<float>>, const CallNote&);
template Placed<double> place_operand<double>(GuardedMemory&, const Box&, const Strides&, const Spot&);
template void put_values<double>(const Placed<double>&, const Box&, const Strides&, std::int64_t,
                                 const double*);
template void judge_c<double>(GuardedMemory&, const Placed<double>&, const Box&, const Strides&,
                              std::span<const Expectation<double>>, const CallNote&);

} // namespace tune_gemm::host
