#include "conformance/product_rig.hpp"

#include "conformance/descriptor.hpp"
#include "conformance/poison.hpp"

#include <fmt/format.h>

#include <array>
#include <cstring>

namespace tune_gemm::host {
namespace {

constexpr std::int64_t roomy_limit = std::int64_t{1} << 30; // where a check is not about the limit
constexpr std::int64_t workspace_margin = 512;
constexpr std::int64_t gemm_alignment = 64; // of a whole-gemm kernel's workspace

template <class T>
std::int64_t room(std::int64_t elements) {
    return elements * static_cast<std::int64_t>(sizeof(T)) + 4096;
}

/// The message of a status, as far as the plugin gave one.
class StatusText {
  public:
    tg_error* error() noexcept { return &error_; }
    std::string text(std::string_view function, tg_status status) const {
        return fmt::format("{} gave status {}{}{}", function, status, text_[0] == 0 ? "" : ": ",
                           text_.data());
    }

  private:
    std::array<char, 512> text_{};
    tg_error error_{sizeof(tg_error), static_cast<std::uint32_t>(text_.size()), text_.data()};
};

/// Puts canaries around the block and the poison into it. Of a large block only both ends are poisoned, lest
/// the checks take as long as the products.
void prepare_workspace(GuardedMemory& memory, const GuardedBlock& block, Poison poison) {
    constexpr std::int64_t whole_up_to = 256 << 10, end = 64 << 10;
    const bool whole = block.bytes <= whole_up_to;
    memory.restore_ends(whole ? block.bytes : end, workspace_margin);
    if (poison == Poison::signalling_nans || block.bytes == 0)
        return;
    const int byte = poison == Poison::zeros ? 0 : 0x6F; // every byte 0x6F: about 1e229 as f64, 7e28 as f32
    std::memset(block.own, byte, static_cast<std::size_t>(whole ? block.bytes : end));
    std::memset(block.own + (whole ? 0 : block.bytes - end), byte, static_cast<std::size_t>(whole ? 0 : end));
}

/// Every second product is asked for as a host of a later version would.
bool is_later(const ProductCase& product) noexcept {
    return (product.problem.m + product.problem.n + product.problem.k) % 2 != 0;
}

} // namespace

template <class T>
ProductRig<T>::ProductRig(const CheckContext& context, const ProductRoom& sizes)
    : kernel_(context.kernel), descriptor_(read_descriptor(context.kernel.kernel)), watch_(context.watch),
      poison_width_(poison_width(context.kernel.cpu)),
      a_("A", room<T>(sizes.a), GuardedMemory::Rights::read_only, sizeof(T)),
      b_("B", room<T>(sizes.b), GuardedMemory::Rights::read_only, sizeof(T)),
      c_("C", room<T>(sizes.c), GuardedMemory::Rights::read_write, sizeof(T)),
      most_workspace_(sizes.workspace) {
    if (kernel_.whole_gemm) {
        gemm_ = read_descriptor(descriptor_.gemm);
        return;
    }
    KernelInfo alone = kernel_;
    alone.tiles = {*context.tile};
    catalogue_.add(std::move(alone));
}

template <class T>
ProductRig<T>::~ProductRig() {
    drop_plan();
}

template <class T>
void ProductRig<T>::drop_plan() noexcept {
    prepared_.reset();
    if (own_plan_ != nullptr)
        call_watched(watch_, PluginFunction::release, poison_width_, gemm_.release, kernel_.kernel,
                     own_plan_);
    own_plan_ = nullptr;
}

template <class T>
bool ProductRig<T>::plan(const ProductCase& product) {
    drop_plan();
    if (product.whole_gemm)
        return plan_own(product);
    const std::int64_t limit =
        product.workspace_exact
            ? tune_gemm::workspace_bytes(product.candidate, sizeof(T)) +
                  2 * std::int64_t{catalogue_.kernels().front().tiles.front().align_packed}
            : roomy_limit;
    set_call_note(note_of(product)); // select may be called
    auto made = PreparedGemm::make(product.problem, product.candidate, limit, catalogue_);
    set_call_note({});
    if (!made) {
        refusal_ = made.refusal().reason;
        return false;
    }
    prepared_ = std::move(made.value());
    demand_ = prepared_->workspace_demand();
    return true;
}

template <class T>
bool ProductRig<T>::plan_own(const ProductCase& product) {
    const GemmProblem& p = product.problem;
    T alpha = static_cast<T>(p.alpha), beta = static_cast<T>(p.beta);
    tg_problem problem{};
    problem.threads = 1;
    problem.m = p.m, problem.n = p.n, problem.k = p.k, problem.batch = p.batch;
    problem.rs_a = p.a.row, problem.cs_a = p.a.column, problem.bs_a = p.a.batch;
    problem.rs_b = p.b.row, problem.cs_b = p.b.column, problem.bs_b = p.b.batch;
    problem.rs_c = p.c.row, problem.cs_c = p.c.column, problem.bs_c = p.c.batch;
    problem.alpha = &alpha, problem.beta = &beta;
    StatusText said;
    std::uint64_t bytes = 0;
    set_call_note(note_of(product));
    const tg_status status =
        call_watched(watch_, PluginFunction::prepare, poison_width_, gemm_.prepare, kernel_.kernel,
                     asked_.put(problem, is_later(product)), &own_plan_, &bytes, said.error());
    set_call_note({});
    judge_state(watch_, note_of(product));
    alpha = beta = static_cast<T>(-77); // prepare has copied them
    if (status == TG_OK) {
        if (bytes > static_cast<std::uint64_t>(most_workspace_)) {
            fail_check(fmt::format(
                "prepare asks for a workspace of {} bytes, more than the {} that a product of this size "
                "can want, in the call {}.",
                bytes, most_workspace_, text_of(note_of(product))));
        }
        demand_ = static_cast<std::int64_t>(bytes);
        return true;
    }
    own_plan_ = nullptr;
    refusal_ = said.text("prepare", status);
    if (status != TG_UNSUPPORTED)
        fail_check(fmt::format("{} in the call {}.", refusal_, text_of(note_of(product))));
    return false;
}

template <class T>
GuardedBlock ProductRig<T>::place_workspace(const ProductCase& product) {
    const std::int64_t alignment = product.whole_gemm ? gemm_alignment : static_cast<std::int64_t>(sizeof(T));
    if (!workspace_ || workspace_->capacity() < demand_ + gemm_alignment)
        workspace_.emplace("the workspace", 2 * demand_ + gemm_alignment, GuardedMemory::Rights::read_write,
                           sizeof(T));
    const GuardedBlock block = workspace_->place(demand_, {product.placement, alignment});
    prepare_workspace(*workspace_, block, product.poison);
    return block;
}

template <class T>
void ProductRig<T>::call(const ProductCase& product, const T* a, const T* b, T* c,
                         const GuardedBlock& workspace) {
    set_call_note(note_of(product));
    if (!product.whole_gemm) {
        BlockedOperands operands;
        operands.a = a, operands.b = b, operands.c = c;
        operands.workspace = {workspace.seen, static_cast<std::size_t>(workspace.bytes)};
        prepared_->run(operands);
        set_call_note({});
        return;
    }
    tg_gemm_args args{};
    args.a = a, args.b = b, args.c = c;
    args.workspace = workspace.bytes == 0 ? nullptr : workspace.seen;
    StatusText said;
    const tg_status status =
        call_watched(watch_, PluginFunction::gemm, poison_width_, gemm_.run, kernel_.kernel, own_plan_,
                     args_.put(args, is_later(product)), said.error());
    set_call_note({});
    judge_state(watch_, note_of(product));
    if (status != TG_OK) {
        fail_check(fmt::format("{}, although prepare had agreed, in the call {}.", said.text("run", status),
                               text_of(note_of(product))));
    }
}

template <class T>
void ProductRig<T>::run(const ProductCase& product, std::span<const Numbers<T>> numbers,
                        std::span<const Expectation<T>> expected) {
    const GemmProblem& p = product.problem;
    const Spot spot{product.placement, sizeof(T)};
    const Box box_a{p.m, p.k, p.batch}, box_b{p.k, p.n, p.batch}, box_c{p.m, p.n, p.batch};
    const Placed<T> a = place_operand<T>(a_, box_a, p.a, spot), b = place_operand<T>(b_, box_b, p.b, spot),
                    c = place_operand<T>(c_, box_c, p.c, spot);
    // alpha = 0 or k = 0: A and B are not read, so their addresses need not be good for anything.
    const bool inputs_read = static_cast<T>(p.alpha) != T(0) && p.k != 0;
    for (std::int64_t batch = 0; batch < p.batch; ++batch) {
        const Numbers<T>& matrix = numbers[static_cast<std::size_t>(batch)];
        put_values(a, box_a, p.a, batch, matrix.a.data());
        put_values(b, box_b, p.b, batch, matrix.b.data());
        if (p.beta != 0)
            put_values(c, box_c, p.c, batch, matrix.c.data());
        else if (product.dirty_c)
            put_values(c, box_c, p.c, batch, large_numbers<T>(p.m * p.n));
    }
    const T* outside = static_cast<const T*>(a_.outside());
    call(product, inputs_read ? a.seen : outside, inputs_read ? b.seen : outside, c.seen,
         place_workspace(product));
    judge_c(c_, c, box_c, p.c, expected, note_of(product));
    a_.restore();
    b_.restore();
    // The block itself is the kernel's to write; what is around it is not.
    const std::string changed = workspace_->disturbed_around(workspace_margin);
    if (!changed.empty())
        fail_check(fmt::format("Wrote {} in the call {}: write m x n entries of C and none besides.", changed,
                               text_of(note_of(product))));
}

template <class T>
void ProductRig<T>::finish() const {
    if (c_.disturbed_anywhere())
        fail_check("Wrote far from C in one of the calls.");
}

template class ProductRig<float>;
template class ProductRig<double>;

} // namespace tune_gemm::host
