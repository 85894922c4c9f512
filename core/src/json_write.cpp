// The canonical writer: the same value gives the same bytes, and what is written can be read back.
#include <tune_gemm/error.hpp>
#include <tune_gemm/json.hpp>

#include <boost/json/serialize.hpp>
#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <limits>

namespace tune_gemm::json {
namespace {

/// Length of the well-formed UTF-8 sequence at the start of `text`, or 0 (Unicode, table 3-7).
std::size_t sequence_length(std::string_view text) {
    const auto byte = [&](std::size_t i) -> unsigned { return static_cast<unsigned char>(text[i]); };
    const auto within = [&](std::size_t i, unsigned low, unsigned high) {
        return i < text.size() && byte(i) >= low && byte(i) <= high;
    };
    const unsigned lead = byte(0);
    if (lead < 0x80)
        return 1;
    if (lead >= 0xC2 && lead <= 0xDF)
        return within(1, 0x80, 0xBF) ? 2 : 0;
    if (lead >= 0xE0 && lead <= 0xEF) {
        const unsigned low = lead == 0xE0 ? 0xA0 : 0x80;
        const unsigned high = lead == 0xED ? 0x9F : 0xBF;
        return within(1, low, high) && within(2, 0x80, 0xBF) ? 3 : 0;
    }
    if (lead >= 0xF0 && lead <= 0xF4) {
        const unsigned low = lead == 0xF0 ? 0x90 : 0x80;
        const unsigned high = lead == 0xF4 ? 0x8F : 0xBF;
        return within(1, low, high) && within(2, 0x80, 0xBF) && within(3, 0x80, 0xBF) ? 4 : 0;
    }
    return 0;
}

void write_string(std::string& out, std::string_view text) {
    std::string repaired;
    while (!text.empty()) {
        const std::size_t length = sequence_length(text);
        repaired += length != 0 ? text.substr(0, length) : "\xEF\xBF\xBD";
        text.remove_prefix(length != 0 ? length : 1);
    }
    out += boost::json::serialize(boost::json::string_view(repaired));
}

class Writer {
  public:
    explicit Writer(bool indented, bool reals = false) : indented_(indented), reals_(reals) {}

    void write(const value& v) {
        switch (v.kind()) {
        case boost::json::kind::null:
            out_ += "null";
            return;
        case boost::json::kind::bool_:
            out_ += v.get_bool() ? "true" : "false";
            return;
        case boost::json::kind::int64:
            out_ += fmt::format("{}", v.get_int64());
            return;
        case boost::json::kind::uint64:
            if (v.get_uint64() > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
                break;
            out_ += fmt::format("{}", v.get_uint64());
            return;
        case boost::json::kind::double_:
            if (!reals_)
                break;
            out_ += std::isfinite(v.get_double()) ? fmt::format("{}", v.get_double()) : "null";
            return;
        case boost::json::kind::string:
            write_string(out_, v.get_string());
            return;
        case boost::json::kind::array:
            return write_list('[', v.get_array(), ']', [this](const value& element) { write(element); });
        case boost::json::kind::object:
            return write_list('{', v.get_object(), '}', [this](const boost::json::key_value_pair& member) {
                write_string(out_, member.key());
                out_ += indented_ ? ": " : ":";
                write(member.value());
            });
        }
        throw Error(
            ErrorKind::failed,
            fmt::format("{} cannot be written as a JSON number, which is a signed 64-bit integer here; "
                        "write it as text",
                        boost::json::serialize(v)));
    }

    std::string take() { return std::move(out_); }

  private:
    template <class List, class WriteOne>
    void write_list(char open, const List& list, char close, WriteOne write_one) {
        out_ += open;
        ++depth_;
        bool first = true;
        for (const auto& one : list) {
            if (!first)
                out_ += ',';
            first = false;
            new_line();
            write_one(one);
        }
        --depth_;
        if (!first)
            new_line();
        out_ += close;
    }

    void new_line() {
        if (!indented_)
            return;
        out_ += '\n';
        out_.append(2 * depth_, ' ');
    }

    bool indented_, reals_;
    std::size_t depth_ = 0;
    std::string out_;
};

} // namespace

std::string write(const value& v) {
    Writer writer(false);
    writer.write(v);
    return writer.take();
}

std::string write_indented(const value& v) {
    Writer writer(true);
    writer.write(v);
    return writer.take() + '\n';
}

std::string write_report(const value& v) {
    Writer writer(true, true);
    writer.write(v);
    return writer.take() + '\n';
}

std::string real(double number) {
    if (std::isnan(number))
        return "nan";
    if (std::isinf(number))
        return number < 0 ? "-inf" : "inf";
    std::array<char, 64> digits{};
    const auto [end, error] =
        std::to_chars(digits.data(), digits.data() + digits.size(), std::abs(number), std::chars_format::hex);
    return fmt::format("{}0x{}", std::signbit(number) ? "-" : "", std::string_view(digits.data(), end));
}

} // namespace tune_gemm::json
