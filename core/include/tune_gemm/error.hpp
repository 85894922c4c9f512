// How the program says no. Two ways, and no third:
//   Error    thrown: a request that cannot be carried out. what() is one or more whole sentences: what was
//            wrong, the offending value, what was expected, how to go on.
//   Outcome  returned: a question whose honest answer may be "no, because" (a candidate that is invalid).
#pragma once
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>

namespace tune_gemm {

/// What an Error means for the exit code of a program (in brackets).
enum class ErrorKind {
    failed,      ///< something was tried and found wrong (1)
    bad_input,   ///< the request itself is at fault; nothing on disk was touched (2)
    unavailable, ///< nothing could run here, e.g. a processor feature is missing (77)
    interrupted, ///< the user asked for an end before there was one (130)
};

class Error : public std::runtime_error {
  public:
    Error(ErrorKind kind, const std::string& sentence) : std::runtime_error(sentence), kind_(kind) {}
    ErrorKind kind() const noexcept { return kind_; }

  private:
    ErrorKind kind_;
};

/// An Error of kind bad_input.
[[noreturn]] void throw_bad_input(const std::string& sentence);

/// Why something is refused: the name of the field at fault (may be empty) and a sentence.
struct Refusal {
    std::string field;
    std::string reason;
    bool operator==(const Refusal&) const = default;
};

/// A value, or the reason why there is none.
template <class T>
class Outcome {
  public:
    Outcome(T value) : held_(std::move(value)) {}
    Outcome(Refusal refusal) : held_(std::move(refusal)) {}

    explicit operator bool() const noexcept { return std::holds_alternative<T>(held_); }
    /// Precondition: *this is true.
    T& value() { return std::get<T>(held_); }
    const T& value() const { return std::get<T>(held_); }
    /// Precondition: *this is false.
    const Refusal& refusal() const { return std::get<Refusal>(held_); }

  private:
    std::variant<T, Refusal> held_;
};

} // namespace tune_gemm
