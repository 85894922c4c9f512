"""Carries a page of the documentation out: tutorial.py PAGE, in an empty folder.

```console   lines that begin with "$ " are run by bash, one after the other, in the folder that `cd` led to; what follows is
             compared with what they print, line by line. A figure stands for any figure, "..." for any text, a line of "..." for
             any lines, the sentence after a tile for any sentence, and an instruction for any instruction.
```diff FILE  lines with "-" are replaced by those with "+" where they stand, once, among the unmarked ones.

Figures are not judged. Prints the counts of what was run in the form of the unit tests.
"""
import re
import subprocess
import sys

FIGURE = r"[-+]?(?:0x)?\d[\d.]*(?:[eE][-+]?\d+)?"


def blocks_of(page):
    """(line number, language, file, lines) of each fenced block."""
    blocks, open_block = [], None
    for number, line in enumerate(page.splitlines(), 1):
        if line.startswith("```"):
            if open_block is None:
                words = line[3:].split()
                open_block = (number, words[0] if words else "", words[1] if len(words) > 1 else "", [])
            else:
                blocks.append(open_block)
                open_block = None
        elif open_block is not None:
            open_block[3].append(line)
    return blocks


def pattern_of(line):
    """A regular expression for a line of output as the page shows it."""
    if re.match(r"  \d+x\d+ +[A-Z]", line):
        return r"  \d+x\d+ +[A-Z].*\."
    if re.match(r"  +[0-9a-f]+  [a-z]", line):
        return r"  +[0-9a-f]+  .*"
    if re.fullmatch(r"[ -]*-{2,}[ -]*", line):
        return r"[ -]+"  # the rule of a table is as wide as its figures
    parts = re.split(r"(\.\.\.| +|" + FIGURE + ")", line.rstrip())
    return "".join(r".*" if part == "..." else r" +" if part.isspace() else FIGURE if re.fullmatch(FIGURE, part) else re.escape(part)
                   for part in parts)


def differs(expected, printed):
    """The first line of the page that the output does not have in its place; None when there is none."""
    at = 0
    skips = False
    for line in expected:
        if line.strip() == "...":
            skips = True
            continue
        while at < len(printed) and skips and not re.fullmatch(pattern_of(line), printed[at].rstrip()):
            at += 1
        if at == len(printed) or not re.fullmatch(pattern_of(line), printed[at].rstrip()):
            return line
        at += 1
        skips = False
    return None if skips or at == len(printed) else "(the end)"


class Page:
    def __init__(self):
        self.passed = self.failed = 0
        self.folder = "."

    def judge(self, ok, number, what, details=""):
        if ok:
            self.passed += 1
        else:
            self.failed += 1
            print(f"FAILED line {number}: {what}\n{details}")

    def run(self, number, command, expected):
        # `cd` holds for the commands that follow: the shell says where it ended.
        done = subprocess.run(["bash", "-c", command + "\ncode=$?\necho \"@$PWD\"\nexit $code"], cwd=self.folder,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=600, stdin=subprocess.DEVNULL)
        *printed, self.folder = [line for line in done.stdout.splitlines()]
        self.folder = self.folder[1:]
        line = differs(expected, printed)
        self.judge(line is None, number, f"$ {command}",
                   f"  the page has: {line}\n  printed:\n" + "".join(f"    {text}\n" for text in printed))

    def edit(self, number, name, lines):
        old = [line[1:] for line in lines if not line.startswith("+")]
        new = [line[1:] for line in lines if not line.startswith("-")]
        path = f"{self.folder}/{name}"
        text = open(path).read()
        found = text.count("\n".join(old) + "\n")
        self.judge(found == 1, number, f"the edit of {name}", f"  its lines are in the file {found} times\n")
        open(path, "w").write(text.replace("\n".join(old) + "\n", "\n".join(new) + "\n"))

    def carry_out(self, text):
        for number, language, name, lines in blocks_of(text):
            if language == "diff":
                self.edit(number, name, lines)
            elif language == "console":
                starts = [at for at, line in enumerate(lines) if line.startswith("$ ")]
                for at, end in zip(starts, starts[1:] + [len(lines)]):
                    self.run(number + 1 + at, lines[at][2:], lines[at + 1:end])


page = Page()
page.carry_out(open(sys.argv[1]).read())
print(f"test cases: {page.passed + page.failed} | {page.passed} passed | {page.failed} failed")
sys.exit(0 if page.failed == 0 and page.passed > 0 else 1)
