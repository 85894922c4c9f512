#include "worker/guarded_memory.hpp"

#include <tune_gemm/checked.hpp>
#include <tune_gemm/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <string_view>
#include <sys/mman.h>
#include <unistd.h>

namespace tune_gemm::host {
namespace {

/// What a signal handler may want to know of a memory. Atomics, since it may run between any two
/// instructions.
struct KnownMemory {
    std::atomic<const char*> name{nullptr}; // null: the slot is free
    std::atomic<std::uintptr_t> first{0}, last{0}, block_first{0}, block_last{0};
};
std::array<KnownMemory, 32> known_memories;

std::size_t take_slot(const char* name) {
    for (std::size_t slot = 0; slot < known_memories.size(); ++slot) {
        const char* free_slot = nullptr;
        if (known_memories[slot].name.compare_exchange_strong(free_slot, name))
            return slot;
    }
    throw Error(
        ErrorKind::failed,
        fmt::format("There is no room for a further guarded memory; {} are in use.", known_memories.size()));
}

std::uintptr_t number(const void* address) {
    return reinterpret_cast<std::uintptr_t>(address);
}

/// A signalling NaN whose payload follows from the position: quiet bit clear, payload never 0.
template <class Bits>
Bits canary_of(std::uint64_t index) noexcept {
    std::uint64_t mixed = (index + 1) * 0x9E3779B97F4A7C15u;
    mixed ^= mixed >> 29;
    if constexpr (sizeof(Bits) == 8)
        return Bits{0x7FF0000000000001u} | (mixed & 0x0007FFFFFFFFFFFFu);
    else
        return Bits{0x7F800001u} | static_cast<Bits>(mixed & 0x003FFFFFu);
}

template <class Bits>
void write_canaries(std::vector<std::byte>& out) {
    for (std::size_t i = 0; i < out.size() / sizeof(Bits); ++i) {
        const Bits bits = canary_of<Bits>(i);
        std::memcpy(out.data() + i * sizeof bits, &bits, sizeof bits);
    }
}

[[noreturn]] void refuse(const char* name, std::int64_t bytes, const char* step) {
    throw Error(ErrorKind::failed, fmt::format("Guarded memory of {} bytes for {} could not be had: {}: {}.",
                                               bytes, name, step, std::strerror(errno)));
}

} // namespace

GuardedMemory::GuardedMemory(const char* name, std::int64_t capacity, Rights rights,
                             std::int64_t element_bytes, std::int64_t guard_bytes)
    : name_(name) {
    const std::int64_t page = sysconf(_SC_PAGESIZE);
    guard_ = round_up(guard_bytes, page);
    // One page more than asked: alignment and shift are part of the capacity, the canaries around are not.
    accessible_ = round_up(std::max<std::int64_t>(capacity, 1), page) + page;
    const auto size = static_cast<std::size_t>(accessible_);
    const auto whole = static_cast<std::size_t>(accessible_ + 2 * guard_);

    const int file = memfd_create("tune_gemm_guarded", MFD_CLOEXEC);
    if (file < 0)
        refuse(name, accessible_, "memfd_create");
    void* own = MAP_FAILED;
    void* mapped = MAP_FAILED;
    if (ftruncate(file, accessible_) == 0) {
        own = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
        mapped = mmap(nullptr, whole, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    }
    const int protection = rights == Rights::read_only ? PROT_READ : PROT_READ | PROT_WRITE;
    const bool done = own != MAP_FAILED && mapped != MAP_FAILED &&
                      mmap(static_cast<std::byte*>(mapped) + guard_, size, protection, MAP_SHARED | MAP_FIXED,
                           file, 0) != MAP_FAILED;
    const int error = errno;
    close(file);
    if (!done) {
        if (own != MAP_FAILED)
            munmap(own, size);
        if (mapped != MAP_FAILED)
            munmap(mapped, whole);
        errno = error;
        refuse(name, accessible_, "mmap");
    }
    own_ = static_cast<std::byte*>(own);
    mapped_ = static_cast<std::byte*>(mapped);

    canary_.resize(size);
    if (element_bytes == 8)
        write_canaries<std::uint64_t>(canary_);
    else
        write_canaries<std::uint32_t>(canary_);
    std::memcpy(own_, canary_.data(), size);

    slot_ = take_slot(name);
    known_memories[slot_].first = number(mapped_);
    known_memories[slot_].last = number(mapped_ + whole);
    place(0, {});
}

GuardedMemory::~GuardedMemory() {
    KnownMemory& known = known_memories[slot_];
    known.first = known.last = 0;
    known.name = nullptr;
    munmap(own_, static_cast<std::size_t>(accessible_));
    munmap(mapped_, static_cast<std::size_t>(accessible_ + 2 * guard_));
}

GuardedBlock GuardedMemory::place(std::int64_t bytes, const Spot& spot) {
    // Pages are aligned to more than any alignment asked for, so offsets stand for addresses.
    const std::int64_t mask = spot.alignment - 1;
    std::int64_t offset;
    if (spot.placement == Placement::flush_start)
        offset = spot.shift + ((spot.residue - spot.shift) & mask);
    else
        offset =
            accessible_ - spot.shift - bytes - ((accessible_ - spot.shift - bytes - spot.residue) & mask);
    if (bytes < 0 || offset < 0 || offset + bytes > accessible_) {
        throw Error(ErrorKind::failed,
                    fmt::format("A block of {} bytes does not fit the {} bytes of guarded memory "
                                "for {}.",
                                bytes, accessible_, name_));
    }
    // Nothing may be read or written through the address of an empty block.
    if (bytes == 0)
        offset = spot.placement == Placement::flush_start ? -64 : accessible_;
    offset_ = offset;
    bytes_ = bytes;
    std::byte* seen = mapped_ + guard_ + offset;
    known_memories[slot_].block_first.store(number(seen), std::memory_order_relaxed);
    known_memories[slot_].block_last.store(number(seen + bytes), std::memory_order_relaxed);
    return bytes == 0 ? GuardedBlock{seen, nullptr, nullptr, 0}
                      : GuardedBlock{seen, own_ + offset, canary_.data() + offset, bytes};
}

void GuardedMemory::restore(std::int64_t margin) noexcept {
    restore_between(offset_ - margin, offset_ + bytes_ + margin);
}

void GuardedMemory::restore_ends(std::int64_t bytes, std::int64_t margin) noexcept {
    restore_between(offset_ - margin, offset_ + bytes);
    restore_between(offset_ + bytes_ - bytes, offset_ + bytes_ + margin);
}

void GuardedMemory::restore_between(std::int64_t first, std::int64_t last) noexcept {
    first = std::clamp<std::int64_t>(first, 0, accessible_);
    last = std::clamp<std::int64_t>(last, first, accessible_);
    std::memcpy(own_ + first, canary_.data() + first, static_cast<std::size_t>(last - first));
}

void GuardedMemory::restore_at(std::byte* own, std::size_t bytes) noexcept {
    std::memcpy(own, canary_.data() + (own - own_), bytes);
}

std::optional<std::int64_t> GuardedMemory::disturbed(std::int64_t margin) const noexcept {
    return disturbed_between(offset_ - margin, offset_ + bytes_ + margin);
}

std::string GuardedMemory::disturbed_around(std::int64_t margin) const {
    if (const auto at = disturbed_between(offset_ - margin, offset_))
        return fmt::format("{} bytes before the start of {}", -*at, name_);
    if (const auto at = disturbed_between(offset_ + bytes_, offset_ + bytes_ + margin))
        return fmt::format("{} bytes past the end of {}", *at - bytes_, name_);
    return {};
}

std::optional<std::int64_t> GuardedMemory::disturbed_anywhere() const noexcept {
    return disturbed_between(0, accessible_);
}

std::optional<std::int64_t> GuardedMemory::disturbed_between(std::int64_t first,
                                                             std::int64_t last) const noexcept {
    first = std::clamp<std::int64_t>(first, 0, accessible_);
    last = std::clamp<std::int64_t>(last, first, accessible_);
    if (std::memcmp(own_ + first, canary_.data() + first, static_cast<std::size_t>(last - first)) == 0)
        return std::nullopt;
    const auto at = std::mismatch(own_ + first, own_ + last, canary_.data() + first).first;
    return at - own_ - offset_;
}

std::size_t describe_address(const void* address, char* out, std::size_t room) noexcept {
    const std::uintptr_t place = number(address);
    for (const KnownMemory& known : known_memories) {
        const char* name = known.name.load();
        if (name == nullptr || place < known.first.load() || place >= known.last.load())
            continue;
        const std::uintptr_t first = known.block_first.load(), last = known.block_last.load();
        std::size_t wanted;
        if (first == last)
            wanted = fmt::format_to_n(out, room, "inside {}, which has no elements", name).size;
        else if (place >= last)
            wanted = fmt::format_to_n(out, room, "{} bytes past the end of {}", place - last, name).size;
        else if (place < first)
            wanted = fmt::format_to_n(out, room, "{} bytes before the start of {}", first - place, name).size;
        else
            wanted = fmt::format_to_n(out, room, "at byte {} of {}", place - first, name).size;
        return std::min(wanted, room);
    }
    return 0;
}

} // namespace tune_gemm::host
