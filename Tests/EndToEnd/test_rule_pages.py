"""The rule pages: the committed pages match the binary, and every example behaves as its page states.

A parser in this file reads the pages as Markdown. Their examples are written to disk and validated.
"""

import json
import re
import subprocess
from concurrent.futures import ThreadPoolExecutor

import pytest

from herald import DEADLINE, ROOT, Project, Witness, binary, run, variables

NOW = "2037-01-01T00:00:00Z"
SECTIONS = ["What it does", "Why is this bad", "Example", "Use instead", "Source"]
# `validate` finds neither rule: one checks the selected environment, the other reports FCM's verdict.
ELSEWHERE = {"environment-variable", "fcm-verdict"}
# Firebase reference, ErrorCode; Google documentation, Instance ID server reference.
CODES = [
    "INVALID_ARGUMENT", "UNREGISTERED", "SENDER_ID_MISMATCH", "QUOTA_EXCEEDED", "UNAVAILABLE", "INTERNAL",
    "THIRD_PARTY_AUTH_ERROR", "NOT_FOUND", "TOO_MANY_TOPICS", "RESOURCE_EXHAUSTED",
]
HEAD = re.compile(r"^(?:error|warning|note)\[([a-z0-9-]+)\]", re.M)


def sections(page):
    """Returns the lines under each second-level heading. Fenced lines are not headings."""
    found, lines, fence = {}, [], None
    for line in page.split("\n"):
        if fence is None and line.startswith("## "):
            lines = found.setdefault(line[3:], [])
            continue
        if fence is None and (opened := re.match("`{3,}", line)):
            fence = opened[0]
        elif line == fence:
            fence = None
        lines.append(line)
    return found


def files(lines):
    """Returns the fenced files as bytes, by path."""
    found, head, fence, body = {}, None, None, []
    for line in lines:
        if fence is not None:
            if line != fence:
                body.append(line + "\n")
                continue
            found[head[1]] = written_out("".join(body)).encode("latin-1" if head[2] else "utf-8")
            head, fence = None, None
        elif path := re.fullmatch("`([^`]+)`(, in ISO 8859-1)?", line):
            head = path
        elif opened := re.fullmatch("(`{3,})(?:yaml|text)", line):
            fence, body = opened[1], []
    assert head is None and fence is None, lines
    return found


def written_out(text):
    """Expands ⟨TEXT×N⟩ to N repetitions of TEXT, with # replaced by a counter."""
    return re.sub("⟨([^⟩]*)×([0-9]+)⟩", lambda found: "".join(
        found[1].replace("#", str(number + 1)) for number in range(int(found[2]))), text)


def write(folder, example):
    for path, content in example.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(content)


def printed(*arguments):
    """Returns what herald prints about the pages. Unlike other output, their examples contain registrations."""
    return subprocess.run(
        [binary(), *arguments], env=variables(), stdout=subprocess.PIPE, timeout=DEADLINE, check=True).stdout.decode()


def found_by(result):
    """Returns the rules of all findings."""
    text = result.out + result.err
    assert (result.code == 65) == ("error[" in text), result
    return set(HEAD.findall(text))


@pytest.fixture(scope="module")
def rules():
    return json.loads(printed("rules", "--format", "json"))


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("pages")
    run("rules", "--write", folder).expect(0, "README.md")
    return folder


@pytest.fixture(scope="module")
def pages(folder):
    return {path.stem: path.read_bytes().decode() for path in folder.iterdir() if path.name != "README.md"}


@pytest.fixture(scope="module")
def examples(folder, pages):
    """Returns the examples under "Example" and "Use instead" of each page, both as complete projects."""
    project = files(sections((folder / "README.md").read_text())["The examples"])
    assert list(project) == ["herald.yaml"]
    return {rule: {name: project | files(sections(page)[name]) for name in ("Example", "Use instead")}
            for rule, page in pages.items()}


@pytest.fixture(scope="module")
def validated(examples, tmp_path_factory):
    """Returns the findings of `herald validate` for each example."""
    folder = tmp_path_factory.mktemp("examples")

    def validate(case):
        rule, name = case
        place = folder / f"{rule} {name}"
        write(place, examples[rule][name])
        found = found_by(run("validate", "-C", place, "--color", "never", now=NOW))
        return found if rule == "not-built-yet" else found - {"not-built-yet"}

    cases = [(rule, name) for rule in examples for name in examples[rule]]
    with ThreadPoolExecutor(4) as pool:
        return dict(zip(cases, pool.map(validate, cases)))


def test_committed_pages_are_up_to_date(folder):
    committed = {path.name: path.read_bytes() for path in (ROOT / "Documentation/Rules").glob("*")}
    assert committed == {path.name: path.read_bytes() for path in folder.iterdir()}, "stale: run `make rules`"


def test_every_rule_has_a_complete_page(rules, pages):
    assert sorted(pages) == sorted(rule["rule"] for rule in rules)
    for rule in rules:
        page = pages[rule["rule"]]
        assert f"\n# {rule['rule']}\n\n{rule['severity'].capitalize()}. " in page
        assert list(sections(page)) == SECTIONS
        assert all("".join(lines).strip() for lines in sections(page).values()), page


