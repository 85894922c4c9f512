// Several threads: the same bits as one, whatever the grid; the workspace that was announced; helpers that
// sleep.
#include "case.hpp"
#include "counted_new.hpp"
#include "division.hpp"
#include "thread_pool.hpp"

#include <tune_gemm/blocked.hpp>
#include <tune_gemm/plugin.hpp>

#include <doctest/doctest.h>

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <thread>
#include <vector>

using namespace tune_gemm;
using namespace tune_gemm::test;

namespace {

constexpr std::int64_t all = 1000; // more rows and columns than any shape here has
/// Threads, whether they share B where they can, rows and columns of a unit of tiles of 4 x 3, least,
/// stripes.
constexpr Division divisions[] = {{1, false, 4, 3, 1},    {2, true, 4, all, 1},    {3, true, all, 3, 1},
                                  {7, true, 4, 3, 1},     {2, false, 4, 3, 1},     {3, false, 8, all, 1},
                                  {7, false, all, 3, 1},  {2, false, all, all, 1}, {2, true, 12, 6, 3},
                                  {3, true, all, all, 1}, {3, false, 4, 3, 5},     {2, true, 4, all, 1, 2},
                                  {3, true, 8, 6, 1, 3},  {7, true, 4, 3, 1, 2}};

/// The portable loop under another name, as a tile that takes C only by rows: a C of other strides is staged.
template <class T>
const Catalogue& staging_catalogue() {
    static const tg_tile tile = [] {
        tg_tile t{};
        t.struct_size = sizeof t;
        t.mr = 4, t.nr = 3;
        t.access_a = t.access_b = TG_PACKED | TG_ANY;
        t.access_c = TG_ROW_UNIT;
        t.run = [](const tg_kernel*, const tg_tile_args* args) noexcept { plugin::portable_tile<T>(*args); };
        return t;
    }();
    static const tg_tile* const tiles[] = {&tile, nullptr};
    static const tg_kernel kernel = [] {
        tg_kernel k{};
        k.struct_size = sizeof k;
        k.microkernel_id = "staging";
        k.type_a = k.type_b = k.type_c = k.type_acc = plugin::dtype_of<T>;
        k.order = TG_SEQUENTIAL;
        k.muladd = TG_TWO_ROUNDINGS;
        k.tiles = tiles;
        return k;
    }();
    static const Catalogue catalogue = [] {
        Catalogue c;
        c.add(describe_kernel(&kernel));
        return c;
    }();
    return catalogue;
}

/// A plan of a portable kernel that is divided so, however little there is to do.
template <class T>
BlockedPlan plan_with(const GemmProblem& problem, const GemmCandidate& candidate, const Division& division) {
    const Catalogue& catalogue = candidate.microkernel_id == "staging"
                                     ? staging_catalogue<T>()
                                     : builtin_catalogue(plugin::dtype_of<T>);
    const auto kernel = catalogue.resolve(candidate.microkernel_id);
    REQUIRE(kernel);
    auto plan = plan_blocked(problem, candidate, *kernel.value());
    REQUIRE_MESSAGE(plan, plan.refusal().reason);
    plan.value().division = division;
    plan.value().division.shares_b = division.shares_b && can_share_b(plan.value());
    const bool has_stripes = plan.value().division.shares_b && plan.value().panel_b.width == candidate.nr;
    plan.value().division.stripes = has_stripes ? division.stripes : 1;
    plan.value().direct = {};
    pool::reserve(division.threads - 1);
    return plan.value();
}

/// Runs between canaries with exactly the bytes that the plan demands; the fault, or "".
template <class T>
std::string run_divided(const Layed<T>& layed, const GemmCandidate& candidate, const Division& division) {
    const BlockedPlan plan = plan_with<T>(layed.problem, candidate, division);
    const auto demand = static_cast<std::size_t>(workspace_demand(plan));
    constexpr std::size_t margin = 64;
    constexpr std::byte canary{0xa5};
    std::vector<std::byte> memory(demand + 2 * margin, canary);
    PackedOperand packed_a, packed_b;
    BlockedOperands operands{.a = layed.a.data(), .b = layed.b.data()};
    if (prepacks_a(candidate.allocation_mode)) {
        packed_a = prepack(plan, Operand::a, layed.a.data());
        operands.packed_a = &packed_a;
    }
    if (prepacks_b(candidate.allocation_mode)) {
        packed_b = prepack(plan, Operand::b, layed.b.data());
        operands.packed_b = &packed_b;
    }
    Placed<T> c = layed.c;
    operands.c = c.data();
    operands.workspace = std::span(memory).subspan(margin, demand);
    run_blocked(plan, operands);
    if (!same_memory(c.memory, layed.expected.memory))
        return "C differs from the reference, or its surroundings";
    for (std::size_t x = 0; x < margin; ++x) {
        if (memory[x] != canary || memory[margin + demand + x] != canary)
            return "something beside the workspace was written";
    }
    return "";
}

template <class T>
void check_all_divisions(const GemmShape& shape, const std::string& blocks_and_kernel, double alpha,
                         double beta, Lay lay) {
    const Case<T> given(shape, alpha, beta);
    const Layed<T> layed(given, lay, lay);
    for (const char* mode : {"workspace", "prepacked_a", "prepacked_b", "prepacked_ab"}) {
        for (const Packing packing : every_packing) {
            if (std::string(mode) != "workspace" && packing != Packing::ab)
                continue;
            for (const LoopOrder order : every_order) {
                GemmCandidate candidate =
                    parse_candidate_id(blocks_and_kernel + ":m_n_k:ab:" + mode + ":compute");
                candidate.packing = packing;
                candidate.loop_order = order;
                for (const Division& division : divisions) {
                    INFO(case_text(shape, candidate, lay)
                         << ", " << division.threads << " threads, "
                         << (division.shares_b ? "sharing B, " : "") << division.stripes
                         << " stripes, units of " << division.rows << "x" << division.columns);
                    CHECK(run_divided(layed, candidate, division) == "");
                }
            }
        }
    }
}

/// States ('R', 'S', ..) of the other threads of this process.
std::multiset<char> states_of_others() {
    std::multiset<char> states;
    for (const auto& task : std::filesystem::directory_iterator("/proc/self/task")) {
        if (task.path().filename() == std::to_string(getpid()))
            continue;
        std::ifstream file(task.path() / "stat");
        std::string text;
        std::getline(file, text);
        const auto end = text.rfind(") ");
        if (end != std::string::npos)
            states.insert(text[end + 2]);
    }
    return states;
}

/// A product large enough for several threads, ready to be run.
struct Ready {
    Case<double> given{{.m = 120, .n = 110, .k = 100}, 1, 0};
    Layed<double> layed{given, Lay::tight, Lay::tight};
    BlockedPlan plan =
        plan_with<double>(layed.problem, parse_candidate_id("32x32x16:4x4:scalar:n_k_m:ab:workspace:compute"),
                          {3, true, 4, 110, 1});
    std::vector<std::byte> workspace =
        std::vector<std::byte>(static_cast<std::size_t>(workspace_demand(plan)));
    std::vector<double> c = std::vector<double>(given.c.size());

