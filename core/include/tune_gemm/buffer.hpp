// Memory for packing, staging and results, counted: what is held at once is what a workspace limit is about.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>

namespace tune_gemm {

/// Uninitialised bytes, aligned to 64. Throws Error (kind failed) with the number of bytes when memory does
/// not suffice. Movable, not copyable.
class Buffer {
  public:
    enum class Use { workspace, prepacked, result };

    Buffer() = default;
    Buffer(std::int64_t bytes, Use);
    ~Buffer();
    Buffer(Buffer&&) noexcept;
    Buffer& operator=(Buffer&&) noexcept;

    std::span<std::byte> bytes() noexcept { return {data_, static_cast<std::size_t>(size_)}; }
    std::span<const std::byte> bytes() const noexcept { return {data_, static_cast<std::size_t>(size_)}; }
    template <class T>
    T* as() noexcept {
        return reinterpret_cast<T*>(data_);
    }

  private:
    std::byte* data_ = nullptr;
    std::int64_t size_ = 0;
    Use use_ = Use::workspace;
};

/// Bytes held by Buffers of Use workspace and prepacked together, now and at most since the last reset. Process-wide.
struct BufferAccount {
    std::int64_t held = 0, peak = 0;
};
BufferAccount buffer_account() noexcept;
void reset_buffer_peak() noexcept;

} // namespace tune_gemm
