// Reading a plugin's descriptors. Their fields may hold anything: nothing is followed, measured or believed
// before it has been judged, and every text and array is read to a bound.
#pragma once
#include <tune_gemm/abi.h>
#include <tune_gemm/catalogue.hpp>
#include <tune_gemm/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>

namespace tune_gemm::descriptor {

/// What is judged, for the beginning of every sentence: a kernel, or one of its tiles.
class Subject {
  public:
    explicit Subject(std::string name) : name_(std::move(name)) {}

    template <class... Values>
    [[noreturn]] void fail(fmt::format_string<Values...> format, Values&&... values) const {
        throw Error(ErrorKind::failed,
                    fmt::format("{}: {}", name_, fmt::format(format, std::forward<Values>(values)...)));
    }
    /// value <= most, or a failure with the field's name.
    void at_most(std::string_view field, std::uint32_t value, std::uint32_t most) const {
        if (value > most)
            fail("{} = {} is larger than {}.", field, value, most);
    }
    Subject part(std::string_view name) const { return Subject(fmt::format("{}, {}", name_, name)); }

  private:
    std::string name_;
};

template <class T>
bool is_aligned(const T* address) noexcept {
    return reinterpret_cast<std::uintptr_t>(address) % alignof(T) == 0;
}

/// Copies min(struct_size, sizeof own) bytes into zeros; the rest stays zero, which means "absent". `least`
/// is the size of the struct in minor version 0; structs only grow, so none is smaller. False when it is not
/// to be read.
template <class T>
bool copy_struct(const T* source, std::size_t least, T& own) noexcept {
    std::uint32_t size = 0;
    if (!source || !is_aligned(source))
        return false;
    std::memcpy(&size, source, sizeof size);
    if (size < least)
        return false;
    own = T{};
    std::memcpy(&own, source, std::min<std::size_t>(size, sizeof own));
    return true;
}

// The sizes in minor version 0, on machines with 64-bit pointers.
inline constexpr std::size_t least_kernel = 104, least_tile = 72, least_gemm = 32;
static_assert(least_kernel <= sizeof(tg_kernel) && least_tile <= sizeof(tg_tile) &&
              least_gemm <= sizeof(tg_gemm));

template <class T>
T read_struct(const T* source, std::size_t least, const Subject& subject, std::string_view what) {
    T own{};
    if (copy_struct(source, least, own))
        return own;
    if (!source)
        subject.fail("{} is a null pointer.", what);
    if (!is_aligned(source))
        subject.fail("{} lies at an address that is not a multiple of {}.", what, alignof(T));
    std::uint32_t size = 0;
    std::memcpy(&size, source, sizeof size);
    subject.fail("struct_size = {} of {} is smaller than the {} bytes of the interface's first version; "
                 "write its own sizeof.",
                 size, what, least);
}

/// The text up to its end, or up to `longest` + 1 bytes when it has no end before.
inline std::string_view bounded(const char* source, std::size_t longest) noexcept {
    return {source, source ? strnlen(source, longest + 1) : 0};
}

/// Entries of a null-terminated array of pointers: at most `most`, and most + 1 when there are more.
template <class T>
std::size_t count_entries(const T* const* entries, std::size_t most) noexcept {
    std::size_t count = 0;
    while (count <= most && entries[count])
        ++count;
    return count;
}

/// Copies one tile out, without the access forms that we do not know when it may be `later` than we are.
/// Throws as describe_kernel does.
TileInfo describe_tile(const tg_tile*, bool later, const Subject&);

} // namespace tune_gemm::descriptor
