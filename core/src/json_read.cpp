// The strict reader. Boost.JSON's parser does the grammar; the handler here refuses what it would let
// through: duplicate keys (it keeps the last), numbers that are no 64-bit integers (it makes doubles of
// them).
#include "json_text.hpp"

#include <tune_gemm/error.hpp>
#include <tune_gemm/json.hpp>

#include <boost/json/basic_parser_impl.hpp>
#include <boost/json/value_stack.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <functional>
#include <optional>
#include <set>
#include <vector>

namespace tune_gemm::json {
namespace {

using boost::json::error_code;

/// What the handler found wrong, and where in the text when it knows.
struct Fault {
    std::string sentence;
    std::optional<std::size_t> offset;
};

/// An array or object that is being read.
struct Level {
    bool is_object = false;
    std::size_t index = 0;                   ///< of the element being read, in an array
    std::string key;                         ///< of the member being read, in an object
    std::set<std::string, std::less<>> keys; ///< of an object, so far
};

class Handler {
  public:
    static constexpr std::size_t max_object_size = object::max_size();
    static constexpr std::size_t max_array_size = array::max_size();
    static constexpr std::size_t max_key_size = std::size_t{1} << 20;
    static constexpr std::size_t max_string_size = boost::json::string::max_size();

    explicit Handler(std::string_view text) : text_(text) {}

    bool on_document_begin(error_code&) { return true; }
    bool on_document_end(error_code&) { return true; }
    bool on_array_begin(error_code&) {
        levels_.emplace_back();
        return true;
    }
    bool on_array_end(std::size_t count, error_code&) {
        levels_.pop_back();
        stack_.push_array(count);
        return value_done();
    }
    bool on_object_begin(error_code&) {
        levels_.emplace_back().is_object = true;
        return true;
    }
    bool on_object_end(std::size_t count, error_code&) {
        levels_.pop_back();
        stack_.push_object(count);
        return value_done();
    }
    bool on_key_part(boost::json::string_view part, std::size_t, error_code&) {
        key_.append(part.data(), part.size());
        stack_.push_chars(part);
        return true;
    }
    bool on_key(boost::json::string_view part, std::size_t, error_code& ec) {
        key_.append(part.data(), part.size());
        stack_.push_key(part);
        Level& level = levels_.back();
        const bool fresh = level.keys.insert(key_).second;
        level.key = std::exchange(key_, {});
        if (!fresh)
            return refuse(ec, "this key stands twice in one object; keep one", offset_of(part));
        return true;
    }
    bool on_string_part(boost::json::string_view part, std::size_t, error_code&) {
        stack_.push_chars(part);
        return true;
    }
    bool on_string(boost::json::string_view part, std::size_t, error_code&) {
        stack_.push_string(part);
        return value_done();
    }
    bool on_number_part(boost::json::string_view, error_code&) { return true; }
    bool on_int64(std::int64_t, boost::json::string_view digits, error_code& ec) {
        return on_number(digits, ec);
    }
    bool on_uint64(std::uint64_t, boost::json::string_view digits, error_code& ec) {
        return on_number(digits, ec);
    }
    bool on_double(double, boost::json::string_view digits, error_code& ec) { return on_number(digits, ec); }
    bool on_bool(bool b, error_code&) {
        stack_.push_bool(b);
        return value_done();
    }
    bool on_null(error_code&) {
        stack_.push_null();
        return value_done();
    }
    bool on_comment_part(boost::json::string_view, error_code&) { return true; }
    bool on_comment(boost::json::string_view, error_code&) { return true; }

    value release() { return stack_.release(); }
    const std::optional<Fault>& fault() const noexcept { return fault_; }
    /// "shapes[0].m: ", or nothing at the root.
    std::string path() const {
        std::string path;
        for (const Level& level : levels_) {
            if (!level.is_object)
                path += fmt::format("[{}]", level.index);
            else if (!level.keys.empty())
                path = join_path(path, level.key);
        }
        return path.empty() ? path : path + ": ";
    }

