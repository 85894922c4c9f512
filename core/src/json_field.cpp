// Members of a JSON object, read with the path to them, so that an error can name file, field and value.
#include "json_text.hpp"

#include <tune_gemm/error.hpp>
#include <tune_gemm/json.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>

namespace tune_gemm::json {
namespace {

constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t greatest = std::numeric_limits<std::int64_t>::max();

/// "the string "x"", "the number 5", "an array of 3".
std::string found(const value& v) {
    switch (v.kind()) {
    case boost::json::kind::null:
        return "null";
    case boost::json::kind::bool_:
        return v.get_bool() ? "true" : "false";
    case boost::json::kind::array:
        return fmt::format("an array of {}", v.get_array().size());
    case boost::json::kind::object:
        return fmt::format("an object of {}", v.get_object().size());
    case boost::json::kind::string:
        return "the string " + quoted(v.get_string());
    default:
        return fmt::format("the number {}", write(v));
    }
}

std::string expected_integer(std::int64_t min, std::int64_t max) {
    if (min == least && max == greatest)
        return "an integer";
    if (max == greatest)
        return fmt::format("an integer of at least {}", min);
    return fmt::format("an integer from {} to {}", min, max);
}

} // namespace

Field::Field(const value& root, std::string_view what) : Field(&root, std::string(what), {}) {}

Field::Field(const value* value, std::string what, std::string path)
    : value_(value), what_(std::move(what)), path_(std::move(path)) {}

void Field::fail(const std::string& sentence) const {
    throw_bad_input(path_.empty() ? fmt::format("{}: {}", what_, sentence)
                                  : fmt::format("{}: {}: {}", what_, path_, sentence));
}

bool Field::has(std::string_view key) const {
    if (!value_->is_object())
        fail(fmt::format("expected an object, found {}", found(*value_)));
    return value_->get_object().contains(key);
}

Field Field::operator[](std::string_view key) const {
    const std::string path = join_path(path_, key);
    if (!has(key))
        Field(value_, what_, path).fail("missing");
    return Field(&value_->get_object().at(key), what_, path);
}

std::size_t Field::size() const {
    if (!value_->is_array())
        fail(fmt::format("expected an array, found {}", found(*value_)));
    return value_->get_array().size();
}

Field Field::operator[](std::size_t index) const {
    if (index >= size())
        fail(fmt::format("expected at least {} elements, found {}", index + 1, size()));
    return Field(&value_->get_array()[index], what_, fmt::format("{}[{}]", path_, index));
}

std::int64_t Field::integer(std::int64_t min, std::int64_t max) const {
    const bool fits = value_->is_int64() ||
                      (value_->is_uint64() && value_->get_uint64() <= static_cast<std::uint64_t>(greatest));
    const std::int64_t number = fits ? value_->to_number<std::int64_t>() : 0;
    if (!fits || number < min || number > max)
        fail(fmt::format("expected {}, found {}", expected_integer(min, max), found(*value_)));
    return number;
}

std::string Field::string() const {
    if (!value_->is_string())
        fail(fmt::format("expected a string, found {}", found(*value_)));
    return std::string(value_->get_string());
}

bool Field::boolean() const {
    if (!value_->is_bool())
        fail(fmt::format("expected true or false, found {}", found(*value_)));
    return value_->get_bool();
}

std::uint64_t Field::decimal_u64() const {
    if (!value_->is_string())
        fail(fmt::format("expected a decimal number as a string, such as \"42\", found {}", found(*value_)));
    const std::string_view text = value_->get_string();
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error == std::errc::result_out_of_range)
        fail(fmt::format("expected a number from 0 to {}, found {}",
                         std::numeric_limits<std::uint64_t>::max(), found(*value_)));
    const bool leading_zero = text.size() > 1 && text.front() == '0';
    if (error != std::errc{} || end != text.data() + text.size() || leading_zero)
        fail(fmt::format("expected a decimal number without sign, blanks or leading zeros, found {}",
                         found(*value_)));
    return number;
}

double Field::real() const {
    const std::string text = string();
    std::string_view digits = text;
    const bool negative = digits.starts_with('-');
    digits.remove_prefix(negative ? 1 : 0);
    double number = 0;
    if (digits == "inf") {
        number = std::numeric_limits<double>::infinity();
    } else if (digits == "nan") {
        number = std::numeric_limits<double>::quiet_NaN();
    } else if (digits.starts_with("0x")) {
        digits.remove_prefix(2);
        std::from_chars(digits.data(), digits.data() + digits.size(), number, std::chars_format::hex);
    }
    if (negative)
        number = -number;
    if (json::real(number) != text) // one number, one text
        fail(fmt::format("expected a real number as hexadecimal text, such as \"{}\", found {}",
                         json::real(1.5), found(*value_)));
    return number;
}

void Field::only(std::initializer_list<std::string_view> keys) const {
    has(""); // an object, or fails
    for (const auto& member : value_->get_object()) {
        if (std::find(keys.begin(), keys.end(), std::string_view(member.key())) == keys.end())
            fail(fmt::format("unknown key {}; known are {}", quoted(member.key()), fmt::join(keys, ", ")));
    }
}

} // namespace tune_gemm::json
