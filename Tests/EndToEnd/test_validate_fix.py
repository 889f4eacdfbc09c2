"""`herald validate --fix` applies the safe fixes of findings and changes nothing else."""

import json
import os
import random
import re
import shutil

import pytest

from herald import SOAK, Project

PROJECT = "version: 1\nproject: e2e\ntopics: { tides: {}, azores: {}, 1st: {}, '-': {} }\n"
PREFIX = "campaign: a\naudience: { topic: /topics/tides }\nmessage: { data: { a: b } }\ndelivery: { ttl: 1h }\n"


@pytest.fixture
def tides(tmp_path):
    project = Project(tmp_path / "project")
    project.write("herald.yaml", PROJECT)
    return project


def fixes(project):
    """Returns the safe fixes of all findings that are not suppressed."""
    result = project.herald("validate", "--format", "json")
    found = json.loads(result.out)["findings"]
    return [finding["fix"] for finding in found if finding["fix"] and finding["fix"]["applicability"] == "safe"]


def state(project):
    """Returns the project's files and their modification times."""
    files = [path for path in sorted(project.folder.rglob("*")) if path.is_file()]
    return {path: (path.read_bytes(), path.stat().st_mtime_ns, path.stat().st_ino) for path in files}


def texts(project):
    return {path.relative_to(project.folder): path.read_bytes() for path in project.folder.rglob("*") if path.is_file()}


def apply_fixes(project):
    """Applies the fixes independently, in several rounds."""
    for _ in range(10):
        ranges = {}
        for fix in sorted(fixes(project), key=lambda fix: (fix["path"], fix["offset"])):
            earlier = ranges.setdefault(fix["path"], [])
            if not earlier or fix["offset"] > earlier[-1]["offset"] + earlier[-1]["length"]:
                earlier.append(fix)
        if not ranges:
            return
        for path, edits in ranges.items():
            data = (project.folder / path).read_bytes()
            for fix in reversed(edits):
                data = data[:fix["offset"]] + fix["replacement"].encode() + data[fix["offset"] + fix["length"]:]
            (project.folder / path).write_bytes(data)


# MARK: generated projects


TOPICS = ["/topics/tides", "'/topics/tides'", '"/topics/azores"', "/topics/1st", "/topics/-", "tides", "tydes", "|-\n    /topics/tides"]
CONDITIONS = [
    "\"'/topics/tides' in topics && '/topics/azores' in topics\"",
    "('/topics/tides' in topics) || '/topics/azores' in topics",
    ">-\n    '/topics/tides' in topics\n    && '/topics/azores' in topics",
    "|\n    '/topics/tides' in topics &&\n    ('azores' in topics ||\n    '/topics/1st' in topics)",
    "'''/topics/tides'' in topics'",
    "\"('1st' in topics && 'tides' in topics) || ('1st' in topics && 'azores' in topics)"
    " || ('1st' in topics && '-' in topics)\"",
]
# A misspelling may hide others below it, so some fixes are possible only after their parent was fixed.
MESSAGES = [
    'android: { "notification": { "clickAction":go, "android_channel_id": tides } }',
    "android: { notification: { image_url: 'https://example.com/ü.png', title: ä } }",
    "Android: { Notification: { clickAction: 'wörld', channelId: c } }",
    "{ data: { clickAction: x, a: /topics/tides } }",
    "apns: { headers: { APNS-Priority: 5 } }",
    "webpush: { headers: { urgency: Very_Low } }",
    "webpush: { notification: { require_interaction: true, title: t } }",
    "data: { a: b }\n  fcmOptions: { analyticsLabel: spring }",
    "notifcation: { title: a }",
    "android: { clickAction: x, click_action: y }",
    "android: { direct_boot_ok: Yes, notification: { title: t, sticky: \"off\" } }",
]
NOISE = ["# über /topics/tides  ", "#\tclickAction: '€'", "", "   ", "# 😀 'unclosed", "#"]


def noisy(generator, text):
    """Adds comments, blank lines, trailing blanks and varying line breaks."""
    lines = []
    for line in text.split("\n"):
        inside = line.startswith("    ") or line.rstrip().endswith((">-", "|", "|-"))
        if not inside:
            lines += generator.sample(NOISE, generator.choice([0, 0, 1, 2]))
            line += generator.choice(["", "", "  ", " # ü", "\t# /topics/tides"]) if line and not line.endswith(("|", "-")) else ""
        lines.append(line)
    breaks = generator.choice([["\n"], ["\r\n"], ["\n", "\r\n"]])
    result = "".join(line + generator.choice(breaks) for line in lines)
    return (generator.choice(["", "", "\ufeff"]) + (result.rstrip() if generator.random() < 0.3 else result)).encode()


