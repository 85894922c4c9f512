#include "runtime/dynamic_symbols.hpp"

#include "runtime/elf_file.hpp"

namespace tune_gemm::host {
namespace {

const ElfFile::Section& linked_section(const ElfFile& file, const std::vector<ElfFile::Section>& sections,
                                       const ElfFile::Section& section) {
    if (section.sh_link >= sections.size())
        file.fail("it is damaged: section {} of {} is said to hold names.", section.sh_link, sections.size());
    return sections[section.sh_link];
}

template <class Entry>
std::vector<Entry> entries_of(const ElfFile& file, const ElfFile::Section& section, std::string_view what) {
    return file.read_table<Entry>(section.sh_offset, section.sh_size / sizeof(Entry), section.sh_entsize,
                                  what);
}

void add_symbols(const ElfFile& file, const ElfFile::Section& section, const std::string& names,
                 DynamicTables& tables) {
    for (const ElfW(Sym) & symbol : entries_of<ElfW(Sym)>(file, section, "the table of symbols")) {
        using Binding = DynamicSymbol::Binding;
        const auto binding = symbol.st_info >> 4; // the same in both sizes of ELF
        const auto visibility = symbol.st_other & 3;
        const std::string_view name = file.text_in(names, symbol.st_name);
        if (binding == STB_LOCAL || name.empty() || visibility == STV_HIDDEN || visibility == STV_INTERNAL)
            continue;
        tables.symbols.push_back({std::string(name),
                                  binding == STB_GNU_UNIQUE ? Binding::unique
                                  : binding == STB_WEAK     ? Binding::weak
                                                            : Binding::global,
                                  symbol.st_shndx != SHN_UNDEF});
    }
}

} // namespace

DynamicTables read_dynamic_tables(const std::filesystem::path& path) {
    ElfFile file(path);
    const auto sections = file.sections();
    DynamicTables tables;
    for (const ElfFile::Section& section : sections) {
        if (section.sh_type != SHT_DYNSYM && section.sh_type != SHT_DYNAMIC)
            continue;
        const std::string names = file.contents(linked_section(file, sections, section));
        if (section.sh_type == SHT_DYNSYM)
            add_symbols(file, section, names, tables);
        else
            for (const ElfW(Dyn) & entry : entries_of<ElfW(Dyn)>(file, section, "the dynamic section")) {
                if (entry.d_tag == DT_NULL)
                    break;
                if (entry.d_tag == DT_NEEDED)
                    tables.needed.emplace_back(file.text_in(names, entry.d_un.d_val));
            }
    }
    return tables;
}

} // namespace tune_gemm::host
