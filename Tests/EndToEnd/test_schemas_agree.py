"""check-jsonschema with Herald's schemas agrees with Herald's own loader on hundreds of documents.

The documents come from schema_corpus.py, the example project and the goldens. Both programs decide whether each
document is valid (`herald validate` exits with 0 or 65). If HERALD_SOAK is greater than 1, every change of every key
is tried, several thousand documents.
"""

import json
import re
import shutil
import subprocess
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from herald import ROOT, SOAK, run, schema
from schema_corpus import CAMPAIGNS, DEFAULTS, Case, corpus, names, sample, yaml

DOCUMENTS = ROOT / "Tests/Goldens/documents"
KINDS = ("project", "campaign")
# Rules that a schema of one document cannot check: they need other files, the system, the meaning of an expression,
# or text inside of values.
UNKNOWABLE = {
    "unknown-topic", "unknown-audience", "unknown-message", "duplicate-name", "time-zone", "needs-list", "unreadable-file", "missing-column", "uncovered-locale",
    "encrypted-message",
    "condition-syntax", "condition-topics", "condition-never-true", "schedule-syntax", "schedule-bounds",
    "rollout-stages", "moved-from", "list-set", "duplicate-registration", "environment-variable", "fixed-rule",
}
# Cases that the message schema cannot check: the cases, the rule that herald reports, and the reason.
LEFT_TO_HERALD = [
    (r"relevance-score(: |$)", "number-out-of-range", "its limit depends on whether an event is next to it"),
    (r': "[-+0-9.e]+"$', "number-out-of-range", "a decimal number in quotation marks is text to a schema"),
    (r"^activity .*(payload|aps)(:|$)|with live_activity_token$", "missing-key",
     "a Live Activity's token needs an event two levels below it"),
    (r"^log message(\.apns\S*)?: |^log message.apns\S* : ", "missing-key",
     "a key in a locale may require a key of the campaign's message"),
    (r"^answer (opt_out: true|subscribe: example 0)$", "conflicting-keys",
     "a rule that opts out neither subscribes nor replies, and no rule subscribes to what it unsubscribes from"),
    (r"^correction message: (without notification|\{\})$", "missing-key", "only the message of a correction needs a text"),
]
MOST_LEFT_TO_HERALD = 30
ERROR = re.compile(r"^error\[([a-z0-9-]+)\]", re.M)


@pytest.fixture(scope="module")
def schemas():
    return {kind: json.loads(schema(kind)) for kind in KINDS}


@pytest.fixture(scope="module")
def cases(schemas):
    cases = corpus(schemas) if SOAK > 1 else sample(corpus(schemas))
    cases += [Case("project", str(path), path.read_text()) for path in (ROOT / "herald.yaml", DOCUMENTS / "herald.yaml")]
    for folder in (ROOT, DOCUMENTS):
        for path in sorted((folder / "campaigns").glob("*.yaml")):
            # check-jsonschema reads one document per file.
            for number, text in enumerate(re.split(r"^---\n", path.read_text(), flags=re.M)):
                cases.append(Case("campaign", f"{path} {number}", text, "examples"))
    return cases


@pytest.fixture(scope="module")
def herald_verdicts(once, cases, tmp_path_factory):
    """Returns the rules that each case violates, according to herald."""
    return once("schemas-herald", lambda: ask_herald(cases, tmp_path_factory))


def ask_herald(cases, tmp_path_factory):
    folder = tmp_path_factory.mktemp("projects")
    defaults = {"defaults": f"defaults:{yaml(DEFAULTS, '  ')}\n"}

    def project_file(case):
        registry = "".join(f'  "{name}": {{}}\n' for name in {"tides", "azores", "beta", *names([case])})
        sources = "sources: { export: { command: [./export], format: csv } }\n"
        return f"version: 1\nproject: harbour\ntopics:\n{registry}{sources}" + defaults.get(case.project, "")

    def judge(number):
        case, project = cases[number], folder / str(number)
        (project / "campaigns").mkdir(parents=True)
        if case.schema == "project":
            (project / "herald.yaml").write_text(case.text)
        else:
            (project / "herald.yaml").write_text(project_file(case))
            (project / "campaigns/case.yaml").write_text(case.text)
            for name in ("anglers", "staff"):
                if re.search(rf"(^audience:|^ +-) {name}$", case.text, re.M):
                    # The texts of `locales` are chosen by a column.
                    (project / f"campaigns/{name}.csv").write_text(f"registration,locale\n{name}:7,pt\n")
                    (project / f"campaigns/{name}.yaml").write_text(
                        f"audience: {name}\nregistrations: campaigns/{name}.csv\n"
                        + ("test: true\n" if name == "staff" else ""))
        if extended := re.search(r"^extends: ([A-Za-z0-9-]+)$", case.text, re.M):
            shared = f"messages: {{ {extended[1]}: {{ data: {{ desk: '1' }} }} }}\n"
            (project / "campaigns/shared.yaml").write_text(shared)
        if re.search("^campaign: question$", case.text, re.M) and re.search("^upstream: ", case.text, re.M):
            (project / "campaigns/question.yaml").write_text("campaign: question\naudience: { topic: tides }\nmessage: {}\n")
        if corrected := re.search(r'^corrects: "?([A-Za-z0-9][A-Za-z0-9_.-]*)', case.text, re.M):
            (project / "campaigns/corrected.yaml").write_text(
                f'campaign: "{corrected[1]}"\naudience: {{ topic: tides }}\nmessage: {{ notification: {{ title: Wrong }} }}\n')
        if case.project == "examples":
            shutil.copytree(ROOT / "campaigns/registrations", project / "campaigns/registrations")
        if "lists/anglers.txt" in case.text:
            (project / "lists").mkdir()
            (project / "lists/anglers.txt").write_text("angler:1\n")
        if "lists/skippers.csv" in case.text:
            (project / "lists").mkdir(exist_ok=True)
            (project / "lists/skippers.csv").write_text(
                "registration,user,language,zone,key,bookings\n"
                "skipper:1,ana,pt,Atlantic/Azores,3p7bfXt9wbTTW2HC7OQ1Nz-DQ8hbeGdNrfx-FG-IK08,2\n")
        if "lists/pilots.csv" in case.text:
            (project / "lists").mkdir(exist_ok=True)
            (project / "lists/pilots.csv").write_text("token,next_tide\npilot:1,2037-03-20 07:00\n")
        result = run("validate", "-C", project, "--color", "never")
        assert result.code in (0, 65), f"{case.name}\n{result}"
        rules = set(ERROR.findall(result.out))
        assert bool(rules) == (result.code == 65), f"{case.name}\n{result}"
        return rules

    with ThreadPoolExecutor(4) as pool:
        return list(pool.map(judge, range(len(cases))))


