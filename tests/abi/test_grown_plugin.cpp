// A plugin of a later version, called by today's host: what is handed to it ends where today's structs end,
// and there the memory ends, too.
#include "../core/test_core/flush_bytes.hpp"

#include <tune_gemm/catalogue.hpp>

#include <doctest/doctest.h>

#include <string>

using namespace tune_gemm;

extern "C" const tg_plugin grown_plugin;

namespace {

constexpr std::uint32_t later = TG_ABI_MINOR + 1;

const tg_kernel* grown_kernel(const std::string& id) {
    for (auto* kernel = grown_plugin.kernels; *kernel != nullptr; ++kernel)
        if ((*kernel)->microkernel_id == id)
            return *kernel;
    FAIL("no kernel ", id);
    return nullptr;
}

template <class T>
const T* at(const test::FlushBytes& bytes) {
    return reinterpret_cast<const T*>(bytes.data());
}

} // namespace

TEST_CASE("what a plugin of a later version publishes is larger than ours, and works") {
    CHECK(grown_plugin.abi_minor == later);
    CHECK(grown_plugin.struct_size > sizeof(tg_plugin));
    CHECK(grown_kernel("abi_grown.tile")->struct_size > sizeof(tg_kernel));
    const KernelInfo tile = describe_kernel(grown_kernel("abi_grown.tile"), later);
    CHECK(tile.unusable.empty());
    CHECK(tile.flags >= 1u << 16); // an offer, passed over
    REQUIRE(tile.tiles.size() == 1);
    CHECK(tile.tiles[0].access_a == (TG_PACKED | TG_ROW_UNIT)); // without the form that we do not know
    CHECK(describe_kernel(grown_kernel("abi_grown.gemm"), later).unusable.empty());
}

TEST_CASE(
    "what a later plugin cannot do without makes its kernel unusable; in our own version it is a mistake") {
    for (const char* id : {"abi_grown.demand", "abi_grown.type", "abi_grown.form", "abi_grown.kind"}) {
        CAPTURE(id);
        CHECK(describe_kernel(grown_kernel(id), later).unusable.find("is built for version 1.") !=
              std::string::npos);
        CHECK_THROWS_AS(describe_kernel(grown_kernel(id)), Error);
    }
    CHECK_THROWS_AS(describe_kernel(grown_kernel("abi_grown.tile")), Error); // its access forms
}

TEST_CASE("a later tile looks at struct_size before it reads what it knows besides") {
    const double a[2] = {2, 3}, b[2] = {5, 7};
    double c = -1;
    tg_tile_args args{};
    args.struct_size = sizeof args;
    args.m = args.n = 1, args.k = 2;
    args.a = a, args.b = b, args.c = &c;
    args.rs_a = args.cs_a = args.rs_b = args.cs_b = args.rs_c = args.cs_c = 1;
    const test::FlushBytes flush(&args, sizeof args);
    const tg_kernel* kernel = grown_kernel("abi_grown.tile");
    kernel->tiles[0]->run(kernel, at<tg_tile_args>(flush));
    CHECK(c == 31);
}

TEST_CASE("a later product looks at struct_size before it reads what it knows besides") {
    const double a[2] = {2, 3}, b[2] = {5, 7}, alpha = 2, beta = 1;
    double c = 1;
    tg_problem problem{};
    problem.struct_size = sizeof problem;
    problem.threads = 1;
    problem.m = problem.n = problem.batch = 1, problem.k = 2;
    problem.rs_a = problem.cs_a = problem.rs_b = problem.cs_b = problem.rs_c = problem.cs_c = 1;
    problem.alpha = &alpha, problem.beta = &beta;
    char message[256] = "";
    const tg_error error{sizeof error, sizeof message, message};
    tg_gemm_args args{};
    args.struct_size = sizeof args;
    args.a = a, args.b = b, args.c = &c;
    const test::FlushBytes flush_problem(&problem, sizeof problem), flush_args(&args, sizeof args),
        flush_error(&error, sizeof error);
    auto* room = const_cast<tg_error*>(at<tg_error>(flush_error));

    const tg_kernel* kernel = grown_kernel("abi_grown.gemm");
    void* plan = nullptr;
    std::uint64_t bytes = 1;
    REQUIRE(kernel->gemm->prepare(kernel, at<tg_problem>(flush_problem), &plan, &bytes, room) == TG_OK);
    CHECK(bytes == 0);
    CHECK(kernel->gemm->run(kernel, plan, at<tg_gemm_args>(flush_args), room) == TG_OK);
    kernel->gemm->release(kernel, plan);
    CHECK(c == 63);
}
