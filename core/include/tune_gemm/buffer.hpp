// Memory for packing, staging and results, counted: what is held at once is what a workspace limit is about.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>

namespace tune_gemm {

/// Uninitialised bytes, aligned to 64 or to `alignment` (a power of two) where that is more. Throws Error
/// (kind bad_input) with the number of bytes when memory does not suffice. Movable, not copyable. Allocated
/// with operator new.
class Buffer {
  public:
    enum class Use { workspace, prepacked, result };
    static constexpr std::int64_t least_alignment = 64;

    Buffer() = default;
    Buffer(std::int64_t bytes, Use, std::int64_t alignment = least_alignment);
    ~Buffer();
    Buffer(Buffer&&) noexcept;
    Buffer& operator=(Buffer&&) noexcept;

    std::span<std::byte> bytes() noexcept { return {data_, static_cast<std::size_t>(size_)}; }
    std::span<const std::byte> bytes() const noexcept { return {data_, static_cast<std::size_t>(size_)}; }
    template <class T>
    T* as() noexcept {
        return reinterpret_cast<T*>(data_);
    }
    template <class T>
    const T* as() const noexcept {
        return reinterpret_cast<const T*>(data_);
    }

  private:
    void release() noexcept;

    std::byte* data_ = nullptr;
    std::int64_t size_ = 0, alignment_ = least_alignment;
    Use use_ = Use::workspace;
};

/// Bytes held by Buffers of Use workspace and prepacked together, now and at most since the last reset.
/// Process-wide.
struct BufferAccount {
    std::int64_t held = 0, peak = 0;
};
BufferAccount buffer_account() noexcept;
void reset_buffer_peak() noexcept;

} // namespace tune_gemm
