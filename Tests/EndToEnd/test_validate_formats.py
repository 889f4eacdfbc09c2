"""The formats of `herald validate` are equivalent and conform to their public specifications.

Positions are computed independently from the files' bytes. SARIF's public schema validates the logs, and
GitHub's commands are parsed by the rules of GitHub's documentation.
"""

import json
import os
import re
import subprocess
import sys
from urllib.parse import unquote

import pytest

from herald import ROOT, Project, run, token
from test_terminal import FORBIDDEN

SARIF_SCHEMA = ROOT / "Tests/EndToEnd/sarif/sarif-2.1.0-rtm.4.json"
PLACE = ["path", "line", "column", "endLine", "endColumn", "offset", "length"]
RANKS = {"error": 0, "warning": 1, "note": 2}
ODD_NAME = "campaigns/ä b%25,c: 1.yaml"


@pytest.fixture
def mistakes(tmp_path):
    """A project with every kind of finding."""
    project = Project(tmp_path / "repository/push", topics=["tides", "azores"])

    def write(path, data):
        (project.folder / path).parent.mkdir(parents=True, exist_ok=True)
        (project.folder / path).write_bytes(data if isinstance(data, bytes) else data.encode())

    # Characters of one to four bytes precede a finding on its line; the file starts with a byte order mark.
    write("campaigns/wide.yaml", "\ufeffcampaign: wide\naudience: { topic: tides }\n"
          "message: { notification: { title: 'é€😀\u0301' }, dta: { a: b } }\n")
    # A suggested fix, with CRLF and a lone CR as line breaks.
    write("campaigns/crlf.yaml", "campaign: crlf\r\n# über\raudience: { topic: 'tydes' }\r\nmessage: {}\r\n")
    # A range of several lines, and no line break at the end of the file.
    write("campaigns/lines.yaml", "campaign: lines\nabout:\n  - one\n  - two €\naudience: { topic: tides }\nmessage: {}")
    # Related locations, in the same file and in another file.
    write("campaigns/twice.yaml", "campaign: twice\naudience: { topic: tides }\nmessage: {}\nmessage: {}\n")
    write("campaigns/twice-more.yaml", "campaign: twice\naudience: { topic: tides }\nmessage: {}\n")
    # A safe fix and a warning.
    write("campaigns/prefix.yaml", "campaign: prefix\naudience:\n  condition: >-\n    '/topics/tides' in topics\n"
          "    && !('azores' in topics)\nmessage: {}\n")
    # A file name that every format must escape, and a key that must never be shown unescaped.
    write(ODD_NAME, "campaign: odd\naudience: { topic: tides }\nmessage: {}\n"
          '"e\\e[31m\\u202e,:%\\n::error::[x](https://example.com) {0}": 1\n')
    # A secret with wide characters precedes a finding on its line.
    write("campaigns/secret.yaml", f"audience: secret\nregistrations: [ '{token(1)}', 'ü😀€' ]\n"
          f"rejoin: [ '{token(2)}' ]\n")
    write("campaigns/latin.yaml", b"campaign: caf\xe9\n")
    write("campaigns/empty.yaml", "")
    # A location without text.
    write("campaigns/nothing.yaml", "campaign: nothing\naudience: { topic: tides }\nabout: [ü, ]\nmessage:\n")
    # No location.
    os.symlink(project.folder.parent, project.folder / "campaigns/elsewhere")
    return project


def findings(project, *arguments, code=65, **options):
    result = project.herald("validate", "--format", "json", *arguments, **options).expect(code)
    return json.loads(result.out)


def sarif(project, *arguments, code=65, **options):
    return json.loads(project.herald("validate", "--format", "sarif", *arguments, **options).expect(code).out)


