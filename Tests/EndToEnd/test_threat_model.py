"""Each threat on the page of the threat model names tests, and these exist."""

import re

from herald import ROOT

PAGE = (ROOT / "Documentation/Internals/ThreatModel.md").read_text()
SECTION = re.compile(r"^## (Threats .+?)\n(.*?)(?=^## |\Z)", re.MULTILINE | re.DOTALL)


def threats():
    for title, text in SECTION.findall(PAGE):
        rows = [line for line in text.splitlines() if line.startswith("| ")][2:]
        assert rows, title
        for row in rows:
            yield [cell.strip() for cell in row.strip("|").split(" | ")]


def test_each_threat_has_a_prevention_and_a_test():
    found = list(threats())
    assert len(found) > 30
    for threat, prevention, tests in found:
        assert prevention, threat
        assert re.fullmatch(r"`test_\w+`(, `test_\w+`)*", tests), threat


def test_each_named_test_exists_and_always_runs():
    sources = {path: path.read_text() for path in (ROOT / "Tests/EndToEnd").glob("test_*.py")}
    for threat, _, tests in threats():
        for name in re.findall(r"test_\w+", tests):
            places = [text for text in sources.values() if re.search(rf"^ *def {name}\(", text, re.MULTILINE)]
            assert places, f"there is no {name}, which {threat!r} names"
            for text in places:
                decorators = re.search(rf"((?:^ *@.*\n(?:^ +.*\n)*?)*)^ *def {name}\(", text, re.MULTILINE)[1]
                assert not re.search(r"\b(skip|skipif|xfail)\b", decorators), name
