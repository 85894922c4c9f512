// Memory for what a kernel is handed: a block that ends, or begins, at a page that cannot be touched.
//
// Every memory is mapped twice. Its owner writes through one mapping; the kernel is given an address in the
// other, which lies between inaccessible pages and which it may write to or only read. So an input can be
// changed between calls without a system call, and no store through a pointer that the kernel was given can
// reach it.
//
// What lies outside the block, but inside the pages, holds canaries: signalling NaNs of the element type
// whose payload depends on the position, so that a read that goes too far poisons the result, and a write
// shows even when it copies a canary from somewhere else. Between calls the whole memory, the block included,
// holds canaries.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tune_gemm::host {

/// flush_end: the last byte is just before an inaccessible page. flush_start: the first one is just after
/// one.
enum class Placement : std::uint8_t { flush_end, flush_start };

/// Where exactly a block goes. The address is congruent to `residue` modulo `alignment` (bytes, a power of
/// two); the distance to the inaccessible page is `shift` bytes and what that costs.
struct Spot {
    Placement placement = Placement::flush_end;
    std::int64_t alignment = 1;
    std::int64_t residue = 0;
    std::int64_t shift = 0;
};

struct GuardedBlock {
    std::byte* seen = nullptr;         ///< the address to hand out
    std::byte* own = nullptr;          ///< another address of the same bytes, always writable
    const std::byte* canary = nullptr; ///< what these bytes hold between calls
    std::int64_t bytes = 0;
};

/// [one thread at a time] Neither copyable nor movable: the crash note knows its address.
class GuardedMemory {
  public:
    /// Address space only: a stride too many stays inside.
    static constexpr std::int64_t usual_guard = std::int64_t{1} << 20;
    enum class Rights : std::uint8_t { read_only, read_write };

    /// `name` is a literal ("A", "the workspace"), told when the memory is touched where it must not be.
    /// Blocks may take up to `capacity` bytes, alignment and shift included. `element_bytes`, 4 or 8, gives
    /// the canaries their type. `guard_bytes`: of inaccessible pages on each side. Throws Error (failed) when
    /// the system refuses.
    GuardedMemory(const char* name, std::int64_t capacity, Rights, std::int64_t element_bytes,
                  std::int64_t guard_bytes = usual_guard);
    ~GuardedMemory();
    GuardedMemory(const GuardedMemory&) = delete;
    GuardedMemory& operator=(const GuardedMemory&) = delete;

    /// Places the one block of this memory. 0 bytes give an address that cannot be touched. Throws Error
    /// (failed) when it does not fit.
    GuardedBlock place(std::int64_t bytes, const Spot&);
    /// Puts the canaries back over the block and over `margin` bytes on both sides.
    void restore(std::int64_t margin = 0) noexcept;
    /// Puts them back over the first and the last `bytes` bytes of the block and over `margin` bytes beyond
    /// both ends.
    void restore_ends(std::int64_t bytes, std::int64_t margin) noexcept;
    /// The first byte, counted from the start of the block, that does not hold its canary: in the block and
    /// `margin` bytes on both sides of it.
    std::optional<std::int64_t> disturbed(std::int64_t margin) const noexcept;
    /// Where, around the block but not in it, a byte within `margin` does not hold its canary, as in "8 bytes
    /// past the end of C"; empty when nowhere.
    std::string disturbed_around(std::int64_t margin) const;
    /// As disturbed, for the whole memory.
    std::optional<std::int64_t> disturbed_anywhere() const noexcept;

    /// An address that cannot be touched.
    const void* outside() const noexcept { return mapped_; }
    /// Puts the canaries back over `bytes` bytes at an owner's address.
    void restore_at(std::byte* own, std::size_t bytes) noexcept;
    std::int64_t block_bytes() const noexcept { return bytes_; }

    const char* name() const noexcept { return name_; }
    std::int64_t capacity() const noexcept { return accessible_; }

  private:
    void restore_between(std::int64_t first, std::int64_t last) noexcept;
    std::optional<std::int64_t> disturbed_between(std::int64_t first, std::int64_t last) const noexcept;

    const char* name_;
    std::int64_t guard_ = 0;      ///< bytes of inaccessible pages on each side
    std::int64_t accessible_ = 0; ///< bytes between them
    std::byte* mapped_ = nullptr; ///< what the kernel sees, guards included
    std::byte* own_ = nullptr;    ///< the accessible part again
    std::vector<std::byte> canary_;
    std::int64_t offset_ = 0, bytes_ = 0; ///< of the block
    std::size_t slot_ = 0;                ///< in the table of known memories
};

/// Says where an address lies in relation to a known block, as in "8 bytes past the end of A". Writes at most
/// `room` bytes to `out` and returns how many; 0 when the address belongs to no guarded memory. Allocates
/// nothing and takes no lock, so it may be called in a signal handler.
std::size_t describe_address(const void* address, char* out, std::size_t room) noexcept;

} // namespace tune_gemm::host
