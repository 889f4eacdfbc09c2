"""The table of FCM statements and their tests is complete, and its check detects errors."""

import re
import shutil
import subprocess

import pytest

from herald import ROOT

STATEMENTS = "Tests/Coverage/statements.tsv"
TABLE = "Documentation/Internals/Coverage.md"
TAG = '@Test(.covers("C05", "F4-console"), arguments: [1_024, 1_025])'
TAGGED = "Tests/LanguageTests/CampaignLoading/LimitTests.swift"


def script(root, *arguments):
    done = subprocess.run([root / "Scripts/coverage-table.py", *arguments], capture_output=True, text=True, timeout=60)
    return done.returncode, done.stderr


@pytest.fixture
def tree(tmp_path):
    """A copy of the files that the script reads."""
    for part in ("Tests", "Scripts"):
        shutil.copytree(ROOT / part, tmp_path / part, ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / TABLE).parent.mkdir(parents=True)
    shutil.copy(ROOT / TABLE, tmp_path / TABLE)
    return tmp_path


def line_of(tree, id):
    lines = (tree / STATEMENTS).read_text().split("\n")
    return next(number for number, line in enumerate(lines, 1) if line.startswith(id + "\t"))


def edit(tree, path, old, new):
    text = (tree / path).read_text()
    assert text.count(old) == 1, f"{old!r} is {text.count(old)} times in {path}"
    (tree / path).write_text(text.replace(old, new))


def edit_row(tree, id, change):
    lines = (tree / STATEMENTS).read_text().split("\n")
    number = line_of(tree, id)
    lines[number - 1:number] = change(lines[number - 1].split("\t"))
    (tree / STATEMENTS).write_text("\n".join(lines))


def assert_refused(tree, *problems):
    code, output = script(tree, "--check")
    assert code == 1, output
    for problem in problems:
        assert problem in output, f"no {problem!r} in\n{output}"
    return output


@pytest.mark.covers("M09")
def test_every_statement_has_a_test_or_a_reason_for_none():
    assert script(ROOT, "--check") == (0, "")


def test_check_passes_for_a_copy_of_the_tree(tree):
    assert script(tree, "--check") == (0, "")


def test_reports_a_tag_without_a_statement(tree):
    edit_row(tree, "F4-console", lambda fields: [])
    assert_refused(tree, "F4-console is not a statement of", f"{TABLE}:")


def test_reports_the_location_of_a_misspelt_tag(tree):
    edit(tree, TAGGED, TAG, TAG.replace("F4-console", "F4-consol"))
    number = (tree / TAGGED).read_text().split(TAG[:20])[0].count("\n") + 1
    assert_refused(
        tree, f"{TAGGED}:{number}: F4-consol is not a statement",
        f"{STATEMENTS}:{line_of(tree, 'F4-console')}: F4-console has neither a test nor `later: AREA`")


def test_reads_a_tag_that_spans_several_lines(tree):
    edit(tree, TAGGED, TAG, "@Test(\n    // \"A99\"\n    .covers(\n        \"C05\",\n        \"F4-console\"\n    ),\n    arguments: [1]\n)")
    assert script(tree, "--check") == (0, "")


def test_reports_a_tag_outside_of_a_test(tree):
    path = tree / TAGGED
    path.write_text(path.read_text() + "\nlet trait = Trait.covers(\"A51\")\n// .covers(\"A52\")\n")
    output = assert_refused(tree, "`covers` is not on a test")
    assert output.count("\n") == 1, "a comment is not a tag"


def test_reports_a_misspelt_tag_in_python(tree):
    edit(tree, "Tests/EndToEnd/test_refusals.py", 'covers("A56")', 'covers("A560")')
    assert_refused(tree, "A560 is not a statement", "test_refusals.py:")


def test_rejects_later_for_a_statement_with_a_test(tree):
    edit_row(tree, "C05", lambda fields: ["\t".join(fields + ["later: language"])])
    assert_refused(tree, f"{STATEMENTS}:{line_of(tree, 'C05')}: C05 has a test (LimitTests.swift:", "is stale")


def test_rejects_not_ours_for_a_statement_with_a_test(tree):
    edit_row(tree, "C05", lambda fields: ["\t".join(fields + ["not ours: because it is"])])
    assert_refused(tree, "C05 has a test")


@pytest.mark.parametrize("instead, problem", [
    ("later: never", "`never` is not an area"),
    ("later", "`` is not an area"),
    ("not ours: so", "`not ours` needs a reason"),
    ("perhaps", "`perhaps` is neither"),
])
def test_rejects_an_invalid_reason_for_a_missing_test(tree, instead, problem):
    edit_row(tree, "A05", lambda fields: ["\t".join(fields[:3] + [instead])])
    assert_refused(tree, f"{STATEMENTS}:{line_of(tree, 'A05')}: A05", problem)


def test_reports_a_duplicate_row(tree):
    edit_row(tree, "A05", lambda fields: ["\t".join(fields)] * 2)
    assert_refused(tree, "A05 is already the statement of line")


def test_reports_the_first_stale_line_of_the_table(tree):
    edit_row(tree, "A01", lambda fields: ["\t".join([*fields[:2], "Something else"])])
    number = next(
        number for number, line in enumerate((tree / TABLE).read_text().split("\n"), 1) if line.startswith("| A01 |"))
    assert assert_refused(tree) == f"{TABLE}:{number}: is stale; run `make coverage`\n"


def test_writing_updates_a_stale_table(tree):
    (tree / TABLE).unlink()
    assert_refused(tree, f"{TABLE}: is missing")
    assert script(tree) == (0, "")
    assert (tree / TABLE).read_text() == (ROOT / TABLE).read_text()


def test_counts_add_up():
    text = (ROOT / TABLE).read_text()
    total, shown, later, others = map(int, re.search(
        r"(\d+) statements: (\d+) shown by tests, (\d+) later, (\d+) not ours", text).groups())
    rows = [line for line in text.split("\n") if re.match(r"\| [ACFMU][0-9]", line)]
    assert len(rows) == total == shown + later + others
    assert sum("*later: " in row for row in rows) == later
