"""Hostile input: every file results in a finding with a location, in bounded time and memory.

Time and memory are limited from outside: a run is killed after TIME seconds, and RLIMIT_AS limits its address
space to MEMORY. Both limits are generous. Unless HERALD_SOAK is greater than 1, amounts are a fifth of the full ones.
"""

import os
import re
import socket
import subprocess
import sys
from dataclasses import dataclass

import pytest

from herald import SOAK, binary, variables

TIME = 60
PART = 1 if SOAK > 1 else 5
MILLION = 1_000_000 // PART
FIELDS = 50_000 // PART
MEMORY = 1 << 30
# Address space that threads reserve but never use.
RESERVED = 1 << 30
HEAD = "campaign: a\naudience: { topic: tides }\n"
WHOLE = HEAD + "message: { notification: { title: High water } }\ndelivery: { ttl: 4h }\n"
PROJECT = "version: 1\nproject: hostile\ntopics: { tides: {} }\n"
FILE = "campaigns/a.yaml"

# Runs a command from a small process. Until a child executes herald, its memory counts as that of its parent.
MEASURED = """
import resource, subprocess, sys
limit = int(sys.argv[2])
resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
code = subprocess.run(sys.argv[3:]).returncode
with open(sys.argv[1], "w") as file:
    file.write(str(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss))
sys.exit(code if code >= 0 else 128 - code)
"""


@dataclass
class Report:
    code: int
    out: str
    err: str
    memory: int

    @property
    def findings(self):
        """The rule and location of each reported finding."""
        return re.findall(r"^(?:error|warning|note)\[([\w-]+)\].*\n(?: *--> (.*))?", self.out, re.M)

    def has(self, rule, place=FILE):
        """Fails unless the exit code is 65 and the rule has a finding at this location."""
        assert self.code == 65, self
        assert any(r == rule and p.startswith(place) for r, p in self.findings), self.out[:2000] + self.err[:2000]
        return self

    def is_refused(self, message):
        """Fails unless the exit code is 65 because a file was not read."""
        assert self.code == 65 and message in self.out, self.out[:2000] + self.err[:2000]
        return self

    def __str__(self):
        return f"exit {self.code}, {self.memory >> 20} MiB\n{self.out[:2000]}\n{self.err[:2000]}"


class Hostile:
    def __init__(self, folder):
        self.folder = folder
        self.write("herald.yaml", PROJECT)
        (folder / "campaigns").mkdir()

    def write(self, path, content):
        path = self.folder / path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())

    def validate(self, content=None, *arguments):
        if content is not None:
            self.write(FILE, content)
        measured = self.folder.parent / "memory"
        done = subprocess.run(
            [sys.executable, "-c", MEASURED, measured, str(MEMORY + RESERVED),
             binary(), "validate", *arguments, "-C", self.folder],
            capture_output=True, timeout=TIME, env=variables(), stdin=subprocess.DEVNULL)
        memory = int(measured.read_text()) << 10
        report = Report(done.returncode, done.stdout.decode(), done.stderr.decode(), memory)
        assert report.code in (0, 65), report
        assert "Fatal error" not in report.err, report
        assert report.memory < MEMORY, report
        assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]", report.out), report
        return report


@pytest.fixture
def hostile(tmp_path):
    return Hostile(tmp_path / "project")


# MARK: size

A_LOT = 100 << 20


