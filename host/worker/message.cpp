#include "worker/message.hpp"

#include <fmt/format.h>

#include <array>
#include <limits>

namespace tune_gemm::host {
namespace {

constexpr std::array<std::string_view, 4> kind_names = {"failed", "bad_input", "unavailable", "interrupted"};

ErrorKind parse_kind(const json::Field& field) {
    const std::string name = field.string();
    for (std::size_t i = 0; i < kind_names.size(); ++i)
        if (kind_names[i] == name)
            return static_cast<ErrorKind>(i);
    field.fail(fmt::format("unknown kind of error \"{}\"", name));
}

} // namespace

std::string request_line(std::int64_t number, std::string_view job, const json::value& request) {
    return json::write(json::object{{"number", number}, {"job", job}, {"request", request}}) + '\n';
}

std::string answer_line(std::int64_t number, const json::value& value) {
    return json::write(json::object{{"number", number}, {"value", value}}) + '\n';
}

std::string error_line(std::int64_t number, const Error& error) {
    const json::object told{{"kind", kind_names[static_cast<std::size_t>(error.kind())]},
                            {"sentence", error.what()}};
    return json::write(json::object{{"number", number}, {"error", told}}) + '\n';
}

std::variant<json::value, Error> parse_answer(std::string_view line, std::int64_t number) {
    json::Limits limits;
    limits.bytes = longest_message;
    const json::value root = json::read(line, "the answer", limits);
    const json::Field answer(root, "the answer");
    const std::int64_t echoed = answer["number"].integer(0, std::numeric_limits<std::int64_t>::max());
    if (echoed != number)
        throw std::runtime_error(fmt::format("it is numbered {}, but request {} was made", echoed, number));
    if (answer.has("error")) {
        answer.only({"number", "error"});
        const json::Field error = answer["error"];
        error.only({"kind", "sentence"});
        return Error(parse_kind(error["kind"]), error["sentence"].string());
    }
    answer.only({"number", "value"});
    return answer["value"].raw();
}

} // namespace tune_gemm::host
