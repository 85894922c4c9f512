#include "conformance/plan_rig.hpp"

#include "conformance/family.hpp"
#include "conformance/strided.hpp"
#include "worker/crash_note.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace tune_gemm::host {
namespace {

constexpr std::int64_t limit = std::int64_t{1} << 30; // the checks of workspace.* are about the limit
constexpr std::int64_t page = 4096, line = 64, most_pages = 4;

std::size_t write_plan(const void* what, char* out, std::size_t room) noexcept {
    const auto& text = *static_cast<const std::string*>(what);
    const std::size_t used = std::min(room, text.size());
    std::memcpy(out, text.data(), used);
    return used;
}

/// `bytes` bytes in the memory that begin `offset` bytes past a page's `pages`-th successor.
std::byte* place(std::vector<std::byte>& memory, std::int64_t bytes, std::int64_t offset,
                 std::int64_t pages) {
    const auto wanted = static_cast<std::size_t>(bytes + line + page * (most_pages + 1));
    if (memory.size() < wanted)
        memory.resize(wanted);
    const auto start = reinterpret_cast<std::uintptr_t>(memory.data());
    return memory.data() + ((start + page - 1) / page * page - start) + pages * page + offset;
}

/// Copies between the tight matrix and where its entries lie in memory.
template <bool store, class T>
void copy_matrix(std::byte* base, const Box& box, const Strides& strides, std::int64_t index, T* values) {
    for (std::int64_t i = 0; i < box.rows; ++i) {
        for (std::int64_t j = 0; j < box.columns; ++j) {
            const std::int64_t at = index * strides.batch + i * strides.row + j * strides.column;
            std::byte* there = base + at * static_cast<std::int64_t>(sizeof(T));
            if constexpr (store)
                std::memcpy(there, values + i * box.columns + j, sizeof(T));
            else
                std::memcpy(values + i * box.columns + j, there, sizeof(T));
        }
    }
}

} // namespace

template <class T>
PlanRig<T>::PlanRig(const CheckContext& context, const std::vector<std::size_t>& tiles) : context_(context) {
    KernelInfo alone = context.kernel;
    alone.tiles.clear();
    for (const std::size_t tile : tiles)
        alone.tiles.push_back(context.kernel.tiles[tile]);
    catalogue_.add(std::move(alone));
}

template <class T>
void PlanRig<T>::set_problem(const GemmProblem& problem, std::uint64_t seed) {
    problem_ = problem;
    const bool ordered = context_.kernel.arithmetic.order == TG_SEQUENTIAL;
    numbers_.resize(static_cast<std::size_t>(problem.batch));
    for (std::size_t at = 0; at < numbers_.size(); ++at) {
        numbers_[at].resize(problem.m, problem.n, problem.k);
        const Recipe recipe{ordered ? Family::cancelling : Family::integers, static_cast<std::int64_t>(at), 0,
                            seed + at};
        fill(numbers_[at], recipe);
        if (at > 0 && problem.a.batch == 0)
            numbers_[at].a = numbers_[0].a;
        if (at > 0 && problem.b.batch == 0)
            numbers_[at].b = numbers_[0].b;
    }
}

template <class T>
void PlanRig<T>::take_matrix_alone(std::int64_t batch_index) {
    numbers_ = {numbers_[static_cast<std::size_t>(batch_index)]};
    problem_.batch = 1;
}

template <class T>
std::string PlanRig<T>::product_text() const {
    const GemmProblem& p = problem_;
    return fmt::format(
        "m={} n={} k={} batch={} alpha={} beta={}, A rs {} cs {}, B rs {} cs {}, C rs {} cs {}, {}", p.m, p.n,
        p.k, p.batch, p.alpha, p.beta, p.a.row, p.a.column, p.b.row, p.b.column, p.c.row, p.c.column,
        candidate_);
}

template <class T>
bool PlanRig<T>::plan(const GemmCandidate& candidate, unsigned threads) {
    prepared_.reset();
    candidate_ = candidate_id(candidate);
    if (threads != 1)
        candidate_ += fmt::format(" with {} threads", threads);
    told_ = product_text();
    set_call_note({write_plan, &told_}); // prepare or select may be called
    auto made = PreparedGemm::make(problem_, candidate, limit, catalogue_, threads);
    set_call_note({});
    if (!made)
        return false;
    prepared_ = std::make_shared<const PreparedGemm>(std::move(made.value()));
    return true;
}

