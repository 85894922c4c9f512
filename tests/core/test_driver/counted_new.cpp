#include "counted_new.hpp"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <new>

namespace {

std::atomic<std::int64_t> calls{0}, held{0}, peak{0};

/// Before each block: its size, and where the memory that holds both begins.
struct Header {
    std::size_t size;
    void* memory;
};

void* take(std::size_t size, std::size_t alignment) noexcept {
    const std::size_t offset = std::max(alignment, sizeof(Header));
    void* memory = nullptr;
    if (size > SIZE_MAX / 4 || posix_memalign(&memory, offset, offset + size) != 0)
        return nullptr;
    char* block = static_cast<char*>(memory) + offset;
    reinterpret_cast<Header*>(block)[-1] = {size, memory};
    ++calls;
    const std::int64_t now = held += static_cast<std::int64_t>(size);
    std::int64_t most = peak;
    while (most < now && !peak.compare_exchange_weak(most, now)) {
    }
    return block;
}

void* take_or_throw(std::size_t size, std::size_t alignment) {
    if (void* block = take(size, alignment))
        return block;
    throw std::bad_alloc();
}

void give_back(void* block) noexcept {
    if (block == nullptr)
        return;
    const Header header = reinterpret_cast<Header*>(block)[-1];
    held -= static_cast<std::int64_t>(header.size);
    std::free(header.memory);
}

constexpr std::size_t usual = alignof(std::max_align_t);

} // namespace

namespace tune_gemm::test {

NewAccount new_account() noexcept {
    return {calls, held, peak};
}
void reset_new_peak() noexcept {
    peak.store(held);
}

} // namespace tune_gemm::test

void* operator new(std::size_t size) {
    return take_or_throw(size, usual);
}
void* operator new[](std::size_t size) {
    return take_or_throw(size, usual);
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
    return take(size, usual);
}
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept {
    return take(size, usual);
}
void* operator new(std::size_t size, std::align_val_t align) {
    return take_or_throw(size, static_cast<std::size_t>(align));
}
void* operator new[](std::size_t size, std::align_val_t align) {
    return take_or_throw(size, static_cast<std::size_t>(align));
}
void* operator new(std::size_t size, std::align_val_t align, const std::nothrow_t&) noexcept {
    return take(size, static_cast<std::size_t>(align));
}
void* operator new[](std::size_t size, std::align_val_t align, const std::nothrow_t&) noexcept {
    return take(size, static_cast<std::size_t>(align));
}
void operator delete(void* block) noexcept {
    give_back(block);
}
void operator delete[](void* block) noexcept {
    give_back(block);
}
void operator delete(void* block, std::size_t) noexcept {
    give_back(block);
}
void operator delete[](void* block, std::size_t) noexcept {
    give_back(block);
}
void operator delete(void* block, const std::nothrow_t&) noexcept {
    give_back(block);
}
void operator delete[](void* block, const std::nothrow_t&) noexcept {
    give_back(block);
}
void operator delete(void* block, std::align_val_t) noexcept {
    give_back(block);
}
void operator delete[](void* block, std::align_val_t) noexcept {
    give_back(block);
}
void operator delete(void* block, std::size_t, std::align_val_t) noexcept {
    give_back(block);
}
void operator delete[](void* block, std::size_t, std::align_val_t) noexcept {
    give_back(block);
}
void operator delete(void* block, std::align_val_t, const std::nothrow_t&) noexcept {
    give_back(block);
}
void operator delete[](void* block, std::align_val_t, const std::nothrow_t&) noexcept {
    give_back(block);
}
