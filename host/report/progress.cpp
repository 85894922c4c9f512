#include "report/progress.hpp"

#include "report/units.hpp"
#include "report/visible.hpp"

#include <fmt/format.h>

#include <algorithm>

#include <sys/ioctl.h>
#include <unistd.h>

namespace tune_gemm::host {
namespace {

int terminal_columns(std::FILE* out) {
    winsize size{};
    if (ioctl(fileno(out), TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
        return size.ws_col;
    return 80;
}

} // namespace

std::string progress_text(const ProgressState& state) {
    std::string text = state.total > 0 ? fmt::format("{}: {} of {}", state.activity, state.done, state.total)
                                       : fmt::format("{}: {}", state.activity, state.done);
    if (!state.best.empty())
        text += fmt::format(", best {}", state.best);
    if (state.seconds_left >= 0)
        text += fmt::format(", {} left", wait_text(state.seconds_left));
    return text;
}

Progress::Progress(std::FILE* out) : Progress(out, isatty(fileno(out)) != 0, 0) {}

Progress::Progress(std::FILE* out, bool is_terminal, int columns)
    : out_(out), is_terminal_(is_terminal), columns_(columns) {}

Progress::~Progress() {
    clear();
}

void Progress::show(const ProgressState& state) {
    if (!is_terminal_)
        return;
    using namespace std::chrono_literals;
    const auto now = std::chrono::steady_clock::now();
    if (drawn_ && now - last_ < 100ms)
        return;
    last_ = now;
    drawn_ = true;
    // A line that wraps could not be taken back with a carriage return.
    const int columns = columns_ > 0 ? columns_ : terminal_columns(out_);
    const std::string text =
        visible(progress_text(state)).substr(0, static_cast<std::size_t>(std::max(columns - 1, 0)));
    std::fputs(fmt::format("\r{}\x1b[K", text).c_str(),
               out_); // ESC [ K clears what an earlier, longer line left
    std::fflush(out_);
}

void Progress::clear() {
    if (!drawn_)
        return;
    drawn_ = false;
    std::fputs("\r\x1b[K", out_);
    std::fflush(out_);
}

} // namespace tune_gemm::host
