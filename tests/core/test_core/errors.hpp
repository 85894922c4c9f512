// Expecting an Error, and the words that make its sentence useful.
#pragma once
#include <tune_gemm/error.hpp>

#include <doctest/doctest.h>

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

namespace tune_gemm::test {

/// The sentence of the Error that `action` throws; fails the test when it throws none, or one of another
/// kind.
template <class Action>
std::string error_of(Action&& action, ErrorKind kind = ErrorKind::bad_input) {
    try {
        action();
    } catch (const Error& error) {
        CHECK(error.kind() == kind);
        return error.what();
    }
    FAIL_CHECK("no Error was thrown");
    return {};
}

/// Checks that a sentence contains each of the words.
inline void check_words(const std::string& sentence, std::initializer_list<std::string_view> words) {
    for (const std::string_view word : words) {
        CAPTURE(sentence);
        CAPTURE(word);
        CHECK(sentence.find(word) != std::string::npos);
    }
}

} // namespace tune_gemm::test
