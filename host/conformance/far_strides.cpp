#include "conformance/far_strides.hpp"

#include "conformance/family.hpp"
#include "conformance/product_case.hpp"
#include "conformance/product_sweep.hpp"
#include "conformance/strided.hpp"

#include <fmt/format.h>

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <iterator>
#include <set>
#include <vector>

namespace tune_gemm::host {
namespace {

/// The pages of one operand, at fixed addresses far from all that a process has by itself. What lies between
/// is not reserved but left empty: a reservation would count against the worker's limit of address space.
class FarPages {
  public:
    explicit FarPages(std::uintptr_t start)
        : start_(start), base_(start), page_(static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE))) {}
    ~FarPages() { unmap(); }
    FarPages(const FarPages&) = delete;
    FarPages& operator=(const FarPages&) = delete;

    /// Maps the pages of all elements, and no others; false when the system refuses. Element (0, 0) of the
    /// first matrix lies `offset` bytes behind the start.
    bool map(const Box& box, const Strides& strides, std::size_t element, std::uintptr_t offset) {
        base_ = start_ + offset;
        std::set<std::uintptr_t> wanted;
        for (std::int64_t batch = 0; batch < box.batch; ++batch)
            for (std::int64_t i = 0; i < box.rows; ++i)
                for (std::int64_t j = 0; j < box.columns; ++j)
                    wanted.insert(address(strides, element, batch, i, j) / page_ * page_);
        if (wanted == pages_)
            return true;
        unmap();
        return std::all_of(wanted.begin(), wanted.end(), [&](std::uintptr_t at) { return map_page(at); });
    }
    std::uintptr_t address(const Strides& strides, std::size_t element, std::int64_t batch, std::int64_t i,
                           std::int64_t j) const noexcept {
        const std::int64_t at = batch * strides.batch + i * strides.row + j * strides.column;
        return base_ + static_cast<std::uintptr_t>(at) * element;
    }
    void* base() const noexcept { return reinterpret_cast<void*>(base_); }

  private:
    bool map_page(std::uintptr_t at) {
        void* wanted = reinterpret_cast<void*>(at);
        void* got = ::mmap(wanted, page_, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
        if (got == MAP_FAILED)
            return false;
        if (got != wanted) { // a kernel that does not know the flag takes the address for a hint
            ::munmap(got, page_);
            return false;
        }
        pages_.insert(at);
        return true;
    }
    void unmap() noexcept {
        for (const std::uintptr_t at : pages_)
            ::munmap(reinterpret_cast<void*>(at), page_);
        pages_.clear();
    }

    std::uintptr_t start_, base_, page_;
    std::set<std::uintptr_t> pages_;
};

enum Which { leading_a, leading_b, leading_c, batch_all, whiches };
/// Elements: the second one alone passes 31 bits in bytes; the third of them in elements; the next also
/// loses its upper half where a stride is kept in an int; multiples of the last are negative in an int.
constexpr std::int64_t distances[] = {(std::int64_t{1} << 28) + 3, (std::int64_t{1} << 30) + 5,
                                      (std::int64_t{1} << 32) + 7, (std::int64_t{1} << 31) + 9};

void stretch(Strides& strides, std::int64_t distance) noexcept {
    (strides.row == 1 ? strides.column : strides.row) = distance;
}

template <class T>
class FarRun {
  public:
    explicit FarRun(const CheckContext& context) : context_(context) {
        KernelInfo alone = context.kernel;
        if (!alone.whole_gemm)
            alone.tiles = {*context.tile};
        catalogue_.add(std::move(alone));
    }