    bool is_right_after_run() {
        std::fill(c.begin(), c.end(), -1);
        run_blocked(plan, {.a = given.a.data(), .b = given.b.data(), .c = c.data(), .workspace = workspace});
        return same_memory(c, given.expected);
    }
};

} // namespace

TEST_CASE("threads: every division, packing, order and mode gives the reference's bits in the announced "
          "workspace") {
    check_all_divisions<double>({.m = 37, .n = 41, .k = 23}, "8x12x6:4x3:scalar", 1, 0, Lay::tight);
    check_all_divisions<double>(with_layouts({.m = 29, .n = 31, .k = 17, .batch = 3}, 5), "8x12x6:4x3:scalar",
                                0.7, 0.5, Lay::odd);
    check_all_divisions<double>({.m = 3, .n = 50, .k = 9}, "8x12x6:4x3:scalar", 1, 1,
                                Lay::tight); // idle threads
    check_all_divisions<double>({.m = 50, .n = 2, .k = 9}, "11x13x5:4x3:scalar", 1, 0,
                                Lay::odd); // uneven free blocks
    check_all_divisions<float>({.m = 33, .n = 35, .k = 19, .batch = 2}, "8x12x6:4x3:scalar_f32", -0.3, 1,
                               Lay::spread);
    check_all_divisions<double>({.m = 37, .n = 41, .k = 23}, "8x12x6:4x3:staging", 0.7, 0.5, Lay::spread);
}

