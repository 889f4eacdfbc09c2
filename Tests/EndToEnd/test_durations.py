"""A report of Swift tests has real durations, without the wait for a free place."""

import json
import subprocess
import xml.etree.ElementTree as ElementTree

from herald import DEADLINE, ROOT

NAME = "`accepts a/b`(text:)"


def event(kind, case, moment, name=NAME):
    return json.dumps({"version": 0, "kind": "event", "payload": {
        "kind": kind, "testID": f"WireTests.Outer/Inner/{name}/File.swift:9:6", "_testCase": {"id": case},
        "instant": {"absolute": moment}}})


def rewritten(folder, *events):
    (folder / "events.ndjson").write_text("\n".join([json.dumps({"kind": "test", "payload": {"kind": "function"}}), *events]))
    (folder / "swift.xml").write_text(
        f'<testsuites><testsuite><testcase classname="WireTests.Outer.Inner" name="{NAME}" time="84.2" />'
        '<testcase classname="WireTests.Outer.Inner" name="disabled()" time="1.5" /></testsuite></testsuites>')
    (folder / "pytest.xml").write_text('<testsuites><testcase classname="test_a" name="test_b" time="3.25" /></testsuites>')
    return subprocess.run(
        [ROOT / "Scripts/real-durations.py", folder / "events.ndjson", folder / "swift.xml", folder / "pytest.xml"],
        capture_output=True, text=True, timeout=DEADLINE)


def test_a_test_takes_as_long_as_its_cases(tmp_path):
    done = rewritten(
        tmp_path, event("testCaseStarted", "1", 10), event("testCaseStarted", "2", 10.5), event("testCaseEnded", "1", 10.75),
        event("testCaseEnded", "2", 12))
    assert done.returncode == 0, done.stderr
    times = [case.get("time") for case in ElementTree.parse(tmp_path / "swift.xml").iter("testcase")]
    assert times == ["2.250000", "0.000000"]
    first, second, *_ = done.stdout.splitlines()[1:]
    assert first.split()[:2] == ["3.2", "test_a"] and second.split()[0] == "2.2", done.stdout


def test_a_test_that_the_report_lacks_fails(tmp_path):
    done = rewritten(tmp_path, event("testCaseStarted", "1", 10, "other()"), event("testCaseEnded", "1", 11, "other()"))
    assert done.returncode == 1 and "WireTests.Outer.Inner.other()" in done.stderr