    /// False when the product is refused. `offsets`: in bytes, of element (0, 0) of A, B and C.
    bool run(ProductCase& product, const std::array<std::uintptr_t, 3>& offsets = {256, 256, 256}) {
        const GemmProblem& p = product.problem;
        auto made = PreparedGemm::make(p, product.candidate, std::int64_t{1} << 30, catalogue_);
        if (!made)
            return false;
        const Box box_a{p.m, p.k, p.batch}, box_b{p.k, p.n, p.batch}, box_c{p.m, p.n, p.batch};
        if (!a_.map(box_a, p.a, sizeof(T), offsets[0]) || !b_.map(box_b, p.b, sizeof(T), offsets[1]) ||
            !c_.map(box_c, p.c, sizeof(T), offsets[2]))
            skip_check("The system does not give pages at the addresses that the check needs.");
        numbers_.resize(p.m, p.n, p.k);
        fill(numbers_, product.recipe);
        expect(expected_, numbers_, p.beta != 0, context_.kernel.arithmetic, product.recipe.family);
        for (std::int64_t batch = 0; batch < p.batch; ++batch) {
            put(a_, box_a, p.a, batch, numbers_.a.data());
            put(b_, box_b, p.b, batch, numbers_.b.data());
            put(c_, box_c, p.c, batch, numbers_.c.data());
        }
        constexpr std::size_t line = 64;
        workspace_.resize(static_cast<std::size_t>(made.value().workspace_demand()) + line);
        const auto start = reinterpret_cast<std::uintptr_t>(workspace_.data());
        BlockedOperands operands;
        operands.a = a_.base(), operands.b = b_.base(), operands.c = c_.base();
        operands.workspace = {workspace_.data() + (line - start % line), workspace_.size() - line};
        set_call_note(note_of(product));
        made.value().run(operands);
        set_call_note({});
        judge(product, box_c);
        return true;
    }

  private:
    void put(const FarPages& pages, const Box& box, const Strides& strides, std::int64_t batch,
             const T* values) {
        for (std::int64_t i = 0; i < box.rows; ++i)
            for (std::int64_t j = 0; j < box.columns; ++j)
                std::memcpy(reinterpret_cast<void*>(pages.address(strides, sizeof(T), batch, i, j)),
                            values + i * box.columns + j, sizeof(T));
    }
    void judge(const ProductCase& product, const Box& box) {
        for (std::int64_t batch = 0; batch < box.batch; ++batch)
            for (std::int64_t i = 0; i < box.rows; ++i)
                for (std::int64_t j = 0; j < box.columns; ++j) {
                    T actual;
                    std::memcpy(
                        &actual,
                        reinterpret_cast<void*>(c_.address(product.problem.c, sizeof(T), batch, i, j)),
                        sizeof actual);
                    const std::int64_t at = i * box.columns + j;
                    if (!expected_.accepts(at, actual))
                        fail_check(fmt::format("C({},{}) of matrix {} {} in the call {}.", i, j, batch,
                                               expected_.difference(at, actual), text_of(note_of(product))));
                }
    }

    const CheckContext& context_;
    Catalogue catalogue_;
    // Between what programs, libraries and stacks take, on every system with 47 bits of addresses.
    FarPages a_{0x200000000000}, b_{0x300000000000}, c_{0x400000000000};
    Numbers<T> numbers_;
    Expectation<T> expected_;
    std::vector<std::byte> workspace_;
};

} // namespace

template <class T>
void run_far_strides(const CheckContext& context, Tally& tally) {
    Coverage& ran =
        tally.owes({{"stride", whiches, {"leading of A", "leading of B", "leading of C", "batch"}},
                    {"distance", std::size(distances)}});
    FarRun<T> run(context);
    const Blocking blocking = blockings_for(context).front();
    std::int64_t turn = 0;
    bool refused = false;
    for (int which = 0; which < whiches; ++which) {
        for (std::size_t at = 0; at < std::size(distances); ++at) {
            for (int layouts = 0; layouts < 8; ++layouts) {
                for (const Packing packing : {Packing::none, Packing::ab}) {
                    ProductCase product;
                    product.whole_gemm = context.kernel.whole_gemm;
                    product.candidate = candidate_for(context, blocking, LoopOrder::m_n_k, packing);
                    GemmProblem& p = product.problem;
                    p.m = std::min<std::int64_t>(blocking.mr, 24) + 1;
                    p.n = std::min<std::int64_t>(blocking.nr, 24) + 1;
                    p.k = 4;
                    p.batch = which == batch_all ? 3 : 1;
                    p.beta = ++turn % 2;
                    set_layout(p, layouts, 0);
                    const std::int64_t far = distances[at];
                    if (which == leading_a)
                        stretch(p.a, far);
                    else if (which == leading_b)
                        stretch(p.b, far);
                    else if (which == leading_c)
                        stretch(p.c, far);
                    else
                        p.a.batch = p.b.batch = p.c.batch = far;
                    product.recipe = {Family::integers, turn % 11, 0,
                                      context.seed + static_cast<unsigned>(turn)};
                    if (run.run(product)) {
                        tally.ran();
                        ran.ran({which, static_cast<std::int64_t>(at)});
                    } else {
                        refused = true;
                    }
                    if (context.kernel.whole_gemm)
                        break; // packs for itself
                }
            }
        }
    }
    // A kernel may refuse what it has no index for, as long as it says so.
    if (context.kernel.whole_gemm && refused && ran.missing() == ran.classes())
        skip_check("The kernel refuses such strides, and says so.");
    if (context.kernel.whole_gemm && refused)
        for (int which = 0; which < whiches; ++which)
            for (std::size_t at = 0; at < std::size(distances); ++at)
                ran.ran({which, static_cast<std::int64_t>(at)});
}

