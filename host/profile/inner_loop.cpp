#include "profile/inner_loop.hpp"

#include "conformance/disassembly.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <set>
#include <string_view>
#include <utility>

namespace tune_gemm::host {
namespace {

std::uint64_t hexadecimal(std::string_view digits) noexcept {
    std::uint64_t value = 0;
    std::from_chars(digits.data(), digits.data() + digits.size(), value, 16);
    return value;
}

std::string_view mnemonic_of(std::string_view text) noexcept {
    return text.substr(0, text.find(' '));
}

/// "0x8(%rax,%rcx,2),%ymm1{%k1}" -> its two operands.
std::vector<std::string_view> operands_of(std::string_view text) {
    std::vector<std::string_view> operands;
    const std::size_t blank = text.find_first_of(" \t");
    if (blank == std::string_view::npos)
        return operands;
    text.remove_prefix(std::min(text.find_first_not_of(" \t", blank), text.size()));
    text = text.substr(0, text.find_first_of(" \t#"));
    int depth = 0;
    std::size_t begin = 0;
    for (std::size_t at = 0; at <= text.size(); ++at) {
        if (at == text.size() || (text[at] == ',' && depth == 0)) {
            operands.push_back(text.substr(begin, at - begin));
            begin = at + 1;
        } else if (text[at] == '(') {
            ++depth;
        } else if (text[at] == ')') {
            --depth;
        }
    }
    return operands;
}

struct Jump {
    bool is_jump = false, is_call = false, is_conditional = false;
    std::uint64_t target = 0; ///< 0: not known from the instruction
};

/// "jne    1120 <run+0x40>"
Jump jump_of(std::string_view text) noexcept {
    std::string_view mnemonic = mnemonic_of(text);
    if (mnemonic == "bnd" || mnemonic == "notrack") {
        text.remove_prefix(mnemonic.size());
        text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
        mnemonic = mnemonic_of(text);
    }
    Jump jump;
    jump.is_call = mnemonic.starts_with("call");
    jump.is_jump = mnemonic.starts_with('j') || mnemonic.starts_with("loop");
    jump.is_conditional = jump.is_jump && !mnemonic.starts_with("jmp");
    if (jump.is_call || jump.is_jump) {
        std::string_view operand = text.substr(mnemonic.size());
        operand.remove_prefix(std::min(operand.find_first_not_of(' '), operand.size()));
        if (!operand.starts_with('*'))
            jump.target = hexadecimal(operand.substr(0, operand.find(' ')));
    }
    return jump;
}

bool ends_flow(std::string_view text) noexcept {
    const std::string_view mnemonic = mnemonic_of(text);
    const Jump jump = jump_of(text);
    return mnemonic.starts_with("ret") || mnemonic == "ud2" || mnemonic == "hlt" ||
           (jump.is_jump && !jump.is_conditional);
}

std::size_t index_of(std::span<const CodeLine> code, std::uint64_t address) noexcept {
    const auto found =
        std::lower_bound(code.begin(), code.end(), address,
                         [](const CodeLine& line, std::uint64_t at) { return line.address < at; });
    return found != code.end() && found->address == address ? static_cast<std::size_t>(found - code.begin())
                                                            : code.size();
}

/// Lines from a target of a jump to the jump.
struct Range {
    std::size_t first = 0, last = 0;

