// Writes everything that the tuner tells into the journal, as it happens.
#pragma once
#include "store/journal.hpp"
#include "tune/tuner.hpp"

#include <cstdint>

namespace tune_gemm::host {

class JournalListener final : public TuneListener {
  public:
    /// `next`, which may be null, is told the same after the journal. `shape_index`: in the header's
    /// configuration.
    JournalListener(JournalWriter&, std::int64_t shape_index, std::uint64_t seed, std::int64_t limit,
                    std::string plugin_words, TuneListener* next);

    void validated(const Standing&, const GemmShape& at, const Judgement&) override;
    void observed(const Standing&, Phase, const Sample&) override;
    void failed(const Standing&) override;
    void decided(const Standing&, Phase, std::string_view verdict, std::string_view reason) override;
    void settled() override;
    void progress(const TuneProgress&) override;

  private:
    void append(const JournalRecord&);

    JournalWriter& journal_;
    std::int64_t shape_index_;
    std::uint64_t seed_;
    std::int64_t limit_;
    std::string plugin_words_;
    TuneListener* next_;
};

} // namespace tune_gemm::host
