"""Each threat on the page of the threat model names tests, and these exist."""

import ast
import os
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
        assert re.fullmatch(r"`test_\w+`(, `test_\w+`)*(, `(Tests|Scripts)/[\w/.]+`)*", tests), threat


def decorators():
    """Returns the decorators of all functions of the tests, by the functions' names."""
    found = {}
    for path in (ROOT / "Tests/EndToEnd").glob("test_*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.FunctionDef):
                found.setdefault(node.name, []).extend(map(ast.unparse, node.decorator_list))
    return found


def test_each_named_test_exists_and_always_runs():
    known = decorators()
    for threat, _, tests in threats():
        for name in re.findall(r"test_\w+", tests):
            assert name in known, f"there is no {name}, which {threat!r} names"
            assert not re.search(r"\b(skip|skipif|xfail)\b", " ".join(known[name])), name


def test_each_named_script_is_part_of_the_soak():
    makefile = (ROOT / "Makefile").read_text()
    rules = dict(re.findall(r"^([\w-]+):[^\n]*\n((?:\t[^\n]*\n)+)", makefile, re.MULTILINE))
    soak = rules["soak"] + "".join(rules[name] for name in ("fuzz", "sanitize") if re.search(rf"\b{name}\b", rules["soak"]))
    names = {name for *_, tests in threats() for name in re.findall(r"`((?:Tests|Scripts)/[^`]+)`", tests)}
    assert len(names) >= 3
    for name in names:
        assert os.access(ROOT / name, os.X_OK) and name in soak, name