    bool holds(std::size_t line) const noexcept { return first <= line && line <= last; }
    std::size_t length() const noexcept { return last - first; }
};

/// Whether `to` is reached from `from` without leaving the range, nor following calls.
bool reaches(std::span<const CodeLine> code, const Range& range, std::size_t from, std::size_t to) {
    std::vector<bool> reached(range.length() + 1, false);
    std::vector<std::size_t> waiting{from};
    while (!waiting.empty()) {
        std::size_t at = waiting.back();
        waiting.pop_back();
        for (; range.holds(at) && !reached[at - range.first]; ++at) {
            if (at == to)
                return true;
            reached[at - range.first] = true;
            if (const Jump jump = jump_of(code[at].text); jump.is_jump && jump.target != 0)
                waiting.push_back(index_of(code, jump.target));
            if (ends_flow(code[at].text))
                break;
        }
    }
    return false;
}

/// Whether the line lies on the way round. Not all that jumps back is a loop, nor is all that lies between of
/// it: what is seldom run is moved out of the way, often far.
bool goes_round_by(std::span<const CodeLine> code, const Range& range, std::size_t line) {
    return range.holds(line) && reaches(code, range, range.first, line) &&
           reaches(code, range, line, range.last);
}

std::vector<Range> backward_jumps(std::span<const CodeLine> code) {
    std::vector<Range> ranges;
    for (std::size_t at = 0; at < code.size(); ++at) {
        const Jump jump = jump_of(code[at].text);
        if (jump.is_jump && jump.target != 0 && jump.target <= code[at].address)
            if (const std::size_t first = index_of(code, jump.target); first <= at)
                ranges.push_back({first, at});
    }
    std::sort(ranges.begin(), ranges.end(),
              [](const Range& one, const Range& other) { return one.length() < other.length(); });
    return ranges;
}

/// Bytes that the operation computes on: a register's, or an entry's where it is not of vectors.
int bytes_of(std::string_view mnemonic, std::string_view text) noexcept {
    if (mnemonic.ends_with("sd"))
        return 8;
    if (mnemonic.ends_with("ss"))
        return 4;
    return text.find("%zmm") != std::string_view::npos   ? 64
           : text.find("%ymm") != std::string_view::npos ? 32
                                                         : 16;
}

bool is_one_of_floats(std::string_view mnemonic) noexcept {
    return mnemonic.ends_with("pd") || mnemonic.ends_with("ps") || mnemonic.ends_with("sd") ||
           mnemonic.ends_with("ss");
}

bool starts_with_one_of(std::string_view text, std::initializer_list<std::string_view> beginnings) noexcept {
    return std::any_of(beginnings.begin(), beginnings.end(),
                       [&](std::string_view beginning) { return text.starts_with(beginning); });
}

void count_line(std::string_view text, InnerLoop& loop, std::set<std::string, std::less<>>& sums) {
    const std::string_view mnemonic = mnemonic_of(text);
    const std::vector<std::string_view> operands = operands_of(text);
    if (is_one_of_floats(mnemonic) && !operands.empty()) {
        const bool fused = starts_with_one_of(mnemonic, {"vfmadd", "vfmsub", "vfnmadd", "vfnmsub"});
        const bool multiplies = starts_with_one_of(mnemonic, {"mulp", "muls", "vmulp", "vmuls"});
        const bool adds = starts_with_one_of(mnemonic, {"addp", "adds", "vaddp", "vadds", "subp", "vsubp"});
        loop.fma += fused, loop.multiplications += multiplies, loop.additions += adds;
        if (fused || adds)
            sums.emplace(operands.back().substr(0, operands.back().find('{'))); // without a mask
        if (fused || multiplies) {
            loop.register_bytes = std::max(loop.register_bytes, bytes_of(mnemonic, text));
            loop.arithmetic = mnemonic;
        }
    }
    if (operands.empty() || starts_with_one_of(mnemonic, {"lea", "nop", "prefetch", "j", "call", "cs"}))
        return;
    const auto in_memory = [](std::string_view operand) {
        return operand.find('(') != std::string_view::npos;
    };
    const bool writes_last = !starts_with_one_of(mnemonic, {"cmp", "test", "vtest", "ucomi", "vucomi"});
    loop.loads += std::any_of(operands.begin(), operands.end() - 1, in_memory) ||
                  (in_memory(operands.back()) && !writes_last);
    loop.stores += in_memory(operands.back()) && writes_last;
}

InnerLoop loop_of(std::span<const CodeLine> lines) {
    InnerLoop loop;
    std::set<std::string, std::less<>> sums;
    for (const CodeLine& line : lines)
        count_line(line.text, loop, sums);
    loop.sums = static_cast<int>(sums.size());
    loop.lines.assign(lines.begin(), lines.end());
    return loop;
}

} // namespace

FoundLoop find_inner_loop(std::span<const CodeLine> code, const CodeSamples& samples) {
    if (samples.taken == 0)
        return {{}, "not known: the program counter could not be looked at."};
    const auto seen = [&](int count, std::string_view where) {
        return fmt::format("{} of {} samples of the program counter lie {}", count, samples.taken, where);
    };
    const int outside = samples.taken - samples.taken_in_file();
    if (2 * outside > samples.taken)
        return {{},
                seen(outside, "outside of the file, in a library or in code that is made while it runs.")};
    const std::vector<Range> ranges = backward_jumps(code);
    std::map<std::pair<std::size_t, std::size_t>, int> counts;
    int in_no_loop = samples.taken_in_file();
    for (const auto& [address, count] : samples.in_file) {
        const std::size_t line = index_of(code, address);
        const auto smallest = std::find_if(ranges.begin(), ranges.end(), [&](const Range& range) {
            return goes_round_by(code, range, line);
        });
        if (smallest == ranges.end())
            continue;
        counts[{smallest->first, smallest->last}] += count;
        in_no_loop -= count;
    }
    const auto most = std::max_element(counts.begin(), counts.end(), [](const auto& one, const auto& other) {
        return one.second < other.second;
    });
    if (most == counts.end() || most->second < in_no_loop)
        return {{}, seen(in_no_loop, "in the file but in no loop (jumps of x86-64 are looked for).")};
    const auto [first, last] = most->first;
    InnerLoop loop = loop_of(code.subspan(first, last + 1 - first));
    loop.samples = most->second, loop.all_samples = samples.taken;
    return {std::move(loop), {}};
}

Code read_code(const std::filesystem::path& path) {
    Code code;
    code.absent = disassemble(path, [&](const Instruction& instruction, const std::string& function) {
        code.lines.push_back({hexadecimal(instruction.address), std::string(instruction.text), function});
        return true;
    });
    return code;
}

} // namespace tune_gemm::host
