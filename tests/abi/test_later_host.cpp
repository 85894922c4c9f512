// The other way: core and the reading of entries, compiled here against a grown header, with the plugin
// of 1.0. Each of its structs is read where memory ends behind it, so a field that it does not have cannot be
// touched.
#include "../core/test_core/flush_bytes.hpp"
#include "abi_read.hpp"
#include "runtime/entry.hpp"

#include <tune_gemm/prepared.hpp>

#include <doctest/doctest.h>

#include <array>
#include <vector>

using namespace tune_gemm;

static_assert(TG_GROWN, "the grown header has to come first");
extern "C" const char frozen_plugin[]; // of another type than ours

namespace {

template <class T>
std::uint32_t size_in(const T* given) {
    return given->struct_size;
}

/// A copy of the frozen plugin's kernel, its tile or gemm and itself before the end of memory.
class FlushKernel {
  public:
    explicit FlushKernel(const tg_kernel* source)
        : tile_(copy(source->tiles != nullptr ? source->tiles[0] : nullptr)), gemm_(copy(source->gemm)),
          kernel_(copy(source)) {
        tiles_[0] = reinterpret_cast<const tg_tile*>(tile_.data());
        auto* own = const_cast<tg_kernel*>(kernel());
        if (source->tiles != nullptr)
            own->tiles = tiles_;
        else
            own->gemm = reinterpret_cast<const tg_gemm*>(gemm_.data());
    }
    const tg_kernel* kernel() const { return reinterpret_cast<const tg_kernel*>(kernel_.data()); }

  private:
    template <class T>
    static test::FlushBytes copy(const T* source) {
        if (source == nullptr)
            return {"", 0};
        return {source, size_in(source)};
    }
    test::FlushBytes tile_, gemm_, kernel_;
    const tg_tile* tiles_[2] = {nullptr, nullptr};
};

tg_plugin read_frozen() {
    std::uint32_t size = 0;
    std::memcpy(&size, frozen_plugin + offsetof(tg_plugin, struct_size), sizeof size);
    const test::FlushBytes flush(frozen_plugin, size);
    return host::read_entry(flush.data(), "/frozen.so");
}

} // namespace

TEST_CASE("what 1.0 did not know is absent") {
    const tg_plugin plugin = read_frozen();
    CHECK(plugin.abi_minor == 0);
    CHECK(plugin.struct_size < sizeof plugin);
    CHECK(plugin.grown == 0);
    REQUIRE(plugin.kernels != nullptr);
    for (auto* source = plugin.kernels; *source != nullptr; ++source) {
        CHECK(size_in(*source) < sizeof(tg_kernel));
        const FlushKernel flush(*source);
        const tg_kernel kernel = read_struct(flush.kernel());
        CHECK((kernel.grown == nullptr));
        CHECK((kernel.flags & (TG_GROWN_OFFER | TG_GROWN_DEMAND)) == 0);
        if (kernel.tiles != nullptr)
            CHECK((read_struct(kernel.tiles[0]).grown == nullptr));
        else
            CHECK(read_struct(kernel.gemm).grown == 0);
    }
}

TEST_CASE("the plugin of 1.0 is described, started and multiplies") {
    const tg_plugin plugin = read_frozen();
    const host::PluginInfo info = host::describe_plugin(plugin, "/frozen.so", std::string(64, '0'));
    REQUIRE(info.kernels.size() == 2);
    CHECK_NOTHROW(host::initialise_plugin(plugin, "/frozen.so"));

    constexpr std::int64_t m = 9, n = 13, k = 17;
    std::vector<double> a(m * k), b(k * n), expected(m * n);
    for (std::size_t at = 0; at < a.size(); ++at)
        a[at] = static_cast<double>(at % 7) - 3;
    for (std::size_t at = 0; at < b.size(); ++at)
        b[at] = static_cast<double>(at % 5) - 2;
    for (std::int64_t i = 0; i < m; ++i)
        for (std::int64_t j = 0; j < n; ++j)
            for (std::int64_t l = 0; l < k; ++l)
                expected[static_cast<std::size_t>(i * n + j)] +=
                    a[static_cast<std::size_t>(i * k + l)] * b[static_cast<std::size_t>(l * n + j)];
    GemmProblem problem;
    problem.m = m, problem.n = n, problem.k = k, problem.batch = 1;
    problem.a = {k, 1, m * k}, problem.b = {n, 1, k * n}, problem.c = {n, 1, m * n};

    for (std::size_t at = 0; at < info.kernels.size(); ++at) {
        const FlushKernel flush(plugin.kernels[at]);
        Catalogue catalogue;
        catalogue.add(describe_kernel(flush.kernel(), plugin.abi_minor));
        CHECK(catalogue.kernels()[0].unusable.empty());
        const GemmCandidate candidate = parse_candidate_id(
            catalogue.kernels()[0].whole_gemm ? "1x1x1:1x1:abi_frozen.gemm:own:none:workspace:compute"
                                              : "8x6x8:4x6:abi_frozen.tile:m_n_k:ab:workspace:compute");
        auto made = PreparedGemm::make(problem, candidate, 1 << 20, catalogue);
        REQUIRE(made);
        std::vector<double> c(m * n, -1);
        alignas(64) std::array<std::byte, 1 << 13> workspace;
        BlockedOperands operands;
        operands.a = a.data(), operands.b = b.data(), operands.c = c.data();
        operands.workspace = workspace;
        made.value().run(operands);
        CHECK(c == expected);
    }
}
