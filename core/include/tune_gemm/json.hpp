// The strict reader and the canonical writer that wrap Boost.JSON.
//
// The reader refuses, with line and column: duplicate keys, numbers that are not integers of 64 bits (a real
// number travels as text), trailing bytes, comments, a byte order mark, invalid UTF-8, and input past the
// limits. The writer gives the same bytes for the same value: keys in insertion order, no blanks.
#pragma once
#include <tune_gemm/error.hpp>

#include <boost/json/value.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace tune_gemm::json {

using boost::json::array;
using boost::json::object;
using boost::json::string;
using boost::json::value;

struct Limits {
    std::size_t bytes = std::size_t{64} << 20;
    std::size_t depth = 32;
    std::size_t first_line = 1; ///< number of the text's first line, in errors
};

/// `what` names the input in errors, e.g. a file name. Throws Error (bad_input).
value read(std::string_view text, std::string_view what, const Limits& = {});
std::string write(const value&);
/// Two blanks of indentation; for files that people read.
std::string write_indented(const value&);
/// Indented, with real numbers as decimal numbers (null where not finite): a report for the programs of
/// others. Reading one here is refused.
std::string write_report(const value&);

/// One member of an object with the path to it, so that errors can name both. The accessors throw Error
/// "FILE: shapes[0].m: expected an integer, found the string "x"".
class Field {
  public:
    /// The root; `what` as in read. The value outlives the Field.
    Field(const value& root, std::string_view what);

    Field operator[](std::string_view key) const; ///< a member that must exist
    Field operator[](std::size_t index) const;
    bool has(std::string_view key) const; ///< throws when this is not an object
    std::size_t size() const;             ///< throws when this is not an array
    const std::string& path() const noexcept { return path_; }
    const value& raw() const noexcept { return *value_; }

    std::int64_t integer(std::int64_t min, std::int64_t max) const;
    std::string string() const;
    bool boolean() const;
    /// A 64-bit value as a decimal string without sign or leading zeros ("0" alone may start with 0).
    std::uint64_t decimal_u64() const;
    /// A real as a hexadecimal-float string, as real() writes it.
    double real() const;
    /// Throws when a key is there that is not in the list.
    void only(std::initializer_list<std::string_view> keys) const;
    /// An Error of kind bad_input: "FILE: path: sentence".
    [[noreturn]] void fail(const std::string& sentence) const;

  private:
    Field(const value*, std::string what, std::string path);
    const value* value_;
    std::string what_, path_;
};

/// A double as text that reads back to the same bits ("0x1.8p+1", "inf", "nan").
std::string real(double);

/// What `parse` makes of the field's text, its Error with file and path before it.
template <class Parse>
auto parsed(const Field& field, Parse parse) {
    const std::string text = field.string();
    try {
        return parse(text);
    } catch (const Error& error) {
        field.fail(error.what());
    }
}

} // namespace tune_gemm::json
