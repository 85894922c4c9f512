#include "conformance/descriptor_memory.hpp"

#include "conformance/descriptor.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cstring>
#include <fstream>

namespace tune_gemm::host {
namespace {

class Collector {
  public:
    void add(std::string name, const void* address, std::size_t bytes) {
        if (address == nullptr)
            return;
        const auto* first = static_cast<const std::byte*>(address);
        parts_.push_back({std::move(name), address, {first, first + bytes}});
    }
    void add_text(std::string name, const char* text) {
        if (text != nullptr)
            add(std::move(name), text, std::strlen(text) + 1);
    }
    /// A list that ends with a null pointer; gives the number of entries before it.
    template <class Entry>
    std::size_t add_list(std::string name, const Entry* const* list) {
        std::size_t entries = 0;
        if (list == nullptr)
            return entries;
        while (list[entries] != nullptr)
            ++entries;
        add(std::move(name), list, (entries + 1) * sizeof *list);
        return entries;
    }
    std::vector<DescriptorPart> take() { return std::move(parts_); }

  private:
    std::vector<DescriptorPart> parts_;
};

} // namespace

std::vector<DescriptorPart> copy_descriptor(const tg_kernel* source) {
    const tg_kernel kernel = read_descriptor(source);
    Collector collector;
    collector.add("tg_kernel", source, source->struct_size);
    collector.add_text("microkernel_id", kernel.microkernel_id);
    collector.add_text("summary", kernel.summary);
    const std::size_t features = collector.add_list("cpu", kernel.cpu);
    for (std::size_t at = 0; at < features; ++at)
        collector.add_text(fmt::format("cpu[{}]", at), kernel.cpu[at]);
    const std::size_t tiles = collector.add_list("tiles", kernel.tiles);
    for (std::size_t at = 0; at < tiles; ++at)
        collector.add(fmt::format("tiles[{}]", at), kernel.tiles[at], kernel.tiles[at]->struct_size);
    if (kernel.gemm != nullptr)
        collector.add("gemm", kernel.gemm, kernel.gemm->struct_size);
    return collector.take();
}

std::vector<AddressRange> writable_mappings() {
    std::vector<AddressRange> ranges;
    std::ifstream maps("/proc/self/maps");
    for (std::string line; std::getline(maps, line);) {
        // "55d0c0a3e000-55d0c0a40000 rw-p ..."
        AddressRange range{};
        const char* end = line.data() + line.size();
        const auto first = std::from_chars(line.data(), end, range.first, 16);
        if (first.ec != std::errc() || first.ptr == end)
            continue;
        const auto last = std::from_chars(first.ptr + 1, end, range.last, 16);
        if (last.ec == std::errc() && end - last.ptr > 2 && last.ptr[2] == 'w')
            ranges.push_back(range);
    }
    return ranges;
}

} // namespace tune_gemm::host
