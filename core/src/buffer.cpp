#include <tune_gemm/buffer.hpp>
#include <tune_gemm/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <new>
#include <utility>

namespace tune_gemm {
namespace {

std::atomic<std::int64_t> held_bytes{0};
std::atomic<std::int64_t> peak_bytes{0};

bool is_counted(Buffer::Use use) noexcept {
    return use != Buffer::Use::result;
}

void count_taken(std::int64_t bytes) noexcept {
    const std::int64_t held = held_bytes.fetch_add(bytes) + bytes;
    std::int64_t peak = peak_bytes.load();
    while (peak < held && !peak_bytes.compare_exchange_weak(peak, held)) {
    }
}

} // namespace

Buffer::Buffer(std::int64_t bytes, Use use, std::int64_t alignment)
    : size_(bytes), alignment_(std::max(alignment, least_alignment)), use_(use) {
    if (bytes < 0)
        throw_bad_input(fmt::format("A buffer of {} bytes was asked for; expected 0 or more.", bytes));
    if (bytes == 0)
        return;
    void* data = ::operator new(static_cast<std::size_t>(bytes), static_cast<std::align_val_t>(alignment_),
                                std::nothrow);
    if (data == nullptr)
        throw_bad_input(fmt::format(
            "Memory does not suffice for a buffer of {} bytes; use smaller blocks or a smaller shape.",
            bytes));
    data_ = static_cast<std::byte*>(data);
    if (is_counted(use_))
        count_taken(size_);
}

Buffer::~Buffer() {
    release();
}

Buffer::Buffer(Buffer&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)),
      alignment_(other.alignment_), use_(other.use_) {}

Buffer& Buffer::operator=(Buffer&& other) noexcept {
    if (this != &other) {
        release();
        data_ = std::exchange(other.data_, nullptr);
        size_ = std::exchange(other.size_, 0);
        alignment_ = other.alignment_;
        use_ = other.use_;
    }
    return *this;
}

void Buffer::release() noexcept {
    if (data_ == nullptr)
        return;
    ::operator delete(data_, static_cast<std::align_val_t>(alignment_));
    if (is_counted(use_))
        held_bytes.fetch_sub(size_);
    data_ = nullptr;
    size_ = 0;
}

BufferAccount buffer_account() noexcept {
    return {held_bytes.load(), peak_bytes.load()};
}

void reset_buffer_peak() noexcept {
    peak_bytes.store(held_bytes.load());
}

} // namespace tune_gemm
