#include "runtime/memory.hpp"

#include "report/units.hpp"
#include "store/text_file.hpp"

#include <tune_gemm/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <optional>
#include <sstream>
#include <vector>

#include <sys/resource.h>
#include <unistd.h>

namespace tune_gemm::host {
namespace {

constexpr std::int64_t unlimited = std::numeric_limits<std::int64_t>::max();

std::optional<std::int64_t> parse_number(std::string_view text) {
    text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
    std::int64_t number = 0;
    if (std::from_chars(text.data(), text.data() + text.size(), number).ec != std::errc{})
        return std::nullopt;
    return number;
}

std::optional<std::int64_t> read_number(const std::filesystem::path& file) {
    return parse_number(read_text_or_empty(file));
}

/// The number after `key` at the start of a line.
std::optional<std::int64_t> read_line_number(const std::filesystem::path& file, std::string_view key) {
    std::istringstream lines(read_text_or_empty(file));
    for (std::string line; std::getline(lines, line);) {
        if (line.starts_with(key))
            return parse_number(std::string_view(line).substr(key.size()));
    }
    return std::nullopt;
}

/// Keeps the lesser of two.
void limit_to(AvailableMemory& memory, std::int64_t bytes, std::string_view set_by) {
    bytes = std::max<std::int64_t>(bytes, 0);
    if (bytes < memory.bytes)
        memory = {bytes, std::string(set_by)};
}

/// `status` is what getrlimit said about `limit`.
void limit_to_resource(AvailableMemory& memory, int status, const rlimit& limit, std::int64_t used,
                       std::string_view set_by) {
    if (status == 0 && limit.rlim_cur != RLIM_INFINITY && limit.rlim_cur < static_cast<rlim_t>(unlimited))
        limit_to(memory, static_cast<std::int64_t>(limit.rlim_cur) - used, set_by);
}

/// What this process has mapped in all, and of that as data, in bytes (proc(5), statm).
struct Mapped {
    std::int64_t all = 0, data = 0;
};
Mapped mapped(const std::filesystem::path& proc) {
    std::istringstream statm(read_text_or_empty(proc / "self" / "statm"));
    std::int64_t all = 0, resident = 0, shared = 0, text = 0, library = 0, data = 0;
    statm >> all >> resident >> shared >> text >> library >> data;
    const std::int64_t page = sysconf(_SC_PAGESIZE);
    return {all * page, data * page};
}

/// The files in which one version of control groups keeps its figures.
struct GroupFiles {
    const char *limit, *usage, *reclaimable;
};
constexpr GroupFiles version_1{"memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file "};
constexpr GroupFiles version_2{"memory.max", "memory.current", "inactive_file "};

/// A group and those above it: each of them limits. Inside a container the path may lead nowhere; then its
/// root counts.
void limit_to_groups(AvailableMemory& memory, const std::filesystem::path& mount, std::string group,
                     const GroupFiles& files) {
    for (;;) {
        const std::filesystem::path folder = mount / std::filesystem::path(group).relative_path();
        const auto limit = read_number(folder / files.limit); // "max" is no number: no limit
        const auto used = read_number(folder / files.usage);
        if (limit && used) {
            const std::int64_t reclaimable =
                read_line_number(folder / "memory.stat", files.reclaimable).value_or(0);
            limit_to(memory, *limit - std::max<std::int64_t>(*used - reclaimable, 0),
                     "the memory limit of the control group");
        }
        const std::size_t slash = group.rfind('/');
        if (group.empty() || slash == std::string::npos)
            return;
        group.resize(slash);
    }
}

void limit_to_groups(AvailableMemory& memory, const MemorySources& sources) {
    std::istringstream lines(read_text_or_empty(sources.proc / "self" / "cgroup"));
    for (std::string line;
         std::getline(lines, line);) { // "4:memory:/a/b" (version 1) or "0::/a/b" (version 2)
        const std::size_t first = line.find(':');
        const std::size_t second = first == std::string::npos ? first : line.find(':', first + 1);
        if (second == std::string::npos)
            continue;
        const std::string controllers = "," + line.substr(first + 1, second - first - 1) + ",";
        const std::string group = line.substr(second + 1);
        if (controllers.find(",memory,") != std::string::npos) {
            limit_to_groups(memory, sources.cgroup / "memory", group, version_1);
        } else if (controllers == ",,") {
            limit_to_groups(memory, sources.cgroup, group, version_2);
            limit_to_groups(memory, sources.cgroup / "unified", group, version_2);
        }
    }
}

} // namespace

AvailableMemory available_memory(const MemorySources& sources) {
    AvailableMemory memory{unlimited, ""};
    if (const auto kibibytes = read_line_number(sources.proc / "meminfo", "MemAvailable:"))
        limit_to(memory, *kibibytes * 1024, "the free memory of the system");
    const Mapped now = mapped(sources.proc);
    rlimit address_space{}, data{};
    limit_to_resource(memory, getrlimit(RLIMIT_AS, &address_space), address_space, now.all,
                      "the limit on address space (ulimit -v)");
    limit_to_resource(memory, getrlimit(RLIMIT_DATA, &data), data, now.data, "the limit on data (ulimit -d)");
    limit_to_groups(memory, sources);
    return memory;
}

void require_memory(std::int64_t bytes, std::string_view what, const MemorySources& sources) {
    if (bytes < 0)
        throw_bad_input(fmt::format("{}: {} bytes are no amount of memory", what, bytes));
    const AvailableMemory memory = available_memory(sources);
    if (bytes > memory.bytes)
        throw_bad_input(fmt::format("{} would take {} of memory, and {} allows {}: make the problem smaller",
                                    what, bytes_text(bytes), memory.set_by, bytes_text(memory.bytes)));
}

} // namespace tune_gemm::host
