// What a call hands over, in memory that can only be read and ends at an inaccessible page: reading on where
// struct_size says that nothing more is there is a crash.
#pragma once
#include "worker/guarded_memory.hpp"

#include <cstring>

namespace tune_gemm::host {

template <class Arguments>
class CallArguments {
  public:
    /// `name` is a literal, told when the memory is touched where it must not be.
    explicit CallArguments(const char* name)
        : memory_(name, sizeof(Arguments) + added_by_later, GuardedMemory::Rights::read_only, 8) {}

    /// The arguments where the kernel reads them. `later`: as a host of a later minor version hands them
    /// over, with fields behind the last.
    const Arguments* put(Arguments arguments, bool later) {
        const std::size_t bytes = sizeof arguments + (later ? added_by_later : 0);
        arguments.struct_size = static_cast<std::uint32_t>(bytes);
        const GuardedBlock block =
            memory_.place(static_cast<std::int64_t>(bytes), {Placement::flush_end, alignof(Arguments)});
        std::memset(block.own, 0, bytes); // zero means absent, to a plugin that knows more than we do
        std::memcpy(block.own, &arguments, sizeof arguments);
        return reinterpret_cast<const Arguments*>(block.seen);
    }

  private:
    static constexpr std::size_t added_by_later = 64;
    GuardedMemory memory_;
};

} // namespace tune_gemm::host