def test_readme_lists_every_page_once(rules, folder):
    rows = re.findall(r"^\| \[`([a-z0-9-]+)`\]\((.*)\) \| (.*) \|$", (folder / "README.md").read_text(), re.M)
    assert sorted(rows) == [
        (rule["rule"], rule["rule"] + ".md", rule["summary"].replace("|", r"\|")) for rule in rules]


def test_each_example_triggers_only_its_rule(examples, validated):
    found = {rule: validated[rule, "Example"] for rule in sorted(examples.keys() - ELSEWHERE)}
    assert found == {rule: {rule} for rule in found}


def test_alternatives_have_no_findings(examples, validated):
    found = {rule: validated[rule, "Use instead"] for rule in sorted(examples)}
    assert found == {rule: set() for rule in found}


def test_variable_example_fails_in_its_environment(examples, tmp_path):
    for name, expected in (("Example", {"environment-variable"}), ("Use instead", set())):
        example = examples["environment-variable"][name]
        write(tmp_path / name, example)
        environment = re.search(r"^environments:\n  ([a-z]+):$", example["herald.yaml"].decode(), re.M)[1]
        result = run("plan", "-e", environment, "-C", tmp_path / name, now=NOW)
        assert found_by(result) & {"environment-variable"} == expected, result


@pytest.mark.parametrize("name, expected", [("Example", {"fcm-verdict"}), ("Use instead", set())])
def test_verdict_example_matches_the_emulator(examples, tmp_path, name, expected):
    write(tmp_path, examples["fcm-verdict"][name])
    assert found_by(run("validate", "--online", "-C", tmp_path, now=NOW)) == expected


@pytest.mark.parametrize("name, status", [("Example", 400), ("Use instead", 200)])
def test_verdict_example_matches_fcm(examples, tmp_path, name, status):
    refusal = {"error": {
        "code": 400, "status": "INVALID_ARGUMENT", "message": "Request contains an invalid argument.",
        "details": [{"@type": "type.googleapis.com/google.firebase.fcm.v1.FcmError", "errorCode": "INVALID_ARGUMENT"}]}}
    project = Project(tmp_path / "project")
    with Witness(project, lambda _: (status, refusal if status == 400 else {"name": "projects/e2e/messages/1"})) as fcm:
        environment = (project.folder / "herald.yaml").read_bytes().splitlines()[-1]
        write(project.folder, examples["fcm-verdict"][name])
        file = project.folder / "herald.yaml"
        file.write_bytes(file.read_bytes() + environment + b"\n")
        result = project.herald("validate", "--online", "-e", "bench", now=NOW)
    assert found_by(result) == ({"fcm-verdict"} if status == 400 else set()), result
    assert len(fcm.bodies) > 0


def test_explains_every_rule_and_code(rules):
    names = [rule["rule"] for rule in rules] + CODES
    lines = printed("explain", *names).splitlines()
    for name in names:
        assert any(line.startswith(name + "  ") for line in lines), name
    explained = json.loads(printed("explain", *names, "--format", "json"))
    assert {entry.get("rule", entry.get("code")) for entry in explained} == set(names)
    assert [entry for entry in explained if "rule" in entry] == rules


def test_page_fits_a_terminal(rules):
    for rule in rules:
        lines = printed("explain", rule["rule"]).splitlines()
        assert [line for line in lines if len(line) > 76 and not line.startswith("    ")] == []
        assert [line for line in lines if line and not line.startswith(" ")][1:] == SECTIONS


def test_lists_one_rule_per_line(rules):
    rows = [line.split(maxsplit=2) for line in printed("rules").splitlines()]
    assert rows == [[rule["rule"], rule["severity"], rule["summary"]] for rule in rules]
    assert rows == sorted(rows)


@pytest.mark.parametrize("word, near", [
    ("topic-cases", "topic-case"), ("topic_case", "topic-case"), ("nothing", "herald rules"),
])
def test_unknown_name_gets_a_suggestion(word, near):
    run("explain", word).expect(65, f"`{word}` is no rule", near)
    run("explain", "topic-case", word).expect(65, f"`{word}` is no rule", near)


def test_write_deletes_pages_of_removed_rules_only(tmp_path):
    folder = tmp_path / "new/rules"
    run("rules", "--write", folder).expect(0)
    removed_page = folder / "gone-rule.md"
    removed_page.write_bytes((folder / "topic-case.md").read_bytes())
    (folder / "mine.md").write_text("# Mine\n")
    (folder / "topic-case.md").write_bytes(removed_page.read_bytes() + b"more")
    run("rules", "--write", folder).expect(0, f"Removed {removed_page}.")
    assert not removed_page.exists() and (folder / "mine.md").read_text() == "# Mine\n"
    assert not (folder / "topic-case.md").read_text().endswith("more")


def test_write_does_not_overwrite_another_readme(tmp_path):
    (tmp_path / "README.md").write_text("# Mine\n")
    run("rules", "--write", tmp_path).expect(1, "README.md is there and is none of Herald's pages")
    assert [path.name for path in tmp_path.iterdir()] == ["README.md"]
    assert (tmp_path / "README.md").read_text() == "# Mine\n"