  private:
    /// The text of the number is judged, not the number that Boost made of it.
    bool on_number(boost::json::string_view digits, error_code& ec) {
        const char* const end = digits.data() + digits.size();
        std::int64_t number = 0;
        const auto [stop, error] = std::from_chars(digits.data(), end, number);
        const std::string shown = clipped({digits.data(), digits.size()});
        if (stop != end)
            return refuse(
                ec, fmt::format("{} is not written as an integer; a real number travels as text", shown),
                offset_of(digits));
        if (error != std::errc{})
            return refuse(
                ec,
                fmt::format(
                    "{} does not fit a signed 64-bit integer; larger numbers travel as decimal strings",
                    shown),
                offset_of(digits));
        if (number == 0 && digits.size() > 1)
            return refuse(ec, "-0 is not an integer; write 0", offset_of(digits));
        stack_.push_int64(number);
        return value_done();
    }

    bool value_done() {
        if (!levels_.empty())
            ++levels_.back().index;
        return true;
    }

    bool refuse(error_code& ec, std::string sentence, std::optional<std::size_t> offset) {
        fault_ = Fault{std::move(sentence), offset};
        ec = boost::json::error::syntax;
        return false;
    }

    /// Text with escapes comes from a buffer of the parser, and its place is not known.
    std::optional<std::size_t> offset_of(boost::json::string_view part) const {
        const std::less<const char*> before;
        if (before(part.data(), text_.data()) || before(text_.data() + text_.size(), part.data()))
            return std::nullopt;
        return static_cast<std::size_t>(part.data() - text_.data());
    }

    std::string_view text_;
    boost::json::value_stack stack_;
    std::vector<Level> levels_;
    std::string key_;
    std::optional<Fault> fault_;
};

/// What a syntax error at `offset` most likely is.
std::string syntax_sentence(std::string_view text, std::size_t offset) {
    if (offset >= text.size())
        return "the text ends too early";
    const auto byte = static_cast<unsigned char>(text[offset]);
    if (byte >= 0x80)
        return fmt::format("byte 0x{:02x} is not UTF-8 or stands outside a string", byte);
    if (byte < 0x20 || byte == 0x7f)
        return fmt::format("control character 0x{:02x} is not allowed here; in a string, write \\u{:04x}",
                           byte, byte);
    if (byte == '/')
        return "comments are not JSON; remove this one";
    return fmt::format("unexpected character '{}'", text[offset]);
}

std::string parser_sentence(const error_code& ec, std::string_view text, std::size_t offset,
                            const Limits& limits) {
    using boost::json::error;
    if (ec == error::incomplete)
        return "the text ends too early";
    if (ec == error::too_deep)
        return fmt::format("nested deeper than {} levels", limits.depth);
    if (ec == error::syntax)
        return syntax_sentence(text, offset);
    return ec.message();
}

[[noreturn]] void fail(std::string_view text, std::string_view what, const Limits& limits, std::size_t offset,
                       const std::string& sentence) {
    offset = std::min(offset, text.size());
    const std::string_view before = text.substr(0, offset);
    const std::size_t line =
        limits.first_line + static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n'));
    const std::size_t newline = before.rfind('\n');
    const std::string_view in_line = before.substr(newline == std::string_view::npos ? 0 : newline + 1);
    const auto column =
        1 + std::count_if(in_line.begin(), in_line.end(), [](char c) { return (c & 0xC0) != 0x80; });
    throw_bad_input(fmt::format("{}: line {}, column {}: {}", what, line, column, sentence));
}

} // namespace

value read(std::string_view text, std::string_view what, const Limits& limits) {
    if (text.size() > limits.bytes)
        throw_bad_input(
            fmt::format("{}: {} bytes are more than the {} that are read", what, text.size(), limits.bytes));
    if (text.starts_with("\xEF\xBB\xBF"))
        fail(text, what, limits, 0, "begins with a byte order mark; save it as UTF-8 without one");
    if (text.find_first_not_of(" \t\r\n") == std::string_view::npos)
        fail(text, what, limits, 0, "empty where a JSON value was expected");

    boost::json::parse_options options;
    options.max_depth = limits.depth;
    boost::json::basic_parser<Handler> parser(options, text);
    error_code ec;
    const std::size_t stop = parser.write_some(false, text.data(), text.size(), ec);
    if (ec) {
        const Handler& handler = parser.handler();
        if (const auto& fault = handler.fault())
            fail(text, what, limits, fault->offset.value_or(stop), handler.path() + fault->sentence);
        fail(text, what, limits, stop, handler.path() + parser_sentence(ec, text, stop, limits));
    }
    if (stop != text.size())
        fail(text, what, limits, stop, "the JSON value ends before this; nothing may follow it");
    return parser.handler().release();
}

} // namespace tune_gemm::json