def positions(data, unit):
    """Returns the line and column of each byte offset, for lines that end in CRLF, LF or CR."""
    text, begin = {}, 3 if data.startswith(b"\xef\xbb\xbf") else 0
    line, start, offset = 1, begin, 0
    while offset <= len(data):
        text[offset] = (line, len(data[start:offset].decode(errors="replace").encode(unit)) // (2 if "16" in unit else 4) + 1
                        if offset > start else 1)
        if offset < len(data) and (data[offset] == 0x0A or data[offset] == 0x0D and data[offset + 1:offset + 2] != b"\n"):
            line, start = line + 1, offset + 1
        offset += 1
    return text


def check_place(project, place, unit="utf-32-le"):
    at = positions((project.folder / place["path"]).read_bytes(), unit)
    assert at[place["offset"]] == (place["line"], place["column"]), place
    assert at[place["offset"] + place["length"]] == (place["endLine"], place["endColumn"]), place


def check_schema(path):
    """One of the schema's patterns is invalid under ECMAScript's stricter Unicode mode."""
    return subprocess.run(
        [sys.executable, "-m", "check_jsonschema", "--regex-variant", "nonunicode", "--schemafile", SARIF_SCHEMA, path],
        capture_output=True, text=True)


def escaped_for_display(text):
    """Escapes characters that control a terminal or are invisible, as the output does."""
    return re.sub(FORBIDDEN.pattern.replace("\x00-\x09\x0b-\x1f", "\x00-\x1f"), lambda m: f"\\u{{{ord(m[0]):X}}}", text)


# MARK: JSON


def test_json_has_the_location_of_every_finding(mistakes):
    report = findings(mistakes)
    assert list(report) == ["version", "findings", "counts"] and report["version"] == "1.0"
    for finding in report["findings"]:
        assert list(finding) == ["rule", "severity", "message", *PLACE, "label", "help", "related", "fix"]
        if finding["path"] is None:
            assert all(finding[key] is None for key in PLACE)
        else:
            check_place(mistakes, finding)
        for place in finding["related"]:
            assert list(place) == ["message", *PLACE]
            check_place(mistakes, place)
        if finding["fix"]:
            assert list(finding["fix"]) == [*PLACE, "replacement", "applicability"]
            check_place(mistakes, finding["fix"])
    severities = [finding["severity"] for finding in report["findings"]]
    assert report["counts"] == {name: severities.count(name) for name in ("error", "warning", "note")}
    order = [(finding["path"] or "", finding["offset"] or 0, finding["rule"]) for finding in report["findings"]]
    assert order == sorted(order)
    assert len(order) > 12 and findings(mistakes) == report


def test_json_covers_all_kinds_of_findings(mistakes):
    found = findings(mistakes)["findings"]
    assert {finding["severity"] for finding in found} == set(RANKS)
    assert any(finding["path"] is None for finding in found)
    assert any(finding["length"] == 0 for finding in found)
    assert any(finding["endLine"] != finding["line"] for finding in found)
    assert any(place["path"] != finding["path"] for finding in found for place in finding["related"])
    assert {finding["fix"]["applicability"] for finding in found if finding["fix"]} == {"safe", "suggested"}
    assert {f"campaigns/{name}.yaml" for name in ("wide", "crlf", "lines", "twice", "prefix", "secret", "latin")} \
        | {ODD_NAME} <= {finding["path"] for finding in found}


def test_text_is_equivalent_to_json(mistakes):
    text = mistakes.herald("validate").expect(65)
    heads = re.findall(r"^(error|warning|note)\[([a-z0-9-]+)\]: (.*)\n(?: *--> (.*):(\d+):(\d+)$)?", text.out, re.M)
    assert heads == [
        (f["severity"], f["rule"], escaped_for_display(f["message"]), *(
            (escaped_for_display(f["path"]), str(f["line"]), str(f["column"])) if f["path"] else ("", "", "")))
        for f in findings(mistakes)["findings"]]


@pytest.mark.parametrize("format", ["json", "sarif", "github"])
def test_output_has_no_control_characters_and_stderr_is_empty(mistakes, format):
    result = mistakes.herald("validate", "--format", format).expect(65)
    assert not FORBIDDEN.search(result.out)
    assert result.err == ""


