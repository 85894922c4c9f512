// A plugin built years ago relies on where every field lies: today's header against the one of 1.0, kept
// frozen.
#include "layout.h"

#include <tune_gemm/abi.h>

#include <doctest/doctest.h>

#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>

namespace {

std::string name_of(const abi_fact& fact) {
    return std::string(fact.of) + (fact.name != nullptr ? std::string(".") + fact.name : " as a whole");
}

const abi_fact* find(const abi_layout& layout, const abi_fact& wanted) {
    for (const abi_fact* fact = layout.facts; fact->of != nullptr; ++fact)
        if (name_of(*fact) == name_of(wanted))
            return fact;
    return nullptr;
}

/// `later` has all of `frozen` at its place; with the same minor version, and nothing more.
void check_grown_from(const abi_layout& frozen, const abi_layout& later) {
    REQUIRE(later.minor >= frozen.minor);
    for (const abi_fact* fact = frozen.facts; fact->of != nullptr; ++fact) {
        CAPTURE(name_of(*fact));
        const abi_fact* now = find(later, *fact);
        REQUIRE(now != nullptr);
        CHECK(now->offset == fact->offset);
        if (fact->name == nullptr && later.minor > frozen.minor)
            CHECK(now->size >= fact->size);
        else
            CHECK(now->size == fact->size);
    }
}

} // namespace

TEST_CASE("the table names every field: nothing lies between two, or behind the last") {
    std::size_t end = 0, structs = 0;
    for (const abi_fact* fact = frozen_layout.facts; fact->of != nullptr; ++fact) {
        if (std::string_view(fact->of) == "number")
            continue;
        CAPTURE(name_of(*fact));
        if (fact->name != nullptr) {
            CHECK(fact->offset == end);
            end = fact->offset + fact->size;
        } else {
            CHECK(fact->size == end);
            end = 0;
            ++structs;
        }
    }
    CHECK(structs == 9);
}

TEST_CASE("today's header has every field of 1.0 where it was") {
    check_grown_from(frozen_layout, todays_layout);
}

TEST_CASE("a grown header has every field of today's where it was") {
    REQUIRE(grown_layout.minor == todays_layout.minor + 1);
    check_grown_from(todays_layout, grown_layout);
}

#if defined(__x86_64__) && defined(__LP64__)
TEST_CASE("sizes on x86-64") {
    CHECK(sizeof(tg_error) == 16);
    CHECK(sizeof(tg_tile_args) == 128);
    CHECK(sizeof(tg_problem) == 128);
    CHECK(sizeof(tg_gemm_args) == 40);
    CHECK(sizeof(tg_tile) == 72);
    CHECK(sizeof(tg_gemm) == 32);
    CHECK(sizeof(tg_kernel) == 104);
    CHECK(sizeof(tg_plugin) == 72);
    CHECK(sizeof(tg_host) == 16);
}
#endif

TEST_CASE("a callback that may throw is no callback") {
    using Throwing = void (*)(const tg_kernel*, const tg_tile_args*);
    CHECK_FALSE(std::is_convertible_v<Throwing, tg_tile_run>);
    CHECK(std::is_convertible_v<tg_tile_run, Throwing>);
}
