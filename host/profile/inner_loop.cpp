#include "profile/inner_loop.hpp"

#include "conformance/disassembly.hpp"

#include <algorithm>
#include <charconv>
#include <set>
#include <string_view>

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

/// Which lines can be reached from `entry` without an indirect jump.
std::vector<bool> reached_from(std::span<const CodeLine> code, std::uint64_t entry) {
    std::vector<bool> reached(code.size(), false);
    std::vector<std::size_t> waiting{index_of(code, entry)};
    while (!waiting.empty()) {
        std::size_t at = waiting.back();
        waiting.pop_back();
        for (; at < code.size() && !reached[at]; ++at) {
            reached[at] = true;
            if (const Jump jump = jump_of(code[at].text); jump.target != 0)
                waiting.push_back(index_of(code, jump.target));
            if (ends_flow(code[at].text))
                break;
        }
    }
    return reached;
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

/// Entries that are multiplied in an iteration, in bytes.
int work_of(const InnerLoop& loop) noexcept {
    return loop.multiply_adds() * loop.register_bytes;
}

std::optional<InnerLoop> best_loop(std::span<const CodeLine> code, const std::vector<bool>& reached) {
    struct Range {
        std::size_t first, last;
    };
    std::vector<Range> loops; // by their ends
    std::optional<InnerLoop> best;
    for (std::size_t at = 0; at < code.size(); ++at) {
        const Jump jump = jump_of(code[at].text);
        if (!reached[at] || !jump.is_jump || jump.target == 0 || jump.target > code[at].address)
            continue;
        const std::size_t first = index_of(code, jump.target);
        if (first > at)
            continue;
        const bool holds_another = std::any_of(loops.rbegin(), loops.rend(),
                                               [&](const Range& other) { return other.first >= first; });
        loops.push_back({first, at});
        if (holds_another)
            continue;
        InnerLoop loop = loop_of(code.subspan(first, at + 1 - first));
        if (loop.multiply_adds() > 0 && (!best || work_of(loop) > work_of(*best)))
            best = std::move(loop);
    }
    return best;
}

} // namespace

std::optional<InnerLoop> find_inner_loop(std::span<const CodeLine> code, std::uint64_t entry) {
    if (auto loop = best_loop(code, reached_from(code, entry)))
        return loop;
    return best_loop(code, std::vector<bool>(code.size(), true));
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