@pytest.mark.parametrize("content", [
    HEAD + "message: { notification: { title: " + "a" * A_LOT + " } }\n",
    HEAD + "message: { notification: { title: \"" + "a" * A_LOT + "\" } }\n",
    HEAD + "message:\n  notification:\n    title: |\n" + "      aaaaaaaaa\n" * (A_LOT // 16),
    "a" * A_LOT + ": 1\n",
    "# " + "a" * A_LOT,
    HEAD + "message: {}\n" + "".join(f"key{n}: 1\n" for n in range(1_000_000)),
    "---\na: b\n" * 1_000_000,
    "#####\n" * 1_000_000,
], ids=["plain", "quoted", "block", "key", "comment", "keys", "documents", "comments"])
def test_rejects_a_file_of_more_than_four_mebibytes(hostile, content):
    hostile.validate(content).is_refused(f"{FILE} cannot be read: it has {len(content)} bytes, and the limit is 4 MiB")


@pytest.mark.parametrize("path", [FILE, "herald.yaml"])
def test_rejects_a_file_of_a_gigabyte_without_reading_it(hostile, path):
    with open(hostile.folder / path, "ab") as file:
        file.truncate(1 << 30)
    report = hostile.validate().is_refused(f"{path} cannot be read: it has 1073741824 bytes")
    assert report.memory < 256 << 20


NEARLY = (4 << 20) // PART - 1_000


@pytest.mark.parametrize("content, rule", [
    (HEAD + "message: { notification: { title: " + "a" * NEARLY + " } }\n", "payload-too-large"),
    (HEAD + "message: { notification: { title: \"" + "a" * NEARLY + "\" } }\n", "payload-too-large"),
    (HEAD + "message:\n  notification:\n    title: |\n" + "      aaaaaaaaa\n" * (NEARLY // 16), "payload-too-large"),
    (HEAD + "message: {}\n? " + "a" * NEARLY + "\n: 1\n", "unknown-key"),
    (HEAD + "a" * NEARLY + ": 1\n", "yaml-syntax"),
    ("campaign: a\nmessage: {}\naudience: { topic: " + "a" * NEARLY + " }\n", "topic-name"),
    ("campaign: a\nmessage: {}\naudience: { condition: \"" + "(" * NEARLY + "\" }\n", "condition-syntax"),
    (HEAD + "message: {}\nabout: &" + "a" * NEARLY + " b\nowner: *b\n", "unknown-anchor"),
    (HEAD + "message: {}\nabout: !" + "a" * NEARLY + " b\n", "yaml-tag"),
    (HEAD + "message: {}\nabout: \"" + "a" * NEARLY, "yaml-syntax"),
], ids=["plain", "quoted", "block", "complex key", "key", "topic", "condition", "anchor", "tag", "unclosed"])
def test_reports_one_finding_for_a_long_text(hostile, content, rule):
    report = hostile.validate(content).has(rule)
    assert len(report.findings) <= 3 and len(report.out) < 20_000, report


@pytest.mark.parametrize("content", [
    HEAD + "message: {}\nx-a: [" + "a, " * MILLION + "]\n", HEAD + "message: {}\n" + "#\n" * MILLION,
    "---\n" * MILLION, WHOLE + "\n" * 3 * MILLION, WHOLE + " " * 3 * MILLION,
], ids=["values", "comments", "empty documents", "empty lines", "spaces"])
def test_accepts_many_meaningless_elements(hostile, content):
    assert hostile.validate(content).code == 0


def test_reads_many_files(hostile):
    for n in range(100_000 // PART):
        (hostile.folder / f"campaigns/{n}.yaml").write_bytes(b"# nothing\n")
    hostile.write(FILE, HEAD)
    report = hostile.validate().has("missing-key")
    assert [rule for rule, _ in report.findings] == ["unknown-document", "missing-key"]
    assert "error[unknown-document]" not in report.out


# MARK: many findings

MANY = 100_000 // PART


@pytest.mark.parametrize("content, rule, count", [
    (WHOLE + "".join(f"k{n}: 1\n" for n in range(20_000 // PART)), "unknown-key", 20_000 // PART),
    (WHOLE + "x-a: [" + "".join(f"*a{n}, " for n in range(MANY)) + "]\n", "unknown-anchor", MANY),
], ids=["unknown keys", "aliases"])
def test_shows_a_thousand_findings_and_counts_the_rest(hostile, content, rule, count):
    report = hostile.validate(content).has(rule)
    assert len(report.findings) == 1_000
    assert len(report.out) < 1 << 20
    assert f"\n{count - 1_000:,} findings not shown; fix these first\n" in report.out
    assert re.search(rf"^{count} errors", report.out, re.M), report.out[-200:]


@pytest.mark.parametrize("content, rule, count", [
    (WHOLE + "owner: 1\n" * (MANY + 1), "duplicate-key", MANY),
    ("---\na\n" * MANY, "unknown-document", MANY),
    (WHOLE + "# herald: allow x\n" * MANY, "allow-syntax", MANY),
    (WHOLE + "x-a: [" + "!t a, " * MANY + "]\n", "yaml-tag", MANY),
], ids=["duplicate keys", "documents", "comments", "tags"])
def test_shows_one_of_many_equal_findings_and_counts_the_rest(hostile, content, rule, count):
    report = hostile.validate(content).has(rule)
    assert len([found for found, _ in report.findings if found == rule]) == 1
    assert f"note: {count - 1:,} more findings of this kind not shown; " in report.out
    severity = "warning" if rule == "allow-syntax" and "warning[" in report.out else "error"
    assert re.search(rf"^{count} {severity}s", report.out, re.M), report.out[-200:]


def test_shows_an_error_among_many_warnings(hostile):
    allows = "# herald: allow expires-in-past, because\n" * 2_000
    hostile.write("campaigns/z.yaml", HEAD + "mesage: {}\n")
    report = hostile.validate(WHOLE + allows).has("unknown-key", "campaigns/z.yaml")
    assert "2000 warnings" in report.out


@pytest.mark.parametrize("names", [2_000 // PART, 20_000 // PART])
def test_handles_many_unknown_and_many_known_names(hostile, names):
    topics = "".join(f"  topic-{n}: {{}}\n" for n in range(names))
    hostile.write("herald.yaml", f"version: 1\nproject: hostile\ntopics:\n{topics}")
    unknown = ", ".join(f"topik-{n}" for n in range(names))
    report = hostile.validate(f"audience: a\nregistrations: list.txt\nsubscribe: [{unknown}]\n").has("unknown-topic")
    assert "did you mean `topic-0`?" in report.out


def test_handles_many_campaigns_with_one_name(hostile):
    report = hostile.validate("---\n".join([WHOLE] * (20_000 // PART))).has("duplicate-name")
    assert f"{20_000 // PART - 1} errors" in report.out


# MARK: multiplication


def billion_laughs(width, depth, line):
    """Returns YAML in which each line repeats the previous line `width` times. `%` is replaced by the repetition,
    `#` by
    the line's number.
    """
    lines = [
        line.replace("%", ", ".join([f"*a{n - 1}"] * width)).replace("#", str(n)) for n in range(1, depth)]
    return WHOLE + "x-0: &a0 { k: v }\n" + "\n".join(lines) + "\n"


@pytest.mark.parametrize("content", [
    billion_laughs(9, 12, "x-#: &a# [%]"), billion_laughs(2, 60, "x-#: &a# [%]"), billion_laughs(FIELDS, 4, "x-#: &a# [%]"),
    billion_laughs(9, 12, "x-#: &a# { <<: [%], k#: v }"), billion_laughs(2, 60, "x-#: &a# { <<: [%], k#: v }"),
    billion_laughs(9, 12, "x-#: &a# { k: [%] }"),
], ids=["wide and deep", "deep", "wide", "merged", "merged deep", "mappings"])
def test_rejects_nested_aliases(hostile, content):
    hostile.validate(content).has("yaml-aliases")


def test_rejects_nested_aliases_in_keys(hostile):
    hostile.validate(billion_laughs(9, 12, "x-#: &a# { ? [%] : v }")).has("yaml-syntax")


@pytest.mark.parametrize("line", ["x-a: &a [*a]", "x-a: &a { b: *a }", "x-a: &a { <<: *a }", "x-a: &a { *a : b }"])
def test_rejects_recursive_aliases(hostile, line):
    hostile.validate(f"{WHOLE}{line}\n").has("unknown-anchor", f"{FILE}:5:")


def fields(count):
    return "{ data: { " + ", ".join(f"k{n}: v" for n in range(count)) + " } }"


def test_rejects_defaults_under_too_many_campaigns(hostile):
    hostile.write("herald.yaml", f"{PROJECT}defaults: {{ message: {fields(FIELDS)} }}\n")
    hostile.validate("---\n".join([HEAD + "message: {}\n"] * FIELDS)).has("yaml-aliases")


def test_rejects_a_message_with_too_many_variants(hostile):
    variants = ", ".join(f"v{n}: {{ weight: 1 }}" for n in range(FIELDS))
    hostile.validate(f"{HEAD}message: {fields(FIELDS)}\nvariants: {{ {variants} }}\n").has("yaml-aliases")


@pytest.mark.parametrize("block", ["data: ", "apns: { payload: { aps: { badge: 1 }, own: ", "webpush: { data: ", "android: { data: "])
def test_message_with_many_fields_is_too_large(hostile, block):
    keys = ", ".join(f"k{n}: '1'" for n in range(FIELDS))
    hostile.validate(f"{HEAD}message: {{ {block}{{ {keys} }} {'}' * (block.count('{') - block.count('}'))} }}\n").has("payload-too-large")


# MARK: nesting

DEEP = 100_000


@pytest.mark.parametrize("content", [
    "x: " + "[" * DEEP, "x: " + "[" * DEEP + "]" * DEEP, "x: " + "{ a: " * DEEP, "x: " + "{ a: " * DEEP + "}" * DEEP,
    "- " * DEEP, "? " * DEEP, "[\n" * DEEP, "{ ? " * DEEP,
    "".join(" " * n + "a:\n" for n in range(2_000)), "".join(" " * n + "-\n" for n in range(2_000)),
], ids=["[", "[]", "{", "{}", "-", "?", "lines", "{?", "indented keys", "indented items"])
def test_rejects_deep_nesting(hostile, content):
    hostile.validate(content + "\n").has("yaml-nesting")


@pytest.mark.parametrize("levels", [95, 96])
def test_the_deepest_campaign_stays_readable_after_an_apply(project, tmp_path, levels):
    """At 96 levels, the campaign is as deep as a file may be, and the request is deeper than FCM accepts."""
    deep = "{a: " * levels + "1" + "}" * levels
    project.write("herald.yaml", "version: 1\nproject: e2e\ntopics: { tides: {} }\n")
    project.write("campaigns/deep.yaml", f"""\
campaign: deep
audience: {{ topic: tides }}
message: {{ apns: {{ payload: {{ aps: {{ alert: hi }}, deep: {deep} }} }} }}
""")
    project.herald("plan", "--out", tmp_path / "plan.json").expect(0)
    applied = project.herald("apply", "--expect", tmp_path / "plan.json")
    applied.expect(*((0, "1 accepted") if levels == 95 else (3, "1 rejected")))
    project.herald("plan").expect(0, "No changes")
    project.herald("history", "1").expect(0, "deep/once/1")
    project.herald("state", "show", "deep").expect(0)


def test_rejects_deeply_nested_conditions(hostile):
    condition = "(" * DEEP + "'tides' in topics" + ")" * DEEP
    hostile.validate(f"campaign: a\naudience: {{ condition: \"{condition}\" }}\nmessage: {{}}\n").has("condition-syntax")


# MARK: characters

BROKEN = {
    "stray": b"\xff", "continuation": b"\x80", "cut": b"\xe2\x82", "overlong": b"\xc0\xaf", "overlong 3": b"\xe0\x80\xaf",
    "overlong NUL": b"\xc0\x80", "surrogate": b"\xed\xa0\x80", "pair": b"\xed\xa0\x80\xed\xb0\x80",
    "beyond": b"\xf4\x90\x80\x80", "five bytes": b"\xf8\x88\x80\x80\x80",
}
FORBIDDEN = {"NUL": b"\0", "ESC": b"\x1b", "DEL": b"\x7f", "CSI": b"\xc2\x9b", "U+FFFE": b"\xef\xbf\xbe"}
POSITIONS = {
    "alone": b"%s", "first": b"%scampaign: a\n", "key": b"camp%saign: a\n", "plain": b"campaign: a%s\n",
    "single quotes": b"campaign: 'a%s'\n", "double quotes": b"campaign: \"a%s\"\n", "block": b"about: |\n  a%s\n",
    "comment": b"campaign: a # c%s\n", "anchor": b"campaign: &a%s b\n", "alias": b"campaign: *a%s\n",
    "tag": b"campaign: !t%s b\n", "directive": b"%%YAML%s 1.2\n---\na: b\n", "indentation": b"a:\n %s b: c\n",
    "last": b"campaign: a\n%s",
}


@pytest.mark.parametrize("position", POSITIONS)
@pytest.mark.parametrize("rule, kinds", [("not-utf8", BROKEN), ("yaml-syntax", FORBIDDEN)], ids=["not UTF-8", "forbidden"])
def test_reports_the_location_of_invalid_bytes(hostile, rule, kinds, position):
    """Uses one file per kind, so one run reports all of them."""
    for number, harm in enumerate(kinds.values()):
        hostile.write(f"campaigns/{number}.yaml", POSITIONS[position] % harm)
    before = (POSITIONS[position] % b"\xff").split(b"\xff")[0].decode()
    line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
    found = hostile.validate().findings
    assert found == [(rule, f"campaigns/{n}.yaml:{line}:{column}") for n in range(len(kinds))]


@pytest.mark.parametrize("encoding, name", [
    ("utf-16-le", "UTF-16"), ("utf-16-be", "UTF-16"), ("utf-32-le", "UTF-32"), ("utf-32-be", "UTF-32")])
@pytest.mark.parametrize("mark", ["\ufeff", ""], ids=["with a mark", "without"])
def test_names_another_encoding(hostile, encoding, name, mark):
    report = hostile.validate((mark + WHOLE).encode(encoding)).has("not-utf8", f"{FILE}:1:1")
    assert f"this file is {name}, not UTF-8" in report.out


def test_ignores_a_byte_order_mark_only_at_the_start(hostile):
    assert hostile.validate("\ufeff" + WHOLE).code == 0
    report = hostile.validate(WHOLE.replace("ttl", "t\ufefftl")).has("unknown-key", f"{FILE}:4:13")
    assert "t\\u{FEFF}tl" in report.out


@pytest.mark.parametrize("content, place", [
    ("\tcampaign: a\n", ":1:1"), ("campaign: a\nmessage:\n\tdata: {}\n", ":3:1"), ("message:\n  data:\n  \ta: b\n", ":3:3"),
    ("x:\n\t- a\n", ":2:1")])
def test_reports_a_tab_used_as_indentation(hostile, content, place):
    report = hostile.validate(content).has("yaml-syntax", FILE + place)
    assert "use spaces" in report.out


@pytest.mark.parametrize("text", [
    "a" * 1_000_000, "é" * 500_000, "漢" * 300_000, "a\u0301" * 300_000, "👩\u200d" * 150_000, "\u202e" * 300_000, "\t" * 1_000_000])
def test_truncates_a_long_line_around_the_finding(hostile, text):
    report = hostile.validate(HEAD + f"message: {{}}\nowner: [x]   #{text}\n").has("wrong-kind", f"{FILE}:4:8")
    assert all(len(line) < 4_000 for line in report.out.splitlines())
    report = hostile.validate(f"{HEAD}message: {{ notification: {{ title: 'a{text}', titel: b }} }}\n").has("unknown-key")
    column = len("message: { notification: { title: 'a") + len(text) + len("', ") + 1
    assert f"{FILE}:3:{column}" in report.out


# MARK: file types


@pytest.mark.parametrize("path", [FILE, "herald.yaml"])
@pytest.mark.parametrize("target", ["/dev/zero", "/dev/stdin", "/proc/self/status", "/etc/passwd"])
def test_does_not_follow_links_out_of_the_project(hostile, path, target):
    (hostile.folder / path).unlink(missing_ok=True)
    (hostile.folder / path).symlink_to(target)
    report = hostile.validate().is_refused(f"{path} cannot be read: it is a link to a path outside the project")
    assert "root" not in report.out


def test_follows_links_inside_of_the_project(hostile):
    hostile.write("shared/a.yaml", WHOLE)
    (hostile.folder / FILE).symlink_to("../shared/a.yaml")
    assert "1 campaign" in hostile.validate().err


def test_reports_broken_links(hostile):
    (hostile.folder / "campaigns/a.yaml").symlink_to("a.yaml")
    (hostile.folder / "campaigns/b.yaml").symlink_to("c.yaml")
    (hostile.folder / "campaigns/c.yaml").symlink_to("b.yaml")
    (hostile.folder / "campaigns/d.yaml").symlink_to("nowhere")
    report = hostile.validate()
    for name in "abc":
        report.is_refused(f"campaigns/{name}.yaml cannot be read: its links form a loop")
    report.is_refused("campaigns/d.yaml cannot be read: there is no such file")


def test_does_not_follow_links_to_directories(hostile):
    (hostile.folder / "campaigns/again").symlink_to(".")
    (hostile.folder / "campaigns/up").symlink_to("..")
    report = hostile.validate()
    report.is_refused("campaigns/again cannot be read: it is a link to a folder")
    report.is_refused("campaigns/up cannot be read: it is a link to a folder")


def test_does_not_follow_campaigns_out_of_the_project(hostile):
    (hostile.folder / "campaigns").rmdir()
    (hostile.folder / "campaigns").symlink_to("/usr")
    report = hostile.validate().is_refused("campaigns cannot be read: it is a link to a folder")
    assert len(report.findings) == 1


def test_a_list_that_is_a_link_out_of_the_project_is_refused_even_with_consent(hostile, tmp_path):
    """Consent is for a directory; `test_trust.py` tests a link to one."""
    audience = "audience: a\nregistrations: list.txt\nsubscribe: [tides]\n"
    (tmp_path / "list.txt").write_text("a:APA91b-1\n")
    (hostile.folder / "list.txt").symlink_to(tmp_path / "list.txt")
    hostile.validate(audience).is_refused("cannot read the list list.txt: it is outside of the project")
    hostile.validate(audience, "--allow-path", tmp_path).is_refused("cannot read the list list.txt: it is a symbolic link")


@pytest.mark.parametrize("path", [FILE, "herald.yaml"])
@pytest.mark.parametrize("kind", ["pipe", "socket", "folder"])
def test_reads_only_regular_files(hostile, monkeypatch, path, kind):
    if path == FILE and kind == "folder":
        (hostile.folder / FILE).mkdir()
        hostile.write(FILE + "/b.yaml", HEAD)
        hostile.validate().has("missing-key", FILE + "/b.yaml")
        return
    (hostile.folder / path).unlink(missing_ok=True)
    if kind == "pipe":
        os.mkfifo(hostile.folder / path)
    elif kind == "folder":
        (hostile.folder / path).mkdir()
    else:
        monkeypatch.chdir((hostile.folder / path).parent)
        with socket.socket(socket.AF_UNIX) as bound:
            bound.bind((hostile.folder / path).name)
    hostile.validate().is_refused(f"{path} cannot be read: it is")


def test_reports_an_unreadable_file(hostile):
    """Root can read every file; then the file is read, and its finding is reported."""
    hostile.write(FILE, HEAD)
    (hostile.folder / FILE).chmod(0)
    if os.access(hostile.folder / FILE, os.R_OK):
        hostile.validate().has("missing-key")
    else:
        hostile.validate().is_refused(f"{FILE} cannot be read: permission denied")


def test_reports_directories_deeper_than_the_path_limit(hostile, monkeypatch):
    monkeypatch.chdir(hostile.folder / "campaigns")
    for _ in range(2_500):
        os.mkdir("d")
        os.chdir("d")
    with open("a.yaml", "w") as file:
        file.write(HEAD)
    os.chdir(hostile.folder)
    try:
        hostile.validate().is_refused("cannot be read: ")
    finally:
        # Python's own function is recursive and fails at this depth.
        subprocess.run(["rm", "-rf", "campaigns/d"], cwd=hostile.folder, check=True)


@pytest.mark.parametrize("name, shown", [
    ("a\nb", "a\\u{A}b"), ("\x1b[31mred", "\\u{1B}[31mred"), ("\u202egnp", "\\u{202E}gnp"), ("-e", "-e"), (" ", " "),
    ("%41", "%41"), ("a?b#c", "a?b#c"), ("a\\b", "a\\b"), ("~", "~"), ("$HOME", "$HOME"), ("a" * 250, "a" * 250),
    ("e\u0301", "e\u0301"), ("\u200b", "\\u{200B}"), ("\x07", "\\u{7}")])
def test_reads_files_with_strange_names_and_escapes_the_names(hostile, name, shown):
    hostile.write(f"campaigns/{name}.yaml", HEAD)
    hostile.validate().has("missing-key", f"campaigns/{shown}.yaml:1:1")


@pytest.mark.parametrize("name", [b"\xff.yaml", b"\xc3(.yml", b"folder\xff/a.yaml"])
def test_reports_a_file_name_that_is_not_utf8(hostile, name):
    path = os.path.join(os.fsencode(hostile.folder), b"campaigns", name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as file:
        file.write(HEAD)
    hostile.validate().is_refused("cannot be read: its name is not UTF-8")
