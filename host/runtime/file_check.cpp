#include "runtime/file_check.hpp"

#include "runtime/elf_file.hpp"

#include <tune_gemm/error.hpp>

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <string>
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

std::string architecture_text(const ElfFile::Header& header) {
    return fmt::format("{} bits, {} byte first, ELF machine {}",
                       header.e_ident[EI_CLASS] == ELFCLASS32 ? 32 : 64,
                       header.e_ident[EI_DATA] == ELFDATA2MSB ? "high" : "low", header.e_machine);
}

void check_header(ElfFile& file) {
    if (file.size() == 0)
        file.fail("it is empty.");
    char magic[8] = {};
    file.read(magic, 0, std::min<std::uint64_t>(file.size(), sizeof magic), "its beginning");
    if (std::string_view(magic, sizeof magic) == "!<arch>\n")
        file.fail("it is a static library; a plugin is a shared one, linked with -shared.");
    if (std::memcmp(magic, ELFMAG, SELFMAG) != 0)
        file.fail("it is no shared library: it does not begin as an ELF file does.");
    const ElfFile::Header& header = file.header();

    // This program is an ELF file of the architecture that is wanted.
    const ElfFile::Header own = ElfFile("/proc/self/exe").header();
    if (header.e_ident[EI_CLASS] != own.e_ident[EI_CLASS] ||
        header.e_ident[EI_DATA] != own.e_ident[EI_DATA] || header.e_machine != own.e_machine)
        file.fail("it is for another architecture ({}) than this program ({}).", architecture_text(header),
                  architecture_text(own));
    if (header.e_type == ET_REL)
        file.fail("it is an object file, not yet linked; link it with -shared.");
    if (header.e_type != ET_DYN)
        file.fail("it is {}, not a shared library; link it with -shared.",
                  header.e_type == ET_EXEC ? std::string("a program")
                                           : fmt::format("of ELF type {}", header.e_type));
}

void check_dynamic(const ElfFile& file, const ElfFile::Segment& segment) {
    file.require_inside(segment.p_offset, segment.p_filesz, "the dynamic section");
    for (const ElfW(Dyn) & entry :
         file.read_table<ElfW(Dyn)>(segment.p_offset, segment.p_filesz / sizeof(ElfW(Dyn)), sizeof(ElfW(Dyn)),
                                    "the dynamic section")) {
        if (entry.d_tag == DT_NULL)
            break;
        if (entry.d_tag == DT_TEXTREL || (entry.d_tag == DT_FLAGS && (entry.d_un.d_val & DF_TEXTREL)))
            file.fail("its code has to be patched as it is loaded (TEXTREL); compile all of it with -fPIC.");
        if (entry.d_tag == DT_FLAGS_1 && (entry.d_un.d_val & DF_1_PIE))
            file.fail("it is a program, not a shared library; link it with -shared.");
    }
}

void check_segments(ElfFile& file) {
    bool stack_told = false;
    for (const ElfFile::Segment& segment : file.segments()) {
        if (segment.p_type == PT_LOAD)
            file.require_inside(segment.p_offset, segment.p_filesz, "a segment");
        if (segment.p_type == PT_DYNAMIC)
            check_dynamic(file, segment);
        if (segment.p_type == PT_GNU_STACK) {
            stack_told = true;
            if (segment.p_flags & PF_X)
                file.fail(
                    "it asks for an executable stack; link it with -z noexecstack (and end assembly files "
                    "with a "
                    ".note.GNU-stack section).");
        }
    }
    if (!stack_told)
        file.fail("it does not say that its stack is not executable; link it with -z noexecstack.");
}

/// What Boost.DLL goes through to find the symbols.
void check_sections(ElfFile& file) {
    const ElfFile::Header& header = file.header();
    if (header.e_shoff == 0 || header.e_shnum == 0)
        file.fail("it has no table of sections, so its symbols cannot be read; strip it with strip(1) only.");
    const auto sections = file.sections();
    if (header.e_shstrndx >= sections.size())
        file.fail("it is damaged: the names of its sections are said to be in section {} of {}.",
                  header.e_shstrndx, sections.size());
    for (const ElfW(Shdr) & section : sections) {
        if (section.sh_type != SHT_NOBITS && section.sh_type != SHT_NULL)
            file.require_inside(section.sh_offset, section.sh_size, "a section");
        const bool symbols = section.sh_type == SHT_SYMTAB || section.sh_type == SHT_DYNSYM;
        if (symbols && (section.sh_size == 0 || section.sh_size % sizeof(ElfW(Sym)) != 0))
            file.fail("it is damaged: a symbol table of {} bytes.", section.sh_size);
    }
    if (sections[header.e_shstrndx].sh_type != SHT_STRTAB)
        file.fail("it is damaged: the names of its sections are not in a table of strings.");
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
    ElfFile file(path);
    check_header(file);
    check_segments(file);
    check_sections(file);
}

} // namespace tune_gemm::host
