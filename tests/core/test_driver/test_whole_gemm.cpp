// Kernels that bring their own blocking, behind the same PreparedGemm.
#include "../test_core/errors.hpp"
#include "case.hpp"
#include "whole_kernel.hpp"

#include <tune_gemm/operation.hpp>

#include <doctest/doctest.h>

#include <thread>

using namespace tune_gemm;
using namespace tune_gemm::test;

namespace {

const GemmCandidate own_candidate = parse_candidate_id("1x1x1:1x1:whole:own:none:workspace:compute");

} // namespace

TEST_CASE(
    "whole gemm: layouts, strides, batch, alpha and beta reach the kernel; every plan is released once") {
    WholeKernel kernel;
    std::vector<std::byte> workspace;
    int made = 0;
    for (int layouts = 0; layouts < 8; ++layouts)
        for (const Lay lay : {Lay::tight, Lay::odd, Lay::negative, Lay::spread})
            for (const auto& [alpha, beta] : {std::pair{1.0, 0.0}, {0.7, -0.3}, {0.0, 0.5}}) {
                const Case<double> given(with_layouts({.m = 5, .n = 6, .k = 7, .batch = 3}, layouts), alpha,
                                         beta);
                const Layed<double> layed(given, lay, lay);
                CHECK(run_case(layed, own_candidate, kernel.catalogue(), workspace) == "");
                ++made;
            }
    // More memory than asked for is not shown to it either.
    const Case<double> given({.m = 5, .n = 6, .k = 7}, 1, 0);
    {
        const auto prepared =
            PreparedGemm::make(problem_of(given.shape), own_candidate, no_limit, kernel.catalogue());
        REQUIRE(prepared);
        Buffer memory(64, Buffer::Use::workspace);
        std::vector<double> c(30);
        prepared.value().run(
            {.a = given.a.data(), .b = given.b.data(), .c = c.data(), .workspace = memory.bytes()});
        ++made;
    }
    CHECK(kernel.breach == "");
    CHECK(kernel.prepared == made);
    CHECK(kernel.released == made);
    CHECK(kernel.runs == made);
}

TEST_CASE("whole gemm: workspace is what prepare asked for, aligned to 64, within the limit") {
    WholeKernel kernel;
    kernel.workspace = 1000;
    const Case<double> given({.m = 5, .n = 6, .k = 7}, 1, 0);
    const auto make = [&](std::int64_t limit) {
        return PreparedGemm::make(problem_of(given.shape), own_candidate, limit, kernel.catalogue());
    };
    CHECK(make(999).refusal().field == "workspace");
    CHECK(kernel.prepared == kernel.released);
    {
        auto prepared = make(1000);
        REQUIRE(prepared);
        CHECK(prepared.value().workspace_demand() == 1000);
        Operation operation(prepared.value(), given.a.data(), given.b.data(), 8 * 30);
        operation.set_up();
        operation.begin_use();
        operation.multiply();
        CHECK(std::equal(given.expected.begin(), given.expected.end(),
                         reinterpret_cast<const double*>(operation.c().data())));
        Buffer memory(1064, Buffer::Use::workspace);
        std::vector<double> c(30);
        const auto run_with = [&](std::span<std::byte> workspace) {
            prepared.value().run(
                {.a = given.a.data(), .b = given.b.data(), .c = c.data(), .workspace = workspace});
        };
        check_words(error_of([&] { run_with(memory.bytes().first(999)); }), {"999", "1000"});
        check_words(error_of([&] { run_with(memory.bytes().subspan(8, 1000)); }), {"aligned"});
        CHECK(kernel.runs == 1);
        CHECK(kernel.breach == "");
        CHECK(kernel.released == kernel.prepared - 1);
    }
    CHECK(kernel.released == kernel.prepared);
}

