// The rules of the table: what a check owes, and how it comes out.
#include "conformance/check.hpp"
#include "conformance/check_job.hpp"

#include <tune_gemm/catalogue.hpp>
#include <tune_gemm/error.hpp>

#include <doctest/doctest.h>

#include <set>

using namespace tune_gemm;
using namespace tune_gemm::host;

namespace {

CheckResult run(CheckFunction function, Severity severity = Severity::must) {
    const KernelInfo& kernel = *builtin_catalogue().find("scalar");
    const Check check{"test.made_up", "Is made up.",           severity,
                      Scope::tile,    std::chrono::seconds(1), function};
    return run_check(check, {nullptr, kernel, &kernel.tiles.front(), 1});
}

} // namespace

TEST_CASE("a check that ran no case fails") {
    const CheckResult result = run([](const CheckContext&, Tally&) {});
    CHECK(result.status == CheckStatus::fail);
    CHECK(result.sentence.find("Ran no case") != std::string::npos);
}

TEST_CASE("a check that leaves a class of cases out fails, and names it") {
    const CheckResult result = run([](const CheckContext&, Tally& tally) {
        Coverage& owed = tally.owes({{"m mod 3", 3}, {"form", 2, {"packed", "rows"}}});
        for (std::int64_t m = 0; m < 3; ++m)
            for (std::int64_t form = 0; form < 2; ++form)
                if (!(m == 2 && form == 1))
                    owed.ran({m, form});
        tally.ran();
    });
    CHECK(result.status == CheckStatus::fail);
    CHECK(result.sentence ==
          "Left out 1 of the 6 classes of cases that it owes, m mod 3 = 2, form = rows among them.");
}

TEST_CASE("a check whose classes all ran passes, and counts its cases") {
    const CheckResult result = run([](const CheckContext&, Tally& tally) {
        Coverage& owed = tally.owes({{"m", 2}});
        owed.ran({0}), owed.ran({1});
        tally.ran(), tally.ran();
    });
    CHECK(result.status == CheckStatus::pass);
    CHECK(result.cases == 2);
    CHECK(result.sentence.empty());
}

TEST_CASE(
    "a breach fails or warns, as the severity says; a skip keeps its reason; an exception is a breach") {
    const CheckFunction breach = [](const CheckContext&, Tally& tally) {
        tally.ran();
        fail_check("Wrong.");
    };
    CHECK(run(breach).status == CheckStatus::fail);
    CHECK(run(breach, Severity::should).status == CheckStatus::warn);
    CHECK(run(breach).sentence == "Wrong.");
    const CheckResult skipped = run([](const CheckContext&, Tally&) { skip_check("Does not apply."); });
    CHECK(skipped.status == CheckStatus::skip);
    CHECK(skipped.sentence == "Does not apply.");
    const CheckResult thrown =
        run([](const CheckContext&, Tally&) { throw Error(ErrorKind::failed, "The kernel gave status 4."); });
    CHECK(thrown.status == CheckStatus::fail);
    CHECK(thrown.sentence == "The kernel gave status 4.");
}

TEST_CASE("ids are unique and grouped, and every check says what it enforces") {
    std::set<std::string_view> ids;
    for (const Check& check : all_checks()) {
        CHECK(ids.insert(check.id).second);
        CHECK(check.id.find('.') != std::string_view::npos);
        CHECK(check.contract.ends_with('.'));
        CHECK(check.limit.count() > 0);
    }
    CHECK(select_checks("tail").size() == tail_checks().size());
    CHECK(select_checks("tail.").size() == tail_checks().size());
    CHECK(select_checks("tail.blocks").size() == 1);
}

TEST_CASE("an unknown check is refused with the nearest one") {
    try {
        select_checks("tail.block");
        FAIL("accepted");
    } catch (const Error& error) {
        CHECK(error.kind() == ErrorKind::bad_input);
        CHECK(std::string(error.what()).find("Did you mean tail.blocks?") != std::string::npos);
    }
}

TEST_CASE("a result survives the way to the parent, and nothing else is taken for one") {
    const CheckResult sent{CheckStatus::warn, "Odd \"text\".", 7};
    const json::value value = check_result_json(sent);
    const CheckResult received = parse_check_result(json::Field(value, "test"));
    CHECK(received.status == sent.status);
    CHECK(received.sentence == sent.sentence);
    CHECK(received.cases == sent.cases);
    const json::value unknown = json::object{{"status", "fine"}, {"sentence", ""}, {"cases", 1}};
    CHECK_THROWS_AS(parse_check_result(json::Field(unknown, "test")), Error);
    const json::value missing = json::object{{"status", "pass"}, {"cases", 1}};
    CHECK_THROWS_AS(parse_check_result(json::Field(missing, "test")), Error);
}

TEST_CASE("the loop built into core passes every check in process") {
    const KernelInfo& kernel = *builtin_catalogue().find("scalar");
    for (const Check& check : all_checks()) {
        CAPTURE(check.id);
        const CheckResult result = run_check(
            check, {nullptr, kernel, check.scope == Scope::tile ? &kernel.tiles.front() : nullptr, 3});
        CAPTURE(result.sentence);
        CHECK_FALSE(is_failure(result.status));
    }
}