template <class T>
void PlanRig<T>::share_plan(const PlanRig& other, std::uint64_t seed) {
    set_problem(other.problem_, seed);
    prepared_ = other.prepared_;
    candidate_ = other.candidate_;
}

template <class T>
void PlanRig<T>::lay_out(const OperandPlaces& places, T filler) {
    const GemmProblem& p = problem_;
    const Box boxes[]{{p.m, p.k, p.batch}, {p.k, p.n, p.batch}, {p.m, p.n, p.batch}};
    const Strides* strides[]{&p.a, &p.b, &p.c};
    constexpr auto size = static_cast<std::int64_t>(sizeof(T));
    for (std::size_t i = 0; i < 4; ++i) {
        const std::int64_t bytes =
            i == 3 ? prepared_->workspace_demand() : Reach(boxes[i], *strides[i]).elements() * size;
        at_[i] = place(memory_[i], bytes, places.offset[i], places.pages);
    }
    const auto wanted = static_cast<std::size_t>(prepared_->workspace_demand());
    for (std::size_t byte = 0; byte + sizeof(T) <= wanted; byte += sizeof(T))
        std::memcpy(at_[3] + byte, &filler, sizeof(T));
    for (std::int64_t batch = 0; batch < p.batch; ++batch) {
        Numbers<T>& numbers = numbers_[static_cast<std::size_t>(batch)];
        copy_matrix<true>(at_[0], boxes[0], p.a, batch, numbers.a.data());
        copy_matrix<true>(at_[1], boxes[1], p.b, batch, numbers.b.data());
    }
    filler_ = filler;
    told_ = fmt::format("{}, A, B and C {}, {} and {} bytes past a cache line", product_text(),
                        places.offset[0], places.offset[1], places.offset[2]);
}

template <class T>
std::vector<T> PlanRig<T>::run_again() {
    const GemmProblem& p = problem_;
    const Box box{p.m, p.n, p.batch};
    std::vector<T> result(static_cast<std::size_t>(p.m * p.n * p.batch), filler_);
    for (std::int64_t batch = 0; batch < p.batch; ++batch)
        copy_matrix<true>(at_[2], box, p.c, batch,
                          p.beta == 0 ? result.data() + batch * p.m * p.n
                                      : numbers_[static_cast<std::size_t>(batch)].c.data());
    BlockedOperands operands;
    operands.a = at_[0], operands.b = at_[1], operands.c = at_[2];
    operands.workspace = {at_[3], static_cast<std::size_t>(prepared_->workspace_demand())};
    set_call_note({write_plan, &told_});
    prepared_->run(operands);
    set_call_note({});
    for (std::int64_t batch = 0; batch < p.batch; ++batch)
        copy_matrix<false>(at_[2], box, p.c, batch, result.data() + batch * p.m * p.n);
    return result;
}

template <class T>
void require_same(const CheckContext& context, const std::vector<T>& first, const std::string& first_told,
                  const std::vector<T>& second, const std::string& second_told, std::int64_t columns) {
    const bool numbers = context.kernel.arithmetic.order != TG_SEQUENTIAL;
    for (std::size_t at = 0; at < first.size(); ++at) {
        if (equal_bits(first[at], second[at]) || (numbers && first[at] == second[at]))
            continue;
        fail_check(fmt::format("C({},{}) is {} ({:a}) in the call {}, but {} ({:a}) in the call {}.",
                               static_cast<std::int64_t>(at) / columns,
                               static_cast<std::int64_t>(at) % columns, first[at], first[at], first_told,
                               second[at], second[at], second_told));
    }
}

template class PlanRig<float>;
template class PlanRig<double>;
template void require_same<float>(const CheckContext&, const std::vector<float>&, const std::string&,
                                  const std::vector<float>&, const std::string&, std::int64_t);
template void require_same<double>(const CheckContext&, const std::vector<double>&, const std::string&,
                                   const std::vector<double>&, const std::string&, std::int64_t);

} // namespace tune_gemm::host
