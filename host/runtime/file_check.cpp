#include "runtime/file_check.hpp"

#include "store/open_file.hpp"

#include <tune_gemm/error.hpp>

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <string_view>
#include <vector>

#include <fcntl.h>
#include <link.h>
#include <sys/stat.h>
#include <unistd.h>

namespace tune_gemm::host {
namespace fs = std::filesystem;
namespace {

std::int64_t nanoseconds(const timespec& time) noexcept {
    return time.tv_sec * 1'000'000'000 + time.tv_nsec;
}

std::string_view kind_of(mode_t mode) noexcept {
    switch (mode & S_IFMT) {
    case S_IFDIR:
        return "a folder";
    case S_IFIFO:
        return "a FIFO";
    case S_IFSOCK:
        return "a socket";
    default:
        return "a device";
    }
}

/// A library's file and its tables. Every number in it is a claim: each is compared with the file's size.
class LibraryFile {
  public:
    explicit LibraryFile(const fs::path& path) : path_(path), file_(path, O_RDONLY | O_NONBLOCK) {
        size_ = static_cast<std::uint64_t>(file_.size());
    }

    void check() {
        check_header();
        check_segments();
        check_sections();
    }

  private:
    template <class... Arguments>
    [[noreturn]] void fail(fmt::format_string<Arguments...> sentence, Arguments&&... arguments) const {
        throw Error(ErrorKind::failed,
                    fmt::format("{}: {}", path_.string(),
                                fmt::format(sentence, std::forward<Arguments>(arguments)...)));
    }

