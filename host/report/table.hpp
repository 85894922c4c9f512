// Aligned columns for a terminal.
#pragma once
#include <string>
#include <utility>
#include <vector>

namespace tune_gemm::host {

enum class Align { left, right };

struct Column {
    std::string title;
    Align align = Align::left;
};

class Table {
  public:
    explicit Table(std::vector<Column>);
    /// Precondition: one cell a column.
    void add_row(std::vector<std::string> cells);
    bool empty() const noexcept { return rows_.empty(); }
    /// Titles, a rule of '-', the rows; two blanks between columns, none at the end of a line; every line
    /// ended.
    std::string text() const;

  private:
    std::vector<Column> columns_;
    std::vector<std::vector<std::string>> rows_;
};

/// "name  value" lines with the values below each other, for one thing with several facts.
class FactList {
  public:
    void add(std::string_view name, std::string_view value);
    std::string text() const;

  private:
    std::vector<std::pair<std::string, std::string>> facts_;
};

} // namespace tune_gemm::host
