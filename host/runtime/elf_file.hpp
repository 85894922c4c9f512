// The tables of a shared library's file. Every number in them is a claim: each is compared with the file's
// size before it is used.
#pragma once
#include "store/open_file.hpp"

#include <tune_gemm/error.hpp>

#include <fmt/format.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <link.h>

namespace tune_gemm::host {

class ElfFile {
  public:
    using Header = ElfW(Ehdr);
    using Segment = ElfW(Phdr);
    using Section = ElfW(Shdr);

    /// Throws Error (bad_input) when it cannot be opened.
    explicit ElfFile(const std::filesystem::path&);

    /// Throws Error (failed): "PATH: sentence".
    template <class... Arguments>
    [[noreturn]] void fail(fmt::format_string<Arguments...> sentence, Arguments&&... arguments) const {
        throw Error(ErrorKind::failed,
                    fmt::format("{}: {}", file_.path().string(),
                                fmt::format(sentence, std::forward<Arguments>(arguments)...)));
    }

    std::uint64_t size() const noexcept { return size_; }
    void require_inside(std::uint64_t offset, std::uint64_t count, std::string_view what) const;
    /// Bytes of the file; `what` is in the sentence when they are not all there.
    void read(void* to, std::uint64_t offset, std::uint64_t count, std::string_view what) const;
    template <class Entry>
    std::vector<Entry> read_table(std::uint64_t offset, std::size_t count, std::size_t entry_size,
                                  std::string_view what) const {
        if (count != 0 && entry_size != sizeof(Entry))
            fail("it is damaged: an entry of {} has {} bytes instead of {}.", what, entry_size,
                 sizeof(Entry));
        require_inside(offset, count * sizeof(Entry), what);
        std::vector<Entry> entries(count);
        if (count != 0)
            read(entries.data(), offset, count * sizeof(Entry), what);
        return entries;
    }

    /// The header, read at its first use.
    const Header& header();
    std::vector<Segment> segments();
    std::vector<Section> sections();
    /// The bytes of a section, and a text in it, which begins at `offset` and ends with a zero.
    std::string contents(const Section&) const;
    std::string_view text_in(const std::string& table, std::uint64_t offset) const;

  private:
    OpenFile file_;
    std::uint64_t size_ = 0;
    Header header_{};
    bool header_read_ = false;
};

} // namespace tune_gemm::host