@pytest.fixture(scope="module")
def schema_verdicts(once, cases, schemas, tmp_path_factory):
    """Returns what check-jsonschema reports for each case."""
    return once("schemas-peer", lambda: ask_check_jsonschema(cases, schemas, tmp_path_factory))


def ask_check_jsonschema(cases, schemas, tmp_path_factory):
    folder = tmp_path_factory.mktemp("documents")
    found = {}
    for kind in KINDS:
        path = folder / f"{kind}.schema.json"
        path.write_text(json.dumps(schemas[kind]))
        numbers = [number for number, case in enumerate(cases) if case.schema == kind]
        files = {str(folder / f"{number}.yaml"): number for number in numbers}
        for file, number in files.items():
            Path(file).write_text(cases[number].text)
        done = subprocess.run(
            [sys.executable, "-m", "check_jsonschema", "--output-format", "json", "--schemafile", path, *files],
            capture_output=True, text=True)
        report = json.loads(done.stdout)
        assert done.returncode == (1 if report["errors"] or report["parse_errors"] else 0), done.stderr
        assert report["parse_errors"] == []
        for error in report["errors"]:
            found.setdefault(files[error["filename"]], []).append(f"{error['path']}: {error['message']}")
    return [found.get(number, []) for number in range(len(cases))]


def test_corpus_is_large_and_has_valid_and_invalid_documents(cases, herald_verdicts):
    bad = sum(1 for rules in herald_verdicts if rules and not rules <= UNKNOWABLE)
    good = sum(1 for rules in herald_verdicts if not rules)
    least = (1000, 700) if SOAK > 1 else (300, 250)
    assert bad >= least[0] and good >= least[1], (bad, good)


def test_complete_documents_are_valid(cases, herald_verdicts):
    rules = {case.name: rules for case, rules in zip(cases, herald_verdicts)}
    names = [name for name in rules if name.endswith(" : as it is")]
    assert len(names) > len(CAMPAIGNS) + 50
    assert {name: rules[name] for name in names if rules[name]} == {}


def left(case, rules):
    return next((why for name, rule, why in LEFT_TO_HERALD if rules == {rule} and re.search(name, case.name)), None)


def test_schema_and_herald_agree(cases, herald_verdicts, schema_verdicts):
    disagreements, left_out, left_to_herald = [], Counter(), Counter()
    for case, rules, problems in zip(cases, herald_verdicts, schema_verdicts):
        if rules and rules <= UNKNOWABLE and not problems:
            left_out.update(rules)
        elif not problems and (reason := left(case, rules)):
            left_to_herald[reason] += 1
        elif bool(rules) != bool(problems):
            disagreements.append(f"--- {case.name}\nherald: {sorted(rules)}\nschema: {problems}")
    assert not disagreements, f"{len(disagreements)} of {len(cases)}\n" + "\n".join(disagreements[:400])
    assert sum(left_out.values()) <= len(cases) / 10, left_out
    assert left_to_herald.total() <= MOST_LEFT_TO_HERALD, left_to_herald
    if SOAK > 1:
        assert len(left_to_herald) == len(LEFT_TO_HERALD), "an exception is no longer needed"


@pytest.mark.parametrize("kind", KINDS)
def test_schemas_are_valid(schemas, kind, tmp_path):
    path = tmp_path / "schema.json"
    path.write_text(json.dumps(schemas[kind]))
    done = subprocess.run([sys.executable, "-m", "check_jsonschema", "--check-metaschema", path], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_complete_documents_use_every_key_of_the_schemas(cases, herald_verdicts, schemas):
    """A new key of the language must be added to the corpus. Message keys are added automatically."""
    valid = "".join(case.text for case, rules in zip(cases, herald_verdicts) if not rules)
    for kind in KINDS:
        for name, definition in schemas[kind]["definitions"].items():
            for key in definition["properties"]:
                assert re.search(rf'^[ -]*{re.escape(key)}:', valid, re.M), f"{name}: {key}"
