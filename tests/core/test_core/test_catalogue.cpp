#include "errors.hpp"
#include "kernels.hpp"

#include <tune_gemm/catalogue.hpp>

#include <doctest/doctest.h>

using namespace tune_gemm;
using test::check_words;
using test::error_of;

namespace {

KernelInfo named(const char* id, std::uint32_t rank = 0, ArithmeticClass arithmetic = {},
                 const char* unusable = "") {
    KernelInfo info;
    info.id = id;
    info.rank = rank;
    info.arithmetic = arithmetic;
    info.origin = std::string("/plugins/") + id + ".so";
    info.unusable = unusable;
    return info;
}

} // namespace

TEST_CASE("the built-in catalogue: two names of one loop with free tiles, and auto is scalar") {
    const Catalogue& catalogue = builtin_catalogue();
    CHECK(supported_microkernels() == std::vector<std::string>{"scalar", "scalar_f64", "auto"});
    for (const char* id : {"scalar", "scalar_f64"}) {
        const KernelInfo* kernel = catalogue.find(id);
        REQUIRE(kernel);
        CHECK(to_text(kernel->arithmetic) == "f64 sequential two-roundings");
        CHECK(kernel->unusable.empty());
        CHECK(kernel->kernel);
        CHECK(kernel->loop_identity == catalogue.find("scalar")->loop_identity);
        CHECK_FALSE(kernel->loop_identity.empty());
        REQUIRE(kernel->tiles.size() == 1);
        const TileInfo& tile = kernel->tiles[0];
        CHECK(tile.tile);
        CHECK(tile.takes(1, 1));
        CHECK(tile.takes(64, 64));
        CHECK_FALSE(tile.takes(65, 1));
        CHECK_FALSE(tile.takes(1, 65));
        CHECK_FALSE(tile.takes(0, 1));
        CHECK_FALSE(tile.takes(1, -1));
    }
    CHECK(catalogue.resolve("auto").value()->id == "scalar");
    CHECK(catalogue.resolve("scalar_f64").value()->id == "scalar_f64");
}

TEST_CASE("the built-in catalogue for f32 knows the same loop on floats") {
    const Catalogue& catalogue = builtin_catalogue(TG_F32);
    CHECK(supported_microkernels(catalogue) == std::vector<std::string>{"scalar_f32", "auto"});
    const KernelInfo* kernel = catalogue.resolve("auto").value();
    CHECK(kernel->id == "scalar_f32");
    CHECK(to_text(kernel->arithmetic) == "f32 sequential two-roundings");
    CHECK(kernel->kernel);
    CHECK(kernel->find_tile(64, 64));
    CHECK(&builtin_catalogue(TG_F64) == &builtin_catalogue());
    check_words(error_of([] { builtin_catalogue(TG_BF16); }), {"bf16", "f64", "f32"});
}

TEST_CASE("auto: the usable kernel of the class with the highest rank, then the smaller id") {
    const ArithmeticClass fused{TG_F64, TG_SEQUENTIAL, TG_FUSED};
    Catalogue catalogue;
    catalogue.add(named("b", 5));
    catalogue.add(named("a", 5));
    catalogue.add(named("low", 4));
    catalogue.add(named("broken", 9, {}, "the processor lacks avx9."));
    catalogue.add(named("other", 9, fused));
    CHECK(catalogue.resolve("auto").value()->id == "a");
    catalogue.auto_class = fused;
    CHECK(catalogue.resolve("auto").value()->id == "other");
    catalogue.auto_class = {TG_F32, TG_REORDERED, 0};
    const auto none = catalogue.resolve("auto");
    REQUIRE_FALSE(none);
    CHECK(none.refusal().field == "microkernel_id");
    check_words(none.refusal().reason, {"auto", "f32 reordered"});
}

TEST_CASE("an unknown or unusable kernel is refused with what may help") {
    Catalogue catalogue;
    catalogue.add(named("scalar"));
    catalogue.add(named("avx9", 9, {}, "the processor lacks avx9."));
    const auto unknown = catalogue.resolve("sclar");
    REQUIRE_FALSE(unknown);
    CHECK(unknown.refusal().field == "microkernel_id");
    check_words(unknown.refusal().reason, {"\"sclar\"", "did you mean scalar?"});
    check_words(catalogue.resolve("atuo").refusal().reason, {"did you mean auto?"});
    CHECK(catalogue.resolve("completely_else").refusal().reason.find("did you mean") == std::string::npos);
    check_words(catalogue.resolve("avx9").refusal().reason,
                {"avx9 cannot run here", "the processor lacks avx9."});
}

TEST_CASE("an id is taken once, and auto never") {
    Catalogue catalogue;
    catalogue.add(named("x"));
    KernelInfo twin = named("x");
    twin.origin = "/elsewhere/x.so";
    check_words(error_of([&] { catalogue.add(twin); }, ErrorKind::failed),
                {"/plugins/x.so", "/elsewhere/x.so", "microkernel_id x"});
    CHECK(catalogue.kernels().size() == 1);
    check_words(error_of([&] { catalogue.add(named("auto")); }, ErrorKind::failed), {"auto"});
}

TEST_CASE("nearest text") {
    const std::vector<std::string> known{"row_major", "column_major", "ab", "b"};
    CHECK(nearest_text("row-major", known) == "row_major");
    CHECK(nearest_text("colum_mjor", known) == "column_major");
    CHECK(nearest_text("abb", known) == "ab");
    CHECK(nearest_text("workspace", known).empty());
    CHECK(nearest_text(std::string(1 << 20, 'a'), known).empty());
    CHECK(nearest_text("x", {}).empty());
}

TEST_CASE("types and classes as texts") {
    CHECK(to_text(ArithmeticClass{TG_F64, TG_SEQUENTIAL, TG_FUSED}) == "f64 sequential fused");
    CHECK(to_text(ArithmeticClass{TG_F64, TG_REORDERED, 0}) == "f64 reordered");
    CHECK(to_text(ArithmeticClass{TG_F32, TG_SEQUENTIAL, TG_TWO_ROUNDINGS}) ==
          "f32 sequential two-roundings");
    for (tg_dtype dtype = TG_F32; dtype <= TG_I32; ++dtype) {
        CHECK(parse_dtype(dtype_text(dtype)) == dtype);
        CHECK(element_size(dtype) > 0);
    }
    CHECK(element_size(TG_F64) == sizeof(double));
    CHECK(element_size(TG_F32) == sizeof(float));
    CHECK(element_size(TG_BF16) == 2);
    CHECK(element_size(0) == 0);
    CHECK(element_size(8) == 0);
    check_words(error_of([] { parse_dtype("double"); }), {"dtype \"double\"", "f32", "f64"});
}
