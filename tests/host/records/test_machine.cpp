// What is found out about the machine: processor, memory, environment.
#include "records/child.hpp"
#include "records/temp_folder.hpp"
#include "runtime/cpu.hpp"
#include "runtime/environment_record.hpp"
#include "runtime/memory.hpp"
#include "store/text_file.hpp"
#include "test_core/errors.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <sstream>

using namespace tune_gemm;
using namespace tune_gemm::host;
using namespace tune_gemm::test;
namespace fs = std::filesystem;

namespace {

void write(const fs::path& path, const std::string& text) {
    fs::create_directories(path.parent_path());
    std::ofstream(path) << text << '\n';
}

} // namespace

TEST_CASE("missing processor features are named, unknown ones as such") {
    CpuInfo cpu;
    cpu.features = {"made_up_here", "sse2"};
    CHECK(missing_features({}, cpu).empty());
    CHECK(missing_features(std::vector<std::string>{"sse2"}, cpu).empty());
    CHECK(missing_features(std::vector<std::string>{"quux", "sse2", "AVX"}, cpu) ==
          std::vector<std::string>{"quux (not a feature that is known here)",
                                   "AVX (not a feature that is known here)"});
#if defined(__x86_64__)
    CHECK(missing_features(std::vector<std::string>{"avx512f", "avx2"}, cpu) ==
          std::vector<std::string>{"avx512f", "avx2"});
    CHECK(missing_features(std::vector<std::string>{"sse2", "cmov"}).empty()); // every x86-64 has them
    CHECK(missing_features(std::vector<std::string>{"avx512"}, cpu) ==
          std::vector<std::string>{"avx512 (not a feature that is known here; did you mean avx512f?)"});
#endif
}

TEST_CASE("features agree with those that the kernel lists") {
    std::istringstream lines(read_text_or_empty("/proc/cpuinfo"));
    std::set<std::string> listed;
    for (std::string line; listed.empty() && std::getline(lines, line);) {
        if (!line.starts_with("flags") && !line.starts_with("Features"))
            continue;
        std::istringstream words(line.substr(line.find(':') + 1));
        for (std::string word; words >> word;)
            listed.insert(word);
    }
    REQUIRE(!listed.empty());
    const auto& features = cpu_info().features;
    CHECK(std::is_sorted(features.begin(), features.end()));
    const std::vector<std::string> known = known_features();
    // A system may use less than the processor has, but never more.
    for (const std::string& name : listed) {
        CAPTURE(name);
        if (std::find(known.begin(), known.end(), name) != known.end())
            CHECK(std::binary_search(features.begin(), features.end(), name));
    }
    for (const std::string name :
         {"sse2", "sse4_2", "avx", "avx2", "fma", "f16c", "bmi2", "avx512f", "avx512vl"}) {
        CAPTURE(name);
        CHECK(std::binary_search(features.begin(), features.end(), name) == (listed.count(name) == 1));
    }
}

TEST_CASE("caches are read from sysfs by level, kind and sharing") {
    const TempFolder folder;
    const auto cache = [&](int index, const std::string& level, const std::string& type,
                           const std::string& size, const std::string& shared) {
        const fs::path one = folder / ("index" + std::to_string(index));
        write(one / "level", level);
        write(one / "type", type);
        write(one / "size", size);
        write(one / "ways_of_associativity", "12");
        write(one / "coherency_line_size", "64");
        write(one / "shared_cpu_list", shared);
    };
    CHECK(read_sysfs_caches(folder.path()).empty());
    cache(0, "3", "Unified", "32M", "0-7,16-23");
    cache(1, "1", "Instruction", "32K", "0,16");
    cache(2, "1", "Data", "48K", "0,16");
    cache(3, "2", "Unified", "1024K", "0");
    CHECK(read_sysfs_caches(folder.path()) ==
          std::vector<Cache>{{1, Cache::Kind::data, 48 << 10, 12, 64, 2},
                             {1, Cache::Kind::instruction, 32 << 10, 12, 64, 2},
                             {2, Cache::Kind::unified, 1 << 20, 12, 64, 1},
                             {3, Cache::Kind::unified, 32 << 20, 12, 64, 16}});
    CpuInfo cpu;
    cpu.caches = read_sysfs_caches(folder.path());
    CHECK(last_level_cache_bytes(cpu) == 0); // not said to be known
    cpu.last_level_known = true;
    CHECK(last_level_cache_bytes(cpu) == 32 << 20);
    CHECK(cache_text(cpu.caches[0]) == "L1d 48 KiB");
    CHECK(cache_text(cpu.caches[3]) == "L3 32 MiB");
    CHECK(read_sysfs_caches(folder / "gone").empty());
}

namespace {

/// A machine with 1000 MiB free and a control group.
struct FakeMachine {
    TempFolder folder;
    MemorySources sources{folder / "proc", folder / "cgroup"};
    FakeMachine() { write(sources.proc / "meminfo", "MemTotal: 5000000 kB\nMemAvailable:    1024000 kB"); }
};

constexpr std::int64_t mib = std::int64_t{1} << 20;

} // namespace

TEST_CASE("available memory is the system's free memory where nothing limits it further") {
    const FakeMachine machine;
    CHECK(available_memory(machine.sources).bytes == 1000 * mib);
    check_words(available_memory(machine.sources).set_by, {"free memory"});
    CHECK(available_memory({machine.folder / "gone", machine.folder / "gone"}).bytes ==
          std::numeric_limits<std::int64_t>::max());
    CHECK(available_memory().bytes > mib); // here
}

