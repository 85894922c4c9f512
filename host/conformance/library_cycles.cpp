// What loading a plugin does to the process, and what unloading it leaves.
#include "conformance/library.hpp"
#include "conformance/subject.hpp"
#include "runtime/entry.hpp"
#include "runtime/library.hpp"
#include "runtime/load.hpp"
#include "worker/crash_note.hpp"
#include "worker/process.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cfenv>
#include <chrono>
#include <cstring>
#include <exception>
#include <filesystem>
#include <fstream>
#include <limits>
#include <optional>
#include <sstream>
#include <string>
#include <thread>

#include <malloc.h>

namespace tune_gemm::host {
namespace fs = std::filesystem;
namespace {

/// What must not change: found out by arithmetic, so that it holds for every architecture.
struct FloatControl {
    int rounding = 0;
    int traps = 0;
    bool keeps_subnormals = false;
    bool operator==(const FloatControl&) const = default;
};

FloatControl float_control() noexcept {
    volatile double smallest = std::numeric_limits<double>::min();
    smallest = smallest / 4;                    // flushed when results are
    const volatile double again = smallest * 4; // 0 when operands are
    return {std::fegetround(), ::fegetexcept(), again == std::numeric_limits<double>::min()};
}

std::string text_of(const FloatControl& control) {
    return fmt::format("rounding mode {:#x}, traps {:#x}, subnormals {}", control.rounding, control.traps,
                       control.keeps_subnormals ? "kept" : "flushed to zero");
}

/// What is being done, for a crash note.
struct Doing {
    const char* what;
};
std::size_t write_doing(const void* what, char* out, std::size_t room) noexcept {
    const char* text = static_cast<const Doing*>(what)->what;
    const std::size_t length = std::min(std::strlen(text), room);
    std::memcpy(out, text, length);
    return length;
}
void note(const Doing& doing) noexcept {
    set_call_note({write_doing, &doing});
}

/// The smallest product, `times` by each kernel that can be used here.
void call_kernels(const CheckContext& context, PluginInfo& loaded, int times) {
    for (KernelInfo& kernel : loaded.kernels) {
        mark_unusable(kernel);
        const tg_dtype type = kernel.arithmetic.dtype;
        if (!kernel.unusable.empty() || (type != TG_F64 && type != TG_F32))
            continue;
        const CheckContext here{&loaded, kernel, kernel.tiles.empty() ? nullptr : &kernel.tiles.front(),
                                context.seed};
        with_type(here, [&](auto zero) {
            using T = decltype(zero);
            const auto subject = make_subject<T>(here, {{1}, {1}, {1}});
            const Recipe recipe{Family::integers, 0, 0, context.seed};
            Numbers<T> numbers;
            numbers.resize(1, 1, 1);
            fill(numbers, recipe);
            Expectation<T> expected;
            expect(expected, numbers, false, kernel.arithmetic, recipe.family);
            for (int call = 0; call < times; ++call)
                subject->run(numbers, expected, recipe, false, 0); // it may refuse
        });
    }
}

/// Loads, calls and unloads, with init and deinit as the interface has them.
void cycle(const CheckContext& context, int calls = 1) {
    const fs::path& path = plugin_file(context);
    const LoadedLibrary library(path);
    const tg_plugin entry = read_entry(library.symbol(TG_SYMBOL), path);
    PluginInfo loaded = describe_plugin(entry, path, context.plugin->sha256);
    initialise_plugin(entry, path);
    call_kernels(context, loaded, calls);
    if (entry.deinit != nullptr)
        entry.deinit();
}

/// The same in a thread that ends after it.
void cycle_in_thread(const CheckContext& context, int calls) {
    std::exception_ptr problem;
    std::thread([&] {
        try {
            cycle(context, calls);
        } catch (...) {
            problem = std::current_exception();
        }
    }).join();
    if (problem)
        std::rethrow_exception(problem);
}

std::int64_t entries_of(const char* folder) {
    std::int64_t count = 0;
    for ([[maybe_unused]] const auto& entry : fs::directory_iterator(folder))
        ++count;
    return count;
}

/// What a process holds that a plugin can leave behind.
struct Holdings {
    std::int64_t threads = 0, descriptors = 0;
};

Holdings holdings() {
    return {entries_of("/proc/self/task"), entries_of("/proc/self/fd")};
}

/// Address space, the heap's left out, and whether the library is in it.
struct Mapped {
    std::int64_t bytes = 0;
    bool library = false;
};

Mapped mapped(const fs::path& library) {
    Mapped found;
    std::ifstream maps("/proc/self/maps");
    for (std::string line; std::getline(maps, line);) {
        std::uint64_t first = 0, last = 0;
        char dash = 0;
        std::istringstream(line) >> std::hex >> first >> dash >> last;
        if (line.find("[heap]") == std::string::npos)
            found.bytes += static_cast<std::int64_t>(last - first);
        found.library |= line.ends_with(library.string());
    }
    return found;
}

/// Bytes that malloc has given out, to all threads; 0 where that is not known.
std::int64_t allocated() noexcept {
#if defined(__GLIBC__) && (__GLIBC__ > 2 || __GLIBC_MINOR__ >= 33)
    return static_cast<std::int64_t>(::mallinfo2().uordblks);
#else
    return 0;
#endif
}

/// Threads that have been told to end may take a moment.
Holdings settled_holdings(std::int64_t threads) {
    Holdings held = holdings();
    for (int wait = 0; held.threads > threads && wait < 50; ++wait) {
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
        held = holdings();
    }
    return held;
}

void require_no_more(std::int64_t more, int cycles, std::string_view what) {
    if (more > 0)
        fail_check(
            fmt::format("Loaded, called and unloaded {} times, it left {} {} behind.", cycles, more, what));
}

void skip_if_kept_loaded(const CheckContext& context) {
    plugin_file(context);
    for (const KernelInfo& kernel : context.plugin->kernels)
        if ((kernel.flags & TG_KEEP_LOADED) != 0)
            skip_check(fmt::format("Kernel {} declares TG_KEEP_LOADED, so the library is never unloaded.",
                                   kernel.id));
}

} // namespace

void check_library_float_control(const CheckContext& context, Tally& tally) {
    const FloatControl before = float_control();
    const LoadedLibrary library(plugin_file(context));
    const FloatControl after = float_control();
    std::optional<FloatControl> elsewhere;
    std::thread([&] { elsewhere = float_control(); }).join();
    std::fesetenv(FE_DFL_ENV);
    if (after != before)
        fail_check(
            fmt::format("Loading it turned {} into {}. Do not link with -ffast-math or -Ofast: they add "
                        "code that does so (crtfastmath.o).",
                        text_of(before), text_of(after)));
    if (*elsewhere != before)
        fail_check(fmt::format("A thread that was started after loading it has {} instead of {}.",
                               text_of(*elsewhere), text_of(before)));
    tally.ran();
}

void check_library_thread_end(const CheckContext& context, Tally& tally) {
    skip_if_kept_loaded(context);
    static constexpr Doing doing{"loading, calling and unloading in one thread, and ending it"};
    note(doing);
    cycle_in_thread(context, 1);
    tally.ran();
}

void check_library_unload(const CheckContext& context, Tally& tally) {
    skip_if_kept_loaded(context);
    static constexpr Doing doing{"loading, calling and unloading again and again"};
    constexpr int cycles = 30;
    cycle(context); // the first one may set up what the system itself keeps
    if (mapped(plugin_file(context)).library)
        fail_check(
            "It is still there after it has been unloaded, so a second loading would find the variables "
            "of the first. Causes: an STB_GNU_UNIQUE symbol, -z nodelete, a thread_local with a "
            "destructor. If it has to stay, declare TG_KEEP_LOADED.");
    const Holdings first = settled_holdings(1);
    if (first.threads > 1)
        fail_check(
            fmt::format("{} of its threads still run after it has been unloaded. End them in deinit, or "
                        "declare TG_KEEP_LOADED.",
                        first.threads - 1));
    for (int round = 0; round < cycles; ++round) {
        note(doing);
        cycle(context);
        tally.ran();
    }
    const Holdings last = settled_holdings(first.threads);
    require_no_more(last.threads - first.threads, cycles, "threads");
    require_no_more(last.descriptors - first.descriptors, cycles, "open descriptors");
}

void check_library_memory(const CheckContext& context, Tally& tally) {
    skip_if_kept_loaded(context);
    if (address_space_limit_unusable())
        skip_check("In a build with a sanitizer malloc is the sanitizer's, which keeps memory by itself.");
    static constexpr Doing doing{"loading, calling and unloading again and again"};
    constexpr int warm_up = 3, cycles = 12, calls = 1200;
    struct Kept {
        std::int64_t bytes = 0, space = 0;
    };
    const auto after = [&](int rounds) -> Kept {
        for (int round = 0; round < rounds; ++round) {
            note(doing);
            cycle_in_thread(context, calls);
            tally.ran();
        }
        return {allocated(), mapped(plugin_file(context)).bytes};
    };
    // A piece, or a page, each time and twice over is a leak; less is the system's.
    constexpr std::int64_t piece = 32, page = 4096;
    const Kept first = after(warm_up), second = after(cycles), third = after(cycles);
    const auto more = [&](std::int64_t Kept::*what, std::int64_t least) {
        return std::min(second.*what - first.*what, third.*what - second.*what) < cycles * least
                   ? 0
                   : third.*what - first.*what;
    };
    require_no_more(more(&Kept::bytes, piece), 2 * cycles, "bytes of memory");
    require_no_more(more(&Kept::space, page), 2 * cycles, "bytes of mappings");
}

} // namespace tune_gemm::host
