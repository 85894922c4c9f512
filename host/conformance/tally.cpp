#include "conformance/tally.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tune_gemm::host {

Coverage::Coverage(std::vector<Axis> axes) : axes_(std::move(axes)) {
    std::size_t classes = 1;
    for (const Axis& axis : axes_)
        classes *= static_cast<std::size_t>(axis.size);
    seen_.assign(classes, false);
}

void Coverage::ran(std::initializer_list<std::int64_t> at) noexcept {
    std::int64_t index = 0;
    auto axis = axes_.begin();
    for (const std::int64_t coordinate : at)
        index = index * (axis++)->size + coordinate;
    seen_[static_cast<std::size_t>(index)] = true;
}

std::int64_t Coverage::missing() const noexcept {
    return std::count(seen_.begin(), seen_.end(), false);
}

std::optional<std::string> Coverage::first_missing() const {
    const auto hole = std::find(seen_.begin(), seen_.end(), false);
    if (hole == seen_.end())
        return std::nullopt;
    std::int64_t index = hole - seen_.begin();
    std::string text;
    for (auto axis = axes_.rbegin(); axis != axes_.rend(); ++axis) {
        const std::int64_t at = index % axis->size;
        index /= axis->size;
        const std::string value =
            axis->texts.empty() ? std::to_string(at) : axis->texts[static_cast<std::size_t>(at)];
        text = fmt::format("{} = {}{}{}", axis->name, value, text.empty() ? "" : ", ", text);
    }
    return text;
}

Coverage& Tally::owes(std::vector<Coverage::Axis> axes) {
    return coverages_.emplace_back(std::move(axes));
}

void fail_check(std::string sentence) {
    throw CheckEnded{false, std::move(sentence)};
}
void skip_check(std::string reason) {
    throw CheckEnded{true, std::move(reason)};
}

} // namespace tune_gemm::host
