// Tuning of a few candidates of a cube by a fake measurer.
#pragma once
#include "fake_measurer.hpp"
#include "tune/tuner.hpp"

#include <tune_gemm/catalogue.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace tune_gemm::host::test {

inline const GemmShape shape{64, 64, 64};

inline std::string id_of(int mc, int nc, int kc, int mr = 4, int nr = 4) {
    return std::to_string(mc) + "x" + std::to_string(nc) + "x" + std::to_string(kc) + ":" +
           std::to_string(mr) + "x" + std::to_string(nr) + ":scalar:m_n_k:ab:workspace:compute";
}
inline const std::string a = id_of(32, 32, 32), b = id_of(64, 64, 32), c = id_of(64, 64, 64),
                         d = id_of(128, 128, 64);

inline Selection selection_of(const std::vector<std::string>& ids) {
    std::vector<GemmCandidate> candidates;
    for (const std::string& id : ids)
        candidates.push_back(parse_candidate_id(id));
    return select_candidates(candidates, shape, default_grid_limit, builtin_catalogue());
}

/// Keeps what it is told.
struct Recorder : TuneListener {
    std::vector<std::string> events;
    std::vector<TuneProgress> progresses;
    void validated(const Standing& s, const GemmShape& at, const Judgement&) override {
        events.push_back("validated " + s.distinct.id + " " + shape_text(at));
    }
    void observed(const Standing& s, Phase phase, const Sample&) override {
        events.push_back("observed " + s.distinct.id + " " + std::string(to_text(phase)));
    }
    void failed(const Standing& s) override {
        events.push_back("failed " + s.distinct.id + " " + std::string(to_text(s.failure->kind)));
    }
    void decided(const Standing& s, Phase, std::string_view verdict, std::string_view reason) override {
        CHECK(!reason.empty());
        events.push_back(std::string(verdict) + " " + s.distinct.id);
    }
    void settled() override { events.push_back("settled"); }
    void progress(const TuneProgress& p) override { progresses.push_back(p); }
    std::int64_t count(const std::string& beginning) const {
        return std::count_if(events.begin(), events.end(),
                             [&](const std::string& e) { return e.rfind(beginning, 0) == 0; });
    }
};

struct Tuning {
    FakeMeasurer measurer;
    TuneSettings settings;
    Recorder recorder;
    ShapeResult tune(const std::vector<std::string>& ids) { return tune(selection_of(ids)); }
    ShapeResult tune(const Selection& selection) {
        return tune_shape(shape, selection, settings, measurer, recorder);
    }
    FakeKernel& operator[](const std::string& id) { return measurer.kernels[id]; }
};

inline const Standing& standing(const ShapeResult& result, const std::string& id) {
    for (const Standing& s : result.standings)
        if (s.distinct.id == id)
            return s;
    FAIL("no standing of " << id);
    return result.standings.front();
}

} // namespace tune_gemm::host::test
