#include "runtime/elf_file.hpp"

#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <unistd.h>

namespace tune_gemm::host {

ElfFile::ElfFile(const std::filesystem::path& path)
    : file_(path, O_RDONLY | O_NONBLOCK), size_(static_cast<std::uint64_t>(file_.size())) {}

void ElfFile::require_inside(std::uint64_t offset, std::uint64_t count, std::string_view what) const {
    if (offset > size_ || count > size_ - offset)
        fail("it is truncated or damaged: it has {} bytes, but {} lies at byte {} and has {}. Build or copy "
             "it "
             "again.",
             size_, what, offset, count);
}

void ElfFile::read(void* to, std::uint64_t offset, std::uint64_t count, std::string_view what) const {
    require_inside(offset, count, what);
    auto* bytes = static_cast<char*>(to);
    while (count > 0) {
        const ssize_t got = ::pread(file_.get(), bytes, count, static_cast<off_t>(offset));
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            fail("it cannot be read ({}).", got == 0 ? "it just became shorter" : std::strerror(errno));
        bytes += got;
        offset += static_cast<std::uint64_t>(got);
        count -= static_cast<std::uint64_t>(got);
    }
}

const ElfFile::Header& ElfFile::header() {
    if (!header_read_)
        read(&header_, 0, sizeof header_, "its header");
    header_read_ = true;
    return header_;
}

std::vector<ElfFile::Segment> ElfFile::segments() {
    return read_table<Segment>(header().e_phoff, header().e_phnum, header().e_phentsize,
                               "the table of segments");
}

std::vector<ElfFile::Section> ElfFile::sections() {
    return read_table<Section>(header().e_shoff, header().e_shnum, header().e_shentsize,
                               "the table of sections");
}

std::string ElfFile::contents(const Section& section) const {
    require_inside(section.sh_offset, section.sh_size, "a section");
    std::string bytes(section.sh_size, '\0');
    read(bytes.data(), section.sh_offset, section.sh_size, "a section");
    return bytes;
}

std::string_view ElfFile::text_in(const std::string& table, std::uint64_t offset) const {
    const std::size_t end = offset < table.size() ? table.find('\0', offset) : std::string::npos;
    if (end == std::string::npos)
        fail("it is damaged: a name is said to begin at byte {} of a table of {}.", offset, table.size());
    return std::string_view(table).substr(offset, end - offset);
}

} // namespace tune_gemm::host