@pytest.mark.parametrize("format", ["json", "sarif", "github"])
def test_output_without_findings_is_complete(project, format, tmp_path):
    result = project.herald("validate", "--format", format).expect(0)
    assert result.err == "No problem found: 0 campaigns, 0 audiences.\n"
    if format == "github":
        assert result.out == ""
    elif format == "json":
        assert json.loads(result.out) == {
            "version": "1.0", "findings": [], "counts": {"error": 0, "warning": 0, "note": 0}}
    else:
        (tmp_path / "log.sarif").write_text(result.out)
        assert check_schema(tmp_path / "log.sarif").returncode == 0
        assert json.loads(result.out)["runs"][0]["results"] == []


# MARK: SARIF


def test_sarif_conforms_to_the_public_schema(mistakes, tmp_path):
    log = sarif(mistakes)
    (tmp_path / "log.sarif").write_text(json.dumps(log))
    done = check_schema(tmp_path / "log.sarif")
    assert done.returncode == 0, done.stdout + done.stderr
    log["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["region"]["startLine"] = 0
    (tmp_path / "log.sarif").write_text(json.dumps(log))
    assert check_schema(tmp_path / "log.sarif").returncode == 1


def test_sarif_is_equivalent_to_json(mistakes):
    log, report = sarif(mistakes), findings(mistakes)
    [entry] = log["runs"]
    assert log["version"] == "2.1.0" and entry["columnKind"] == "utf16CodeUnits"
    assert entry["newlineSequences"][0] == "\r\n" and set(entry["newlineSequences"]) == {"\r\n", "\n", "\r"}
    assert entry["invocations"] == [{"executionSuccessful": True, "exitCode": 65}]
    driver = entry["tool"]["driver"]
    version = run("--version").out.split()[1]
    assert (driver["name"], driver["version"]) == ("Herald", version)
    ids = [rule["id"] for rule in driver["rules"]]
    assert ids == sorted({finding["rule"] for finding in report["findings"]})
    assert all(rule["shortDescription"]["text"] for rule in driver["rules"])
    assert len(entry["results"]) == len(report["findings"])
    for result, finding in zip(entry["results"], report["findings"]):
        assert result["ruleId"] == finding["rule"] == ids[result["ruleIndex"]]
        assert result["level"] == finding["severity"]
        texts = [finding["message"]] + [f"help: {text}" for text in finding["help"]]
        assert result["message"]["text"] == "\n".join(map(escaped_for_display, texts)).replace("](", "] (")
        [location] = result["locations"]
        check_location(mistakes, location, finding, finding["label"])
        related = result.get("relatedLocations", [])
        assert len(related) == len(finding["related"])
        for place, expected in zip(related, finding["related"]):
            check_location(mistakes, place, expected, expected["message"])
        assert ("fixes" in result) == (finding["fix"] is not None)
        for fix in result.get("fixes", []):
            [change] = fix["artifactChanges"]
            [replacement] = change["replacements"]
            check_region(mistakes, change["artifactLocation"], replacement["deletedRegion"], finding["fix"])
            assert replacement["insertedContent"] == {"text": finding["fix"]["replacement"]}


def check_location(project, location, expected, message):
    assert location.get("message", {}).get("text") == (message and escaped_for_display(message).replace("](", "] ("))
    place = location["physicalLocation"]
    if expected["path"] is None:
        assert place == {"artifactLocation": {"uri": "herald.yaml"}, "region": {"startLine": 1}}
    else:
        check_region(project, place["artifactLocation"], place["region"], expected)


def check_region(project, artifact, region, expected):
    assert re.fullmatch(r"(?:[A-Za-z0-9._~/-]|%[0-9A-F]{2})+", artifact["uri"])
    assert unquote(artifact["uri"]) == expected["path"]
    assert (region["byteOffset"], region["byteLength"]) == (expected["offset"], expected["length"])
    at = positions((project.folder / expected["path"]).read_bytes(), "utf-16-le")
    assert at[region["byteOffset"]] == (region["startLine"], region["startColumn"])
    assert at[region["byteOffset"] + region["byteLength"]] == (region["endLine"], region["endColumn"])


def test_columns_use_the_unit_that_each_format_declares(mistakes):
    [finding] = [f for f in findings(mistakes)["findings"] if f["path"] == "campaigns/wide.yaml" and f["rule"] == "unknown-key"]
    [result] = [r for r in sarif(mistakes)["runs"][0]["results"] if "wide" in r["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
                and r["ruleId"] == "unknown-key"]
    before = "message: { notification: { title: 'é€😀\u0301' }, "
    assert finding["column"] == len(before) + 1
    assert result["locations"][0]["physicalLocation"]["region"]["startColumn"] == len(before) + 2


# MARK: GitHub


def annotations(text):
    """Returns the annotations that GitHub derives from a step's output, and the other lines."""
    found, others = [], []
    for line in text.splitlines():
        if not line.startswith("::"):
            others.append(line)
            continue
        command, message = line[2:].split("::", 1)
        kind, _, rest = command.partition(" ")
        properties = dict(part.split("=", 1) for part in rest.split(",") if part)
        for name in properties:
            for code, character in (("%3A", ":"), ("%2C", ","), ("%0D", "\r"), ("%0A", "\n"), ("%25", "%")):
                properties[name] = properties[name].replace(code, character)
        for code, character in (("%0D", "\r"), ("%0A", "\n"), ("%25", "%")):
            message = message.replace(code, character)
        found.append((kind, properties, message))
    return found, others


def expected_annotation(finding, prefix=""):
    kind = {"note": "notice"}.get(finding["severity"], finding["severity"])
    properties = {"title": finding["rule"]}
    if finding["path"]:
        properties |= {"file": prefix + finding["path"], "line": str(finding["line"]), "endLine": str(finding["endLine"])}
        if finding["line"] == finding["endLine"]:
            properties |= {"col": str(finding["column"]), "endColumn": str(finding["endColumn"])}
    texts = [
        finding["message"], *([finding["label"]] if finding["label"] else []),
        *(f"{place['message']} ({prefix}{place['path']}:{place['line']})" for place in finding["related"]),
        *(f"help: {text}" for text in finding["help"])]
    return kind, properties, "\n".join(map(escaped_for_display, texts))


def test_github_gets_the_ten_worst_findings_and_the_remaining_count(mistakes):
    ordered = sorted(findings(mistakes)["findings"], key=lambda finding: RANKS[finding["severity"]])
    found, others = annotations(mistakes.herald("validate", "--format", "github").expect(65).out)
    assert found == [expected_annotation(finding) for finding in ordered[:10]]
    assert len(ordered) > 10 and len(others) == 1
    assert others[0].startswith(f"and {len(ordered) - 10} more: ")
    left = [finding["severity"] for finding in ordered[10:]]
    assert [int(number) for number in re.findall(r"(\d+) (?:error|warning|note)", others[0])] \
        == [left.count(severity) for severity in RANKS if severity in left]


@pytest.mark.parametrize("path", ["campaigns/prefix.yaml", ODD_NAME, "campaigns/lines.yaml"])
def test_github_gets_all_findings_if_there_are_few(mistakes, path):
    here = [finding for finding in findings(mistakes, path)["findings"]]
    found, others = annotations(mistakes.herald("validate", "--format", "github", path).expect(65).out)
    here.sort(key=lambda finding: RANKS[finding["severity"]])
    assert found == [expected_annotation(finding) for finding in here]
    assert others == [] and 1 < len(found) <= 10


def test_paths_are_relative_to_githubs_checkout(mistakes, tmp_path):
    os.symlink(tmp_path / "repository", tmp_path / "link")
    for workspace, prefix in [("repository", "push/"), ("link", "push/"), ("repository/push", ""), ("elsewhere", ""),
                              ("repository/pu", "")]:
        env = {"GITHUB_WORKSPACE": str(tmp_path / workspace)}
        found, _ = annotations(mistakes.herald("validate", "--format", "github", env=env).expect(65).out)
        assert {properties["file"].startswith(prefix + "campaigns/") for _, properties, _ in found if "file" in properties} == {True}
        uris = {result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for result in sarif(mistakes, env=env)["runs"][0]["results"]}
        assert f"{prefix}herald.yaml" in uris and f"{prefix}campaigns/wide.yaml" in uris
        assert f"{prefix}campaigns/wide.yaml"[len(prefix):] in {finding["path"] for finding in findings(mistakes, env=env)["findings"]}


# MARK: exit codes and paths


WARNING = "campaign: a\naudience: { condition: \"'tides' in topics && !('azores' in topics)\" }\n" \
    "message: { data: { a: b } }\ndelivery: { ttl: 1h }\n"


@pytest.mark.parametrize("format", ["text", "json", "sarif", "github"])
def test_warnings_fail_only_with_deny_warnings(tmp_path, format):
    project = Project(tmp_path / "project", topics=["tides", "azores"])
    arguments = ["validate", "--format", format]
    project.write("campaigns/a.yaml", WARNING)
    plain = project.herald(*arguments).expect(0, "condition-negation")
    denied = project.herald(*arguments, "--deny-warnings").expect(65)
    if format == "sarif":
        codes = [json.loads(result.out)["runs"][0]["invocations"][0]["exitCode"] for result in (plain, denied)]
        assert codes == [0, 65]
    else:
        assert plain.out == denied.out
    # A note is not a warning.
    project.write("campaigns/a.yaml", "campaign: a\naudience: { topic: /topics/tides }\nmessage: { data: { a: b } }\ndelivery: { ttl: 1h }\n")
    project.herald(*arguments, "--deny-warnings").expect(0, "topic-prefix")
    project.write("campaigns/a.yaml", "campaign: a\naudience: { topic: tydes }\nmessage: {}\n")
    project.herald(*arguments).expect(65, "unknown-topic")


def test_paths_filter_the_report_but_all_files_are_read(mistakes):
    every = findings(mistakes)["findings"]
    for path in ("campaigns/crlf.yaml", "campaigns", "campaigns/", ".", "./campaigns/../campaigns/crlf.yaml"):
        wanted = {"campaigns/crlf.yaml": "campaigns/crlf.yaml", "campaigns": "campaigns/", "campaigns/": "campaigns/"}.get(
            path, "campaigns/crlf.yaml" if "crlf" in path else "")
        assert findings(mistakes, path)["findings"] \
            == [finding for finding in every if finding["path"] is None or finding["path"].startswith(wanted)], path
    (mistakes.folder / "campaigns/elsewhere").unlink()
    several = findings(mistakes, "campaigns/crlf.yaml", "campaigns/lines.yaml")["findings"]
    assert {finding["path"] for finding in several} == {"campaigns/crlf.yaml", "campaigns/lines.yaml"}
    mistakes.campaign("fine", "{ topic: tides }")
    fine = mistakes.herald("validate", "campaigns/fine.yaml").expect(0)
    assert (fine.out, fine.err) == ("", "No problem found in `campaigns/fine.yaml`.\n")
    empty = mistakes.herald("validate", "campaigns/empty.yaml").expect(0, "1 warning")
    assert "this file declares nothing" in empty.out and "campaigns/crlf.yaml" not in empty.out


@pytest.mark.parametrize("path", ["campaigns/none.yaml", "..", "/", "../push-more", "campaigns/../../other"])
def test_rejects_a_missing_or_outside_path(mistakes, path):
    (mistakes.folder.parent / "other").mkdir()
    (mistakes.folder.parent / "push-more").mkdir()
    result = mistakes.herald("validate", path, cwd=mistakes.folder).expect(64, "in the project")
    assert result.out == ""


def test_rejects_an_unknown_format(project):
    project.herald("validate", "--format", "xml").expect(64)