TEST_CASE("control groups limit memory, those above too, and what can be reclaimed does not count") {
    SUBCASE("version 2") {
        const FakeMachine machine;
        write(machine.sources.proc / "self/cgroup", "0::/outer/inner");
        write(machine.sources.cgroup / "outer/inner/memory.max", "max");
        write(machine.sources.cgroup / "outer/inner/memory.current", "5");
        write(machine.sources.cgroup / "outer/memory.max", std::to_string(100 * mib));
        write(machine.sources.cgroup / "outer/memory.current", std::to_string(30 * mib));
        write(machine.sources.cgroup / "outer/memory.stat",
              "anon 1\ninactive_file " + std::to_string(10 * mib));
        CHECK(available_memory(machine.sources).bytes == 80 * mib);
        check_words(available_memory(machine.sources).set_by, {"control group"});
    }
    SUBCASE("version 2, in a container whose path leads nowhere") {
        const FakeMachine machine;
        write(machine.sources.proc / "self/cgroup", "0::/outside/of/this");
        write(machine.sources.cgroup / "memory.max", std::to_string(100 * mib));
        write(machine.sources.cgroup / "memory.current", std::to_string(100 * mib + 1));
        CHECK(available_memory(machine.sources).bytes == 0);
    }
    SUBCASE("version 1") {
        const FakeMachine machine;
        write(machine.sources.proc / "self/cgroup", "5:cpu:/x\n4:hugetlb,memory:/outer\n1:name=systemd:/y");
        write(machine.sources.cgroup / "memory/outer/memory.limit_in_bytes", std::to_string(200 * mib));
        write(machine.sources.cgroup / "memory/outer/memory.usage_in_bytes", std::to_string(50 * mib));
        write(machine.sources.cgroup / "memory/memory.limit_in_bytes", "9223372036854771712");
        write(machine.sources.cgroup / "memory/memory.usage_in_bytes", "100");
        CHECK(available_memory(machine.sources).bytes == 150 * mib);
    }
}

TEST_CASE("limits on the process limit memory, less what it has mapped already") {
    // So large that a sanitizer's shadow memory fits as well; the rest is in the figures of the fake.
    constexpr std::int64_t limit = std::int64_t{1} << 46;
    const FakeMachine machine;
    const std::int64_t page = sysconf(_SC_PAGESIZE);
    const auto mapped = [&](std::int64_t all, std::int64_t data) {
        write(machine.sources.proc / "self/statm",
              std::to_string(all / page) + " 0 0 0 0 " + std::to_string(data / page) + " 0");
    };
    const auto available_under = [&](auto resource) {
        const int code = in_child([&] {
            const rlimit both{static_cast<rlim_t>(limit), static_cast<rlim_t>(limit)};
            if (setrlimit(resource, &both) != 0)
                return 1;
            const AvailableMemory memory = available_memory(machine.sources);
            write(machine.folder / "bytes", std::to_string(memory.bytes) + " " + memory.set_by);
            return 0;
        });
        REQUIRE(code == 0);
        return read_text_or_empty(machine.folder / "bytes");
    };
    mapped(limit - 64 * mib, limit - 32 * mib);
    check_words(available_under(RLIMIT_AS), {std::to_string(64 * mib), "address space"});
    check_words(available_under(RLIMIT_DATA), {std::to_string(32 * mib), "data"});
}

TEST_CASE("memory that is not there is refused with both figures") {
    const FakeMachine machine;
    CHECK_NOTHROW(require_memory(1000 * mib, "A, B and C", machine.sources));
    check_words(error_of([&] { require_memory(2000 * mib, "A, B and C", machine.sources); }),
                {"A, B and C", "2.0 GiB", "1000 MiB", "free memory"});
    check_words(error_of([&] { require_memory(-1, "A, B and C", machine.sources); }), {"A, B and C", "-1"});
}

TEST_CASE("the environment record says something in every field and survives a round trip") {
    const EnvironmentRecord record = collect_environment("abcd", 3);
    for (const auto& part : environment_record_json(record)) {
        for (const auto& member : part.value().as_object()) {
            CAPTURE(member.key());
            CHECK(!member.value().as_string().empty());
        }
    }
    const json::value value = environment_record_json(record);
    CHECK(parse_environment_record(json::Field(value, "x")) == record);
    check_words(record.environment.runtime, {"tune_gemm", "abcd"});
    check_words(record.environment.concurrency, {"threads 3", std::to_string(allowed_processors())});
    check_words(record.environment.compiler_flags, {"-ffp-contract=off"});
    CHECK(record.environment.gc == "none");
    CHECK(allowed_processors() >= 1);
}

TEST_CASE("environments of one build on one machine are compatible unless plugin or threads differ") {
    const GemmEnvironment here = collect_environment("abcd", 1).environment;
    CHECK(environment_compatible(here, collect_environment("abcd", 1).environment));
    CHECK(!environment_compatible(here, collect_environment("abce", 1).environment));
    CHECK(environment_differences(here, collect_environment("abcd", 2).environment).at(0).field ==
          "concurrency");
}

TEST_CASE("times are UTC, and run ids differ") {
    const std::string time = utc_time();
    REQUIRE(time.size() == 20);
    CHECK(time[10] == 'T');
    CHECK(time.back() == 'Z');
    const std::string id = new_run_id();
    CHECK(id.size() == 16);
    CHECK(id.find_first_not_of("0123456789abcdef") == std::string::npos);
    CHECK(id != new_run_id());
}
