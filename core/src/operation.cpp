#include <tune_gemm/operation.hpp>

#include <cstring>
#include <utility>

namespace tune_gemm {
namespace {

/// Memory that the system has really handed over: every page written once.
Buffer touched(std::int64_t bytes, Buffer::Use use) {
    Buffer buffer(bytes, use);
    if (bytes > 0)
        std::memset(buffer.bytes().data(), 0, buffer.bytes().size());
    return buffer;
}

} // namespace

Operation::Operation(PreparedGemm prepared, const void* a, const void* b, std::int64_t c_bytes)
    : prepared_(std::move(prepared)), a_(a), b_(b), c_bytes_(c_bytes) {}

void Operation::set_up() {
    const AllocationMode mode = prepared_.resolution().candidate.allocation_mode;
    if (mode == AllocationMode::fresh)
        return;
    c_ = touched(c_bytes_, Buffer::Use::result);
    if (mode == AllocationMode::reuse_output)
        return;
    workspace_ = touched(prepared_.workspace_demand(), Buffer::Use::workspace);
    if (prepacks_a(mode))
        packed_a_ = prepared_.prepack(Operand::a, a_);
    if (prepacks_b(mode))
        packed_b_ = prepared_.prepack(Operand::b, b_);
}

void Operation::use_operands(const void* a, const void* b) noexcept {
    a_ = a;
    b_ = b;
}

void Operation::begin_use() {
    if (!allocates_per_use())
        return;
    if (prepared_.resolution().candidate.allocation_mode == AllocationMode::fresh) {
        c_ = Buffer(); // the last use's goes before this use's comes
        c_ = Buffer(c_bytes_, Buffer::Use::result);
    }
    workspace_ = Buffer(prepared_.workspace_demand(), Buffer::Use::workspace);
}

void Operation::multiply() {
    prepared_.run({.a = a_,
                   .b = b_,
                   .c = c_.bytes().data(),
                   .workspace = workspace_.bytes(),
                   .packed_a = packed_a_ ? &*packed_a_ : nullptr,
                   .packed_b = packed_b_ ? &*packed_b_ : nullptr});
}

void Operation::end_use() {
    if (allocates_per_use())
        workspace_ = Buffer();
}

void Operation::tear_down() {
    packed_a_.reset();
    packed_b_.reset();
    workspace_ = Buffer();
    c_ = Buffer();
}

bool Operation::allocates_per_use() const noexcept {
    const AllocationMode mode = prepared_.resolution().candidate.allocation_mode;
    return mode == AllocationMode::fresh || mode == AllocationMode::reuse_output;
}

std::span<std::byte> Operation::c() noexcept {
    return c_.bytes();
}

} // namespace tune_gemm
