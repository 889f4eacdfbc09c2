#!/usr/bin/python3
"""Adds up JUnit reports and prints `N passed, N failed`; a skipped test counts as failed.

    sum-tests.py REPORT...
"""

import sys
import xml.etree.ElementTree as ElementTree

passed = failed = 0
for path in sys.argv[1:]:
    try:
        cases = list(ElementTree.parse(path).iter("testcase"))
    except (OSError, ElementTree.ParseError) as error:
        print(f"{path}: {error}", file=sys.stderr)
        failed += 1
        continue
    if not cases:
        print(f"{path}: no test ran", file=sys.stderr)
        failed += 1
    for case in cases:
        wrong = [case.find(kind) is not None for kind in ("failure", "error", "skipped")]
        if any(wrong):
            failed += 1
            print(f"failed: {case.get('classname')} {case.get('name')}", file=sys.stderr)
        else:
            passed += 1

print(f"{passed} passed, {failed} failed")
sys.exit(failed > 0)
