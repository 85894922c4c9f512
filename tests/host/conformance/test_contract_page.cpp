// docs/kernel-contract.md explains every check, and no check that is not there.
#include "conformance/check.hpp"
#include "store/text_file.hpp"

#include <doctest/doctest.h>

#include <map>
#include <regex>
#include <set>
#include <string>

using namespace tune_gemm::host;

namespace {

/// The headings of checks, each with the anchor that links go to, and the text below it.
struct Section {
    std::string id, anchor, text;
};

std::vector<Section> sections_of_page() {
    const std::string page = read_file(KERNEL_CONTRACT);
    const std::regex heading("(?:^|\n)### (?:<a id=\"([^\"]*)\"></a>)?([^\n]*)");
    std::vector<Section> sections;
    std::string::const_iterator from = page.begin();
    for (std::smatch found; std::regex_search(from, page.end(), found, heading);) {
        from = found[0].second;
        const std::string rest(from, page.end());
        sections.push_back({found[2], found[1], rest.substr(0, rest.find("\n#"))});
    }
    return sections;
}

} // namespace

TEST_CASE("every check has its heading on the contract's page, and no heading is without a check") {
    std::set<std::string> explained;
    for (const Section& section : sections_of_page()) {
        CAPTURE(section.id);
        CHECK(find_check(section.id) != nullptr);
        CHECK(section.anchor == section.id);
        CHECK(explained.insert(section.id).second);
        CHECK(section.text.find("*Usual mistake:*") != std::string::npos);
    }
    for (const Check& check : all_checks())
        CHECK_MESSAGE(explained.contains(std::string(check.id)), check.id);
}

TEST_CASE("sections of the page are in the order of the table") {
    std::map<std::string, std::size_t> order;
    for (const Check& check : all_checks())
        order.emplace(check.id, order.size());
    std::size_t last = 0;
    for (const Section& section : sections_of_page()) {
        REQUIRE(order.contains(section.id));
        CHECK_MESSAGE(order.at(section.id) >= last, section.id);
        last = order.at(section.id);
    }
}

TEST_CASE("a failed check says where it is explained") {
    CHECK(page_of(*find_check("tail.residues")) == "docs/kernel-contract.md#tail.residues");
}