TEST_CASE("threads: the workspace is the candidate's for each, with a shared packed B counted once") {
    const GemmProblem problem = problem_of({.m = 512, .n = 512, .k = 512});
    GemmCandidate candidate = parse_candidate_id("64x48x32:8x8:scalar:n_k_m:ab:workspace:compute");
    const auto demand = [&](unsigned threads) {
        const auto prepared = PreparedGemm::make(problem, candidate, no_limit, builtin_catalogue(), threads);
        REQUIRE(prepared);
        return prepared.value().workspace_demand();
    };
    const std::int64_t of_a = 8 * 64 * 32, of_b = 8 * 32 * 48, of_c = 8 * 64 * 48;
    CHECK(demand(1) == of_a + of_b + of_c);
    CHECK(demand(3) == 3 * (of_a + of_b + of_c)); // three stripes of B
    CHECK(demand(17) == 17 * of_a + of_b + 17 * of_c);
    candidate.loop_order = LoopOrder::m_n_k; // each packs B for itself
    CHECK(demand(3) == 3 * (of_a + of_b + of_c));
    candidate.loop_order = LoopOrder::n_k_m;
    candidate.packing = Packing::a; // B in place
    CHECK(demand(2) <= 2 * workspace_bytes(candidate));
}

TEST_CASE("threads: a run allocates nothing, and its helpers fall asleep after it") {
    Ready ready;
    REQUIRE(ready.is_right_after_run());
    const std::int64_t calls = new_account().calls;
    for (int run = 0; run < 20; ++run)
        run_blocked(ready.plan, {.a = ready.given.a.data(),
                                 .b = ready.given.b.data(),
                                 .c = ready.c.data(),
                                 .workspace = ready.workspace});
    CHECK(new_account().calls == calls);
    // However slow the machine: whoever spins for good never sleeps.
    bool all_asleep = false;
    for (int look = 0; look < 2000 && !all_asleep; ++look) {
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
        const auto states = states_of_others();
        all_asleep = states.count('S') == states.size() && !states.empty();
    }
    CHECK(all_asleep);
}

TEST_CASE("threads: runs at once do not disturb each other; one has the helpers, the others work alone") {
    std::atomic<int> right{0};
    std::vector<std::thread> callers;
    for (int caller = 0; caller < 4; ++caller)
        callers.emplace_back([&right] {
            Ready ready;
            for (int run = 0; run < 30; ++run)
                right += ready.is_right_after_run();
        });
    for (std::thread& caller : callers)
        caller.join();
    CHECK(right == 4 * 30);
}

TEST_CASE("threads: a forked child, which has no helpers, multiplies all the same") {
    Ready ready;
    REQUIRE(ready.is_right_after_run());
    const pid_t child = fork();
    REQUIRE(child >= 0);
    if (child == 0) {
        alarm(60); // a child that waits for threads that are not there
        _exit(ready.is_right_after_run() ? 0 : 1);
    }
    int status = -1;
    REQUIRE(waitpid(child, &status, 0) == child);
    CHECK(WIFEXITED(status));
    CHECK(WEXITSTATUS(status) == 0);
    CHECK(ready.is_right_after_run());
}