TEST_CASE("whole gemm: the kernel's refusals and failures come with its sentence") {
    WholeKernel kernel;
    const Case<double> given({.m = 5, .n = 6, .k = 7}, 1, 0);
    const auto make = [&](unsigned threads = 1) {
        return PreparedGemm::make(problem_of(given.shape), own_candidate, no_limit, kernel.catalogue(),
                                  threads);
    };
    for (const tg_status status :
         std::initializer_list<tg_status>{TG_UNSUPPORTED, TG_INVALID, TG_NO_WORKSPACE, TG_INTERNAL, 99}) {
        kernel.prepare_status = status;
        const auto refused = make();
        REQUIRE(!refused);
        CHECK(refused.refusal().field == "microkernel_id");
        check_words(refused.refusal().reason, {"whole", "so the test wants it"});
    }
    CHECK(kernel.released == 0);
    kernel.prepare_status = TG_OK;
    kernel.workspace = UINT64_MAX;
    check_words(make().refusal().reason, {"18446744073709551615"});
    CHECK(kernel.released == 1);
    kernel.workspace = 0;

    const auto prepared = make(5);
    REQUIRE(prepared);
    CHECK(kernel.threads == 2); // no more than the kernel's max_threads
    kernel.run_status = TG_INTERNAL;
    std::vector<double> c(30, 7.0);
    const auto run = [&] { prepared.value().run({.a = given.a.data(), .b = given.b.data(), .c = c.data()}); };
    check_words(error_of(run, ErrorKind::failed), {"whole", "so the test wants it"});
    kernel.sentence = std::string(2000, 'x'); // longer than there is room for
    CHECK(error_of(run, ErrorKind::failed).size() < 1000);
    kernel.sentence.clear();
    check_words(error_of(run, ErrorKind::failed), {"gives no reason"});
    const PackedOperand packed;
    check_words(error_of([&] { prepared.value().run({.c = c.data(), .packed_a = &packed}); }),
                {"packed operand"});
    check_words(error_of([&] { prepared.value().prepack(Operand::a, given.a.data()); }), {"own packing"});
    CHECK(c == std::vector<double>(30, 7.0));
}

TEST_CASE("whole gemm: products without entries of C are not shown to the kernel") {
    WholeKernel kernel;
    for (const GemmShape shape : {GemmShape{.m = 0, .n = 6, .k = 7}, GemmShape{.m = 5, .n = 0, .k = 7},
                                  GemmShape{.m = 5, .n = 6, .k = 7, .batch = 0}}) {
        const auto prepared =
            PreparedGemm::make(problem_of(shape), own_candidate, no_limit, kernel.catalogue());
        REQUIRE(prepared);
        CHECK_NOTHROW(prepared.value().run({}));
    }
    CHECK(kernel.prepared == 0);
    CHECK(kernel.released == 0);
}

TEST_CASE("prepared: one product, shared by threads with a C and a workspace each") {
    const Case<double> given({.m = 37, .n = 41, .k = 43, .batch = 2}, 0.7, 0.5);
    const auto prepared = PreparedGemm::make(
        problem_of(given.shape, 0.7, 0.5), parse_candidate_id("16x16x8:4x4:auto:n_k_m:ab:workspace:compute"),
        no_limit, builtin_catalogue(), 4);
    REQUIRE(prepared);
    CHECK(prepared.value().resolution().candidate.microkernel_id == "scalar");
    CHECK(to_text(prepared.value().resolution().arithmetic) == "f64 sequential two-roundings");
    std::vector<std::vector<double>> results(4, given.c);
    std::vector<std::thread> threads;
    for (auto& c : results)
        threads.emplace_back([&given, &c, shared = prepared.value()] {
            Buffer workspace(shared.workspace_demand(), Buffer::Use::workspace);
            shared.run(
                {.a = given.a.data(), .b = given.b.data(), .c = c.data(), .workspace = workspace.bytes()});
        });
    for (auto& thread : threads)
        thread.join();
    for (const auto& c : results)
        CHECK(same_memory(c, given.expected));
}
