// Where the parts of a kernel's descriptor lie in its plugin's memory, and what they hold.
#pragma once
#include <tune_gemm/abi.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace tune_gemm::host {

struct DescriptorPart {
    std::string name; ///< "tg_kernel", "tiles[0]", "microkernel_id", ...
    const void* address = nullptr;
    std::vector<std::byte> bytes; ///< a copy
};

/// The kernel's struct and all that it points to: texts, lists, tiles, functions of a whole-gemm kernel.
std::vector<DescriptorPart> copy_descriptor(const tg_kernel*);

struct AddressRange {
    std::uintptr_t first, last; ///< first <= address < last
};
/// The memory of this process that can be written; empty when the system does not tell.
std::vector<AddressRange> writable_mappings();

} // namespace tune_gemm::host
