#!/usr/bin/env python3
"""Sums up a Meson test run: count_tests.py BUILD_FOLDER [BUILD_FOLDER ...]

Counts doctest's test cases where an executable prints them, one for any other test. A test program that fails without having
counted a failed case (a crash, a timeout) counts as one failure. A line "SKIPPED: reason" in a program's output turns one passed
case into a skipped one and is repeated here, as is a line "mutation score...". Exit code 1 when anything failed or nothing ran.
"""
import json
import pathlib
import re
import sys

CASES = re.compile(r"test cases:\s*(\d+)\s*\|\s*(\d+) passed\s*\|\s*(\d+) failed")
SKIPPED = re.compile(r"^SKIPPED: (.*)$", re.MULTILINE)
SCORE = re.compile(r"^mutation score.*$", re.MULTILINE)


def count(test):
    """(passed, failed, reasons for skips) of one entry of Meson's test log."""
    output = (test.get("stdout") or "") + (test.get("stderr") or "")
    good = test["result"] in ("OK", "EXPECTEDFAIL")
    reasons = SKIPPED.findall(output)
    if test["result"] == "SKIP":
        return 0, 0, reasons or [f"{test['name']}: exit code 77"]
    cases = CASES.search(output)
    if cases is None:
        return int(good), int(not good), []
    passed, failed = int(cases[2]) - len(reasons), int(cases[3])
    if good and int(cases[1]) == 0:
        return 0, 1, []  # a program that ran no case has tested nothing
    return passed, failed if good or failed else 1, reasons


def main(folders):
    passed = failed = 0
    skips = []
    for folder in folders:
        log = pathlib.Path(folder) / "meson-logs" / "testlog.json"
        if not log.exists():
            failed += 1
            print(f"failed: {folder}: no test was run")
            continue
        for line in log.read_text().splitlines():
            test = json.loads(line)
            for score in SCORE.findall(test.get("stdout") or ""):
                print(f"{score} ({folder})")
            p, f, reasons = count(test)
            passed, failed = passed + p, failed + f
            skips += reasons
            if f:
                print(f"failed: {test['name']} ({folder}): {test['result']}")
    for reason in skips:
        print(f"skipped: {reason}")
    print(f"{passed} passed, {failed} failed, {len(skips)} skipped")
    return 1 if failed or passed == 0 else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