def document(generator, name):
    audience = generator.choice([f"topic: {generator.choice(TOPICS)}", f"condition: {generator.choice(CONDITIONS)}"])
    message = generator.choice(MESSAGES)
    message = f"message: {message}" if message.startswith("{") else f"message:\n  {message}"
    delivery = generator.choice(["delivery: { ttl: 1h, priority: High }", "Delivery:\n  TTL: 1h", "delivery:\n  priority: normal", "delvery: {}",
                                 "delivery: { ttl: '1 Hour 30 min' }"])
    allowed = generator.choice(["", "# herald: allow topic-prefix, old apps read it\n"])
    return f"campaign: {name}\n{allowed}audience:\n  {audience}\n{message}\n{delivery}"


@pytest.mark.parametrize("seed", range(20 * SOAK))
def test_changes_only_the_suggested_ranges(tides, tmp_path, seed):
    generator = random.Random(seed)
    for number in range(4):
        documents = [document(generator, f"c{number}-{part}") for part in range(generator.choice([1, 2]))]
        (tides.folder / f"campaigns/c{number}.yaml").write_bytes(noisy(generator, "\n---\n".join(documents)))
    before, by_hand = texts(tides), Project.of(tmp_path / "by-hand")
    shutil.copytree(tides.folder, by_hand.folder)
    first = fixes(tides)
    untouched = {path: data for path, data in before.items() if str(path) not in {fix["path"] for fix in first}}
    apply_fixes(by_hand)
    result = tides.herald("validate", "--fix")
    assert texts(tides) == texts(by_hand)
    assert {path: data for path, data in texts(tides).items() if path in untouched} == untouched
    assert fixes(tides) == [] and ("Fixed " in result.err) == bool(first)
    # The remaining findings and the exit code equal those of a run without --fix.
    again = tides.herald("validate")
    assert (result.code, result.out) == (again.code, again.out)
    seen = state(tides)
    second = tides.herald("validate", "--fix").expect(again.code, "Nothing was fixed.")
    assert state(tides) == seen and second.out == again.out


def test_generated_projects_cover_every_fix(tides):
    """Otherwise the previous test would prove little."""
    for number, topic in enumerate(TOPICS):
        tides.write(f"campaigns/t{number}.yaml", f"campaign: t{number}\naudience:\n  topic: {topic}\nmessage: {{}}\n")
    for number, condition in enumerate(CONDITIONS):
        tides.write(f"campaigns/c{number}.yaml", f"campaign: c{number}\naudience:\n  condition: {condition}\nmessage: {{}}\n")
    for number, message in enumerate(MESSAGES):
        message = f"message: {message}" if message.startswith("{") else f"message:\n  {message}"
        tides.write(f"campaigns/m{number}.yaml", f"campaign: m{number}\naudience: {{ topic: tides }}\n{message}\n")
    result = tides.herald("validate", "--fix").expect(65)
    assert re.search(r"Fixed (\d+) findings in (\d+) files\.", result.err).groups() == ("30", "19"), result

    def now(name):
        return (tides.folder / f"campaigns/{name}.yaml").read_text()

    topics = [now(f"t{number}").split("topic: ")[1].split("\nmessage")[0] for number in range(len(TOPICS))]
    assert topics == ["tides", "'tides'", '"azores"', "1st", '"-"', "tides", "tydes", "|-\n    tides"]
    conditions = [now(f"c{number}").split("condition: ")[1].split("\nmessage")[0] for number in range(len(CONDITIONS))]
    assert conditions == [
        "\"'tides' in topics && 'azores' in topics\"",
        "\"('tides' in topics) || 'azores' in topics\"",
        "\"'tides' in topics && 'azores' in topics\"",
        "\"'tides' in topics && ('azores' in topics || '1st' in topics)\"",
        "\"'tides' in topics\"",
        "\"'1st' in topics && ('tides' in topics || 'azores' in topics || '-' in topics)\"",
    ]
    messages = [now(f"m{number}").split("message:")[1].strip() for number in range(len(MESSAGES))]
    assert messages == [
        'android: { "notification": { "click_action":go, "channel_id": tides } }',
        "android: { notification: { image: 'https://example.com/ü.png', title: ä } }",
        "android: { notification: { click_action: 'wörld', channel_id: c } }",
        "{ data: { clickAction: x, a: /topics/tides } }",
        "apns: { headers: { apns-priority: 5 } }",
        "webpush: { headers: { Urgency: very-low } }",
        # The web page may use custom keys, so this would be a guess.
        "webpush: { notification: { require_interaction: true, title: t } }",
        "data: { a: b }\n  fcm_options: { analytics_label: spring }",
        "notifcation: { title: a }",
        "android: { clickAction: x, click_action: y }",
        "android: { direct_boot_ok: true, notification: { title: t, sticky: \"false\" } }",
    ]


# MARK: files left unchanged