template <class T>
void run_separate_rows(const CheckContext& context, Tally& tally) {
    enum Edge { row_ends, row_begins, edges };
    Coverage& ran = tally.owes({{"page", edges, {"ends behind a row", "begins before a row"}}});
    FarRun<T> run(context);
    const Blocking blocking = blockings_for(context).front();
    const std::int64_t mr = std::min<std::int64_t>(blocking.mr, 24),
                       nr = std::min<std::int64_t>(blocking.nr, 24);
    const auto page = static_cast<std::int64_t>(sysconf(_SC_PAGESIZE));
    constexpr auto size = static_cast<std::int64_t>(sizeof(T));
    const std::int64_t stride = 3 * page / size; // the pages between do not exist
    // Where the elements that lie side by side end, or begin, at the edge of a page.
    const auto offset = [&](const Strides& strides, std::int64_t rows, std::int64_t columns, int edge) {
        const std::int64_t bytes = (strides.row == 1 ? rows : columns) * size;
        return static_cast<std::uintptr_t>(edge == row_ends ? page - bytes % page : 0);
    };
    std::int64_t turn = 0;
    // A whole tile with a remainder of one, remainders next to the tile, and small ones.
    for (const auto& [m, n] :
         {std::pair(mr + 1, nr + 1), std::pair(mr - 1, nr - 1), std::pair(mr / 2 + 1, nr - 2),
          std::pair(mr - 2, nr / 2 + 1), std::pair(std::int64_t{1}, nr), std::pair(mr, std::int64_t{1})})
        for (const std::int64_t k : {1, 3, 7, 16})
            for (int layouts = 0; layouts < 8 && m > 0 && n > 0; ++layouts)
                for (int edge = 0; edge < edges; ++edge)
                    for (const Packing packing : {Packing::none, Packing::ab}) {
                        ProductCase product;
                        product.whole_gemm = context.kernel.whole_gemm;
                        product.candidate = candidate_for(context, blocking, LoopOrder::m_n_k, packing);
                        product.placement = edge == row_ends ? Placement::flush_end : Placement::flush_start;
                        GemmProblem& p = product.problem;
                        p.m = m, p.n = n, p.k = k;
                        p.beta = ++turn % 2;
                        set_layout(p, layouts, 0);
                        for (Strides* strides : {&p.a, &p.b, &p.c})
                            stretch(*strides, stride);
                        product.recipe = {Family::integers, turn % 11, 0,
                                          context.seed + static_cast<unsigned>(turn)};
                        if (run.run(product, {offset(p.a, m, k, edge), offset(p.b, k, n, edge),
                                              offset(p.c, m, n, edge)})) {
                            tally.ran();
                            ran.ran({edge});
                        }
                        if (context.kernel.whole_gemm)
                            break; // packs for itself
                    }
    if (context.kernel.whole_gemm && ran.missing() == ran.classes())
        skip_check("The kernel refuses such strides, and says so.");
}

template void run_far_strides<float>(const CheckContext&, Tally&);
template void run_far_strides<double>(const CheckContext&, Tally&);
template void run_separate_rows<float>(const CheckContext&, Tally&);
template void run_separate_rows<double>(const CheckContext&, Tally&);

} // namespace tune_gemm::host
