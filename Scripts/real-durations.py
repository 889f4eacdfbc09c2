#!/usr/bin/python3
"""Gives each Swift test in a JUnit report its real duration, and prints the slowest tests of all reports.

    real-durations.py EVENTS SWIFT-REPORT [REPORT...]

Swift Testing starts all tests at once, and the times in its report include the wait for a free place. Its event stream
has the start and the end of each case: a test takes as long as its cases together.
"""

import json
import sys
import xml.etree.ElementTree as ElementTree

SHOWN = 10


def durations(path):
    """The seconds of all cases, by the name of the test. Cases of one test run at the same time."""
    begun, seconds = {}, {}
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            record = json.loads(line)
            event = record["payload"]
            if record["kind"] != "event" or event["kind"] not in ("testCaseStarted", "testCaseEnded"):
                continue
            case, moment = (event["testID"], event["_testCase"]["id"]), event["instant"]["absolute"]
            if event["kind"] == "testCaseStarted":
                begun[case] = moment
            else:
                # The last part is the place in the file.
                name = event["testID"].rsplit("/", 1)[0].replace("/", ".")
                seconds[name] = seconds.get(name, 0) + moment - begun.pop(case)
    return seconds


def rewrite(path, seconds):
    """Replaces the times in a report of Swift tests. A test without a case, such as a disabled one, takes no time."""
    tree = ElementTree.parse(path)
    for case in tree.iter("testcase"):
        name = f"{case.get('classname')}.{case.get('name')}".replace("/", ".")
        case.set("time", f"{seconds.pop(name, 0):.6f}")
    if seconds:
        sys.exit(f"real-durations.py: {path} lacks these tests: {', '.join(sorted(seconds)[:5])}")
    tree.write(path, encoding="utf-8", xml_declaration=True)


def main():
    events, swift, *others = sys.argv[1:]
    rewrite(swift, durations(events))
    cases = [(float(case.get("time")), case.get("classname"), case.get("name"))
             for path in (swift, *others) for case in ElementTree.parse(path).iter("testcase")]
    print(f"The {SHOWN} slowest of {len(cases):,} tests, in seconds:")
    for time, suite, name in sorted(cases, reverse=True)[:SHOWN]:
        print(f"{time:8.1f}  {suite} {name}")


main()
