// Products drawn at random from everything that the driver offers, from a fixed seed.
#include "case.hpp"
#include "strict_kernel.hpp"

#include <doctest/doctest.h>

#include <random>

using namespace tune_gemm;
using namespace tune_gemm::test;

namespace {

class Draw {
  public:
    explicit Draw(std::uint64_t seed) : engine_(seed) {}
    /// Uniform enough in [low, high], the same on every platform.
    std::int64_t number(std::int64_t low, std::int64_t high) {
        return low + static_cast<std::int64_t>(engine_() % static_cast<std::uint64_t>(high - low + 1));
    }
    template <class T, std::size_t count>
    T of(const T (&choices)[count]) {
        return choices[number(0, count - 1)];
    }

  private:
    std::mt19937_64 engine_;
};

/// One or more forms in place.
tg_access draw_access(Draw& draw) {
    return static_cast<tg_access>(draw.number(1, 7)) << 1;
}

/// Entries with cancellation, subnormals, signed zeros and now and then a NaN or an infinity.
template <class T>
void roughen(Draw& draw, std::vector<T>& values) {
    for (T& value : values) {
        switch (draw.number(0, 40)) {
        case 0:
            value = T(-0.0);
            break;
        case 1:
            value = std::numeric_limits<T>::denorm_min() * T(draw.number(-5, 5));
            break;
        case 2:
            value *= static_cast<T>(std::ldexp(1.0, static_cast<int>(draw.number(-60, 60))));
            break;
        case 3:
            value = draw.number(0, 60) == 0 ? std::numeric_limits<T>::infinity() : value;
            break;
        case 4:
            value = draw.number(0, 60) == 0 ? std::numeric_limits<T>::quiet_NaN() : value;
            break;
        default:
            break;
        }
    }
}

struct Tally {
    int runs = 0, refused = 0, swapped = 0, staged = 0, prepacked = 0;
};

template <class T>
void run_random(std::uint64_t seed, int products, Tally& tally) {
    Draw draw(seed);
    std::vector<std::byte> workspace;
    for (int product = 0; product < products; ++product) {
        const bool is_fixed = draw.number(0, 1) != 0;
        const std::int64_t mr = draw.number(1, 9), nr = draw.number(1, 9),
                           kr = draw.number(1, 6) == 1 ? 2 : 1;
        TileOptions options;
        options.mr = is_fixed ? static_cast<std::uint32_t>(mr) : 0;
        options.nr = is_fixed ? static_cast<std::uint32_t>(nr) : 0;
        options.a = kr > 1 ? tg_access{TG_PACKED} : draw_access(draw);
        options.b = kr > 1 ? tg_access{TG_PACKED} : draw_access(draw);
        if (draw.number(0, 1) != 0)
            options.a = TG_PACKED;
        if (draw.number(0, 1) != 0)
            options.b = TG_PACKED;
        options.kr = static_cast<std::uint32_t>(kr);
        options.c = draw_access(draw);
        options.selects = draw.number(0, 1) != 0;
        StrictKernel<T> kernel(options);

        GemmCandidate candidate;
        candidate.microkernel_id = "strict";
        candidate.mr = mr;
        candidate.nr = nr;
        candidate.mc = is_fixed ? mr * draw.number(1, 3) : mr + draw.number(0, 20);
        candidate.nc = is_fixed ? nr * draw.number(1, 3) : nr + draw.number(0, 20);
        candidate.kc = kr * draw.number(1, 20);
        candidate.packing = draw.of(every_packing);
        candidate.loop_order = draw.of(every_order);
        if (draw.number(0, 2) == 0) {
            candidate.packing = Packing::ab;
            candidate.allocation_mode = static_cast<AllocationMode>(draw.number(3, 5));
        }
        const double scales[] = {1, 0, -1, 0.7, 0x1p-40, 1e200};
        // One draw a statement: the order in which arguments are evaluated is the compiler's.
        GemmShape shape;
        shape.m = draw.number(0, 40);
        shape.n = draw.number(0, 40);
        shape.k = draw.number(0, 40);
        shape.batch = draw.number(1, 3);
        shape = with_layouts(shape, static_cast<int>(draw.number(0, 7)));
        const double alpha = draw.of(scales);
        const double beta = draw.of(scales);
        Case<T> given(shape, alpha, beta, static_cast<std::uint64_t>(product));
        roughen(draw, given.a);
        roughen(draw, given.b);
        roughen(draw, given.c);
        given.refresh();
        const Lay lays[] = {Lay::tight, Lay::odd, Lay::negative, Lay::spread};
        const Lay lay = draw.of(lays);
        const Layed<T> layed(given, lay, draw.of(lays));

        AccessPlan access;
        const std::string fault = run_case(layed, candidate, kernel.catalogue(), workspace, &access);
        if (fault.starts_with("refused")) {
            ++tally.refused;
            continue;
        }
        ++tally.runs;
        tally.swapped += access.swapped;
        tally.staged += access.staged_c;
        tally.prepacked += prepacks_a(candidate.allocation_mode) || prepacks_b(candidate.allocation_mode);
        INFO("seed " << seed << " product " << product << " " << case_text(shape, candidate, lay)
                     << " access " << options.a << " " << options.b << " " << options.c);
        CHECK(fault == "");
        CHECK(kernel.breach == "");
    }
}

} // namespace

TEST_CASE("random: tiles of any forms, shapes, lays, modes, alpha and beta give the reference's bits") {
    Tally tally;
    run_random<double>(20260101, 6000, tally);
    run_random<float>(20260102, 3000, tally);
    // The draw reaches everything.
    CHECK(tally.runs > 2500);
    CHECK(tally.refused > 500);
    CHECK(tally.swapped > 500);
    CHECK(tally.staged > 500);
    CHECK(tally.prepacked > 300);
}
