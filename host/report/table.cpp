#include "report/table.hpp"

#include "report/visible.hpp"

#include <algorithm>
#include <stdexcept>
#include <string_view>

namespace tune_gemm::host {
namespace {

/// Characters, not bytes: file names may hold more than ASCII.
std::size_t width_of(std::string_view text) {
    return static_cast<std::size_t>(
        std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

void append_padded(std::string& line, std::string_view cell, std::size_t width, Align align) {
    const std::string blanks(width - std::min(width, width_of(cell)), ' ');
    if (align == Align::right)
        line += blanks;
    line += cell;
    if (align == Align::left)
        line += blanks;
}

void end_line(std::string& text, std::string line) {
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + '\n';
}

constexpr std::string_view gap = "  ";

} // namespace

Table::Table(std::vector<Column> columns) : columns_(std::move(columns)) {}

void Table::add_row(std::vector<std::string> cells) {
    if (cells.size() != columns_.size())
        throw std::logic_error("a row of a table needs one cell a column");
    for (std::string& cell : cells)
        cell = visible(cell);
    rows_.push_back(std::move(cells));
}

std::string Table::text() const {
    std::vector<std::size_t> widths;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
        widths.push_back(width_of(columns_[i].title));
        for (const auto& row : rows_)
            widths[i] = std::max(widths[i], width_of(row[i]));
    }
    std::string text, line;
    const auto append_cell = [&](std::size_t i, std::string_view cell) {
        line += i == 0 ? std::string_view() : gap;
        append_padded(line, cell, widths[i], columns_[i].align);
    };
    for (std::size_t i = 0; i < columns_.size(); ++i)
        append_cell(i, columns_[i].title);
    end_line(text, std::exchange(line, {}));
    for (std::size_t i = 0; i < columns_.size(); ++i)
        append_cell(i, std::string(widths[i], '-'));
    end_line(text, std::exchange(line, {}));
    for (const auto& row : rows_) {
        for (std::size_t i = 0; i < columns_.size(); ++i)
            append_cell(i, row[i]);
        end_line(text, std::exchange(line, {}));
    }
    return text;
}

void FactList::add(std::string_view name, std::string_view value) {
    facts_.emplace_back(visible(name), visible(value));
}

std::string FactList::text() const {
    std::size_t width = 0;
    for (const auto& [name, value] : facts_)
        width = std::max(width, width_of(name));
    std::string text;
    for (const auto& [name, value] : facts_) {
        std::string line;
        append_padded(line, name, width, Align::left);
        line += gap;
        line += value;
        end_line(text, std::move(line));
    }
    return text;
}

} // namespace tune_gemm::host