def test_does_not_apply_guesses(tides):
    tides.write("campaigns/a.yaml", "campaign: a\naudience: { topic: tydes }\nmessage: { notifcation: { title: a } }\n")
    before = state(tides)
    tides.herald("validate", "--fix").expect(65, "did you mean `tides`?", "did you mean `notification`?", "Nothing was fixed.")
    assert state(tides) == before


SHARED = {
    "a title": "message: { notification: { title: &l 1 hour, body: b } }\ndelivery: { ttl: *l }\n",
    "data": "message: { data: { open: &p HIGH } }\ndelivery: { ttl: 1h, priority: *p }\n",
    "a merged mapping": (
        "x-all: &all { Title: a, body: b }\nmessage: { data: *all, notification: { <<: *all } }\ndelivery: { ttl: 1h }\n"
    ),
}


@pytest.mark.parametrize("shared", SHARED.values(), ids=SHARED.keys())
def test_does_not_fix_text_that_an_alias_repeats(tides, shared):
    """A fix there would change the sent message."""
    tides.write("campaigns/a.yaml", "campaign: a\naudience: { topic: tides }\n" + shared)
    before = texts(tides)
    assert fixes(tides) == []
    tides.herald("validate", "--fix")
    assert texts(tides) == before


def test_does_not_fix_suppressed_findings(tides):
    tides.write("campaigns/a.yaml", "# herald: allow topic-prefix, old apps read it\n" + PREFIX)
    before = state(tides)
    tides.herald("validate", "--fix").expect(0, "Nothing was fixed.")
    assert state(tides) == before
    tides.write("herald.yaml", PROJECT + "rules: { topic-prefix: off }\n")
    tides.write("campaigns/a.yaml", PREFIX)
    tides.herald("validate", "--fix").expect(0, "Nothing was fixed.")
    assert (tides.folder / "campaigns/a.yaml").read_text() == PREFIX


def test_fixes_only_the_given_files(tides):
    for name in "abc":
        tides.write(f"campaigns/{name}.yaml", PREFIX.replace("campaign: a", f"campaign: {name}"))
    tides.herald("validate", "--fix", "campaigns/b.yaml").expect(0, "Fixed 1 finding in 1 file.")
    assert ["/topics/" in (tides.folder / f"campaigns/{name}.yaml").read_text() for name in "abc"] == [True, False, True]


def test_keeps_permissions_and_leaves_no_temporary_files(tides):
    tides.write("campaigns/a.yaml", PREFIX)
    path = tides.folder / "campaigns/a.yaml"
    path.chmod(0o640)
    names = sorted(os.listdir(path.parent))
    tides.herald("validate", "--fix").expect(0, "Fixed 1 finding in 1 file.")
    assert path.stat().st_mode & 0o7777 == 0o640
    assert sorted(os.listdir(path.parent)) == names
    assert path.read_text() == PREFIX.replace("/topics/", "")


def test_does_not_fix_a_symbolic_link(tides):
    shared = tides.folder / "shared.yaml"
    shared.write_text(PREFIX)
    os.symlink("../shared.yaml", tides.folder / "campaigns/a.yaml")
    tides.write("campaigns/b.yaml", PREFIX.replace("campaign: a", "campaign: b"))
    result = tides.herald("validate", "--fix").expect(1, "Fixed 1 finding in 1 file.", "topic-prefix")
    assert "campaigns/a.yaml is left as it was: it is reached over a link; mend the file that it leads to\n" in result.err
    assert shared.read_text() == PREFIX and (tides.folder / "campaigns/a.yaml").is_symlink()


def test_fixes_a_project_behind_a_symbolic_link(tides, tmp_path):
    tides.write("campaigns/a.yaml", PREFIX)
    os.symlink(tides.folder, tmp_path / "link")
    Project.of(tmp_path / "link").herald("validate", "--fix").expect(0, "Fixed 1 finding in 1 file.")


def test_keeps_a_file_that_its_fixes_would_break(tides):
    tides.write("herald.yaml", "version: 1\nproject: e2e\ntopics: { tides: {}, /topics/tides: {} }\n")
    tides.write("campaigns/a.yaml", PREFIX)
    before = (tides.folder / "herald.yaml").read_bytes()
    result = tides.herald("validate", "--fix").expect(1, "Fixed 1 finding in 1 file.")
    assert "herald.yaml is left as it was: with its fixes it could not be read any more\n" in result.err
    assert (tides.folder / "herald.yaml").read_bytes() == before


def test_does_not_fix_invalid_yaml(tides):
    tides.write("campaigns/a.yaml", PREFIX + "x: [\n")
    before = state(tides)
    tides.herald("validate", "--fix").expect(65, "Nothing was fixed.")
    assert state(tides) == before


def test_json_omits_fixed_findings(tides):
    tides.write("campaigns/a.yaml", PREFIX)
    result = tides.herald("validate", "--fix", "--format", "json").expect(0)
    assert json.loads(result.out)["findings"] == []
    assert result.err.startswith("Fixed 1 finding in 1 file.\n")
