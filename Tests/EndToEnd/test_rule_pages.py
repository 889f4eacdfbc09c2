"""The rule pages: the binary contains all of them, and every example behaves as its page states.

A parser in this file reads the pages as Markdown. Their examples are written to disk and validated.
"""

import json
import re
import shutil
import subprocess
from concurrent.futures import ThreadPoolExecutor

import pytest

from herald import DEADLINE, ROOT, Project, Witness, binary, run, variables

NOW = "2037-01-01T00:00:00Z"
RULES = "Sources/Language/CampaignRules/Rules"
EMBEDDED = "Sources/Language/CampaignRules/RulePages.swift"
INDEX = "Documentation/Rules/README.md"
SECTIONS = ["What it does", "Why is this bad", "Example", "Use instead", "Source"]
# `validate` alone finds none of them: they check the selected environment, FCM's verdict, and Git's files.
ELSEWHERE = {"environment-variable", "fcm-verdict", "tracked-list"}
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
def pages():
    return {path.stem: path.read_bytes().decode() for path in (ROOT / RULES).glob("*/*.md")}


@pytest.fixture(scope="module")
def examples(pages):
    """Returns the examples under "Example" and "Use instead" of each page, both as complete projects."""
    project = files(sections((ROOT / INDEX).read_text())["The examples"])
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


def embed(root, *arguments):
    done = subprocess.run(
        [root / "Scripts/embed-rule-pages.py", *arguments], capture_output=True, text=True, timeout=DEADLINE)
    return done.returncode, done.stderr


@pytest.fixture
def tree(tmp_path):
    """A copy of what the script reads and writes."""
    for part in ("Scripts", RULES):
        shutil.copytree(ROOT / part, tmp_path / part, ignore=shutil.ignore_patterns("__pycache__"))
    for file in (EMBEDDED, INDEX):
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / file, tmp_path / file)
    return tmp_path


def test_embedded_pages_are_current():
    assert embed(ROOT, "--check") == (0, "")


def test_binary_prints_the_pages(rules, pages):
    for rule in rules:
        found = {name: "\n".join(lines).strip("\n") for name, lines in sections(pages[rule["rule"]]).items()}
        assert rule["what_it_does"] == found["What it does"]
        assert rule["why_is_this_bad"] == found["Why is this bad"]
        assert rule["source"] == found["Source"]
        for key, name in (("example", "Example"), ("use_instead", "Use instead")):
            encoding = {"UTF-8": "utf-8", "ISO-8859-1": "latin-1"}
            printed = {file["path"]: written_out(file["text"]).encode(encoding[file["encoding"]]) for file in rule[key]}
            assert printed == files(sections(pages[rule["rule"]])[name])


def test_changed_page_is_stale_until_embedded(tree):
    page = tree / RULES / "TopicCase/topic-case.md"
    page.write_text(page.read_text().replace("Reports topics", "Reports all topics"))
    before = (tree / EMBEDDED).read_text()
    assert embed(tree, "--check") == (
        1, f"{EMBEDDED}: stale, run `make rules`\n{INDEX}: stale, run `make rules`\n")
    assert (tree / EMBEDDED).read_text() == before
    assert embed(tree) == (0, "")
    assert embed(tree, "--check") == (0, "")
    assert "Reports all topics" in (tree / EMBEDDED).read_text()
    assert "Reports all topics" in (tree / INDEX).read_text()


@pytest.mark.parametrize("change, expected", [
    (lambda page: page.unlink(), f"{RULES}/TopicCase: has 0 pages instead of 1"),
    (lambda page: page.rename(page.with_name("topic-cases.md")),
     f"{RULES}/TopicCase/topic-cases.md: the folder TopicCase and the page topic-cases.md have different names"),
    (lambda page: page.write_text(page.read_text().replace("# topic-case", "# topic-cases", 1)),
     f"{RULES}/TopicCase/topic-case.md: the title is not `topic-case`"),
    (lambda page: page.write_text(page.read_text().replace("Warning. ", "Danger. ", 1)),
     f"{RULES}/TopicCase/topic-case.md: the paragraph below the title does not begin with"),
])
def test_broken_page_is_not_embedded(tree, change, expected):
    change(tree / RULES / "TopicCase/topic-case.md")
    before = (tree / EMBEDDED).read_text()
    code, errors = embed(tree)
    assert code == 1 and expected in errors, errors
    assert (tree / EMBEDDED).read_text() == before


def test_every_rule_has_a_complete_page(rules, pages):
    assert sorted(pages) == sorted(rule["rule"] for rule in rules)
    for rule in rules:
        page = pages[rule["rule"]]
        assert page.startswith(f"# {rule['rule']}\n\n{rule['severity'].capitalize()}. ")
        assert list(sections(page)) == SECTIONS
        assert all("".join(lines).strip() for lines in sections(page).values()), page


def test_readme_lists_every_page_once(rules):
    index = ROOT / INDEX
    rows = re.findall(r"^\| \[`([a-z0-9-]+)`\]\((.*)\) \| (.*) \|$", index.read_text(), re.M)
    assert sorted((rule, summary) for rule, _, summary in rows) == [
        (rule["rule"], rule["summary"].replace("|", r"\|")) for rule in rules]
    for rule, link, _ in rows:
        assert (index.parent / link).is_file() and link.endswith(f"/{rule}.md"), link


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
    run("explain", word).expect(65, f"`{word}` is not a rule", near)
    run("explain", "topic-case", word).expect(65, f"`{word}` is not a rule", near)