    /// Bytes of the file; `what` is in the sentence when they are not all there.
    void read(void* to, std::uint64_t offset, std::uint64_t count, std::string_view what) const {
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

    void require_inside(std::uint64_t offset, std::uint64_t count, std::string_view what) const {
        if (offset > size_ || count > size_ - offset)
            fail("it is truncated or damaged: it has {} bytes, but {} lies at byte {} and has {}. Build or "
                 "copy it "
                 "again.",
                 size_, what, offset, count);
    }

    template <class Entry>
    std::vector<Entry> read_table(std::uint64_t offset, std::size_t count, std::size_t entry_size,
                                  std::string_view what) const {
        if (count != 0 && entry_size != sizeof(Entry))
            fail("it is damaged: an entry of {} has {} bytes instead of {}.", what, entry_size,
                 sizeof(Entry));
        std::vector<Entry> entries(count);
        if (count != 0)
            read(entries.data(), offset, count * sizeof(Entry), what);
        return entries;
    }

    void check_header();
    void check_segments();
    void check_dynamic(const ElfW(Phdr) &) const;
    void check_sections();

    fs::path path_;
    OpenFile file_;
    std::uint64_t size_ = 0;
    ElfW(Ehdr) header_{};
};

void LibraryFile::check_header() {
    if (size_ == 0)
        fail("it is empty.");
    char magic[8] = {};
    read(magic, 0, std::min<std::uint64_t>(size_, sizeof magic), "its beginning");
    if (std::string_view(magic, sizeof magic) == "!<arch>\n")
        fail("it is a static library; a plugin is a shared one, linked with -shared.");
    if (std::memcmp(magic, ELFMAG, SELFMAG) != 0)
        fail("it is no shared library: it does not begin as an ELF file does.");
    read(&header_, 0, sizeof header_, "its header");

    // This program is an ELF file of the architecture that is wanted.
    ElfW(Ehdr) own{};
    const OpenFile self("/proc/self/exe", O_RDONLY);
    if (::pread(self.get(), &own, sizeof own, 0) != static_cast<ssize_t>(sizeof own))
        fail("it cannot be compared with /proc/self/exe, which cannot be read.");
    if (header_.e_ident[EI_CLASS] != own.e_ident[EI_CLASS] ||
        header_.e_ident[EI_DATA] != own.e_ident[EI_DATA] || header_.e_machine != own.e_machine)
        fail("it is for another architecture (ELF class {}, machine {}) than this program (class {}, machine "
             "{}).",
             header_.e_ident[EI_CLASS], header_.e_machine, own.e_ident[EI_CLASS], own.e_machine);
    if (header_.e_type == ET_REL)
        fail("it is an object file, not yet linked; link it with -shared.");
    if (header_.e_type != ET_DYN)
        fail("it is no shared library (ELF type {}); link it with -shared.", header_.e_type);
}

void LibraryFile::check_segments() {
    bool stack_told = false;
    for (const ElfW(Phdr) & segment : read_table<ElfW(Phdr)>(header_.e_phoff, header_.e_phnum,
                                                             header_.e_phentsize, "the table of segments")) {
        if (segment.p_type == PT_LOAD)
            require_inside(segment.p_offset, segment.p_filesz, "a segment");
        if (segment.p_type == PT_DYNAMIC)
            check_dynamic(segment);
        if (segment.p_type == PT_GNU_STACK) {
            stack_told = true;
            if (segment.p_flags & PF_X)
                fail("it asks for an executable stack; link it with -z noexecstack (and end assembly files "
                     "with a "
                     ".note.GNU-stack section).");
        }
    }
    if (!stack_told)
        fail("it does not say that its stack is not executable; link it with -z noexecstack.");
}

void LibraryFile::check_dynamic(const ElfW(Phdr) & segment) const {
    require_inside(segment.p_offset, segment.p_filesz, "the dynamic section");
    for (const ElfW(Dyn) & entry :
         read_table<ElfW(Dyn)>(segment.p_offset, segment.p_filesz / sizeof(ElfW(Dyn)), sizeof(ElfW(Dyn)),
                               "the dynamic section")) {
        if (entry.d_tag == DT_NULL)
            break;
        if (entry.d_tag == DT_TEXTREL || (entry.d_tag == DT_FLAGS && (entry.d_un.d_val & DF_TEXTREL)))
            fail("its code has to be patched as it is loaded (TEXTREL); compile all of it with -fPIC.");
    }
}

/// What Boost.DLL goes through to find the symbols.
void LibraryFile::check_sections() {
    if (header_.e_shoff == 0 || header_.e_shnum == 0)
        fail("it has no table of sections, so its symbols cannot be read; strip it with strip(1) only.");
    const auto sections = read_table<ElfW(Shdr)>(header_.e_shoff, header_.e_shnum, header_.e_shentsize,
                                                 "the table of sections");
    if (header_.e_shstrndx >= sections.size())
        fail("it is damaged: the names of its sections are said to be in section {} of {}.",
             header_.e_shstrndx, sections.size());
    for (const ElfW(Shdr) & section : sections) {
        if (section.sh_type != SHT_NOBITS && section.sh_type != SHT_NULL)
            require_inside(section.sh_offset, section.sh_size, "a section");
        const bool symbols = section.sh_type == SHT_SYMTAB || section.sh_type == SHT_DYNSYM;
        if (symbols && (section.sh_size == 0 || section.sh_size % sizeof(ElfW(Sym)) != 0))
            fail("it is damaged: a symbol table of {} bytes.", section.sh_size);
    }
    if (sections[header_.e_shstrndx].sh_type != SHT_STRTAB)
        fail("it is damaged: the names of its sections are not in a table of strings.");
}

} // namespace

FileIdentity identify_file(const fs::path& path) {
    struct stat found {};
    if (::stat(path.c_str(), &found) != 0) {
        const int reason = errno;
        std::error_code error;
        const fs::path target = fs::read_symlink(path, error);
        if (!error && (reason == ENOENT || reason == ELOOP))
            throw_bad_input(fmt::format("{}: it is a link to \"{}\", and nothing is there.", path.string(),
                                        target.string()));
        throw_bad_input(system_sentence(path, "looked at", reason));
    }
    if (!S_ISREG(found.st_mode))
        throw_bad_input(
            fmt::format("{}: it is {}, not a regular file.", path.string(), kind_of(found.st_mode)));
    return {found.st_dev, found.st_ino, found.st_size, nanoseconds(found.st_mtim)};
}

void check_library_file(const fs::path& path) {
    LibraryFile(path).check();
}

} // namespace tune_gemm::host
