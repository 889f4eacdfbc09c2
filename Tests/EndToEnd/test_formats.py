"""`--json` and `--format`: every command with output for programs has both, with the same meaning."""

import json
import re
import subprocess

import pytest

from herald import DEADLINE, Project, binary, run, token, variables

TOKENS = [token(n) for n in range(3)]

DIGEST = "0123456789abcdef0123456789abcdef01234567@1"
# Every command with --format, and arguments that make it print something.
COMMANDS = {
    "validate": ["validate"],
    "plan": ["plan"],
    "preview": ["preview", "call"],
    "simulate": ["simulate", "--days", "1", "--devices", "50"],
    "apply": ["apply", "--dry-run"],
    "approve": ["approve", DIGEST, "--check"],
    "status": ["status"],
    "history": ["history"],
    "calendar": ["calendar"],
    "results show": ["results", "show"],
    "rollout status": ["rollout", "status", "call"],
    "topics": ["topics"],
    "state list": ["state", "list"],
    "state show": ["state", "show", "call"],
    "registrations fingerprint": ["registrations", "fingerprint", "campaigns/registrations/all.txt"],
    "registrations check": ["registrations", "check", "campaigns/registrations/all.txt"],
    "doctor": ["doctor"],
    "rules": ["rules"],
    "explain": ["explain", "UNREGISTERED"],
    "emulator inboxes": ["emulator", "inboxes"],
    "emulator messages": ["emulator", "messages"],
    "emulator requests": ["emulator", "requests", "--path", "/v1"],
    "emulator wait": ["emulator", "wait", "--timeout", "0"],
    "emulator assert": ["emulator", "assert", "--count", "3"],
    "emulator send-upstream": ["emulator", "send-upstream", "phone-0", "answer=yes", "--message-id", "m-1"],
}
# A format of each command that is neither text nor json.
OTHERS = {"validate": "sarif", "plan": "markdown", "simulate": "html", "history": "ndjson",
          "calendar": "ics", "results show": "html", "topics": "swift", "registrations fingerprint": "csv"}
# Values that differ between two runs of a command.
VARYING = re.compile(r'"(at|state|server|seen|connection)": ?"[^"]*"|127\.0\.0\.1:\d+')


# The same time for all commands, except those that send requests, so that their output does not depend on the clock.
NOW = "2037-01-01T00:00:00Z"


def now(name):
    return None if name in ("apply", "registrations check") else NOW


def leaves(words=()):
    """Yields all commands without subcommands."""
    text = run("help", *words).expect(0).out
    names = re.findall(r"^  ([a-z-]+)\b", text.partition("SUBCOMMANDS:\n")[2], re.MULTILINE)
    names = [name for name in names if name != "help"]
    if not names or " ".join(words) in COMMANDS:
        yield " ".join(words)
    for name in names:
        yield from leaves((*words, name))


@pytest.fixture(scope="module")
def bench(tmp_path_factory):
    project = Project(tmp_path_factory.mktemp("formats") / "project")
    project.devices(TOKENS)
    project.campaign("call", f"{{ registrations: {project.list('all', TOKENS)} }}")
    approve(project)
    project.apply().expect(0)
    project.herald("approve", DIGEST, "--key", project.folder / "key", "--valid-for", "12h", now=NOW).expect(0)
    return project


def approve(project):
    """Declares approvals of one signer for large plans, and makes that signer's key."""
    key = project.folder / "key"
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "", "-f", key], check=True, timeout=DEADLINE)
    project.write("signers", f"ana@example.com {key.with_suffix('.pub').read_text()}")
    guard = "guard: { approvals: { need: 1, over: 1000000, signers: signers } }"
    with (project.folder / "herald.yaml").open("a") as file:
        file.write(f"environments: {{ local: {{ emulator: {{}}, {guard} }} }}\n")


def test_every_command_with_one_spelling_has_the_other():
    found = set()
    for name in leaves():
        text = run("help", *name.split()).expect(0).out
        options = set(re.findall(r"^  (--(?:json|format))\b", text, re.MULTILINE))
        assert options in (set(), {"--json", "--format"}), name
        if options:
            found.add(name)
    assert found == set(COMMANDS)


def printed(project, name, *options):
    """Returns what herald prints, without a check for registrations: the pages of rules contain some."""
    return subprocess.run(
        [binary(), *COMMANDS[name], *options], cwd=project.folder, env=variables(now=now(name)), stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL, timeout=DEADLINE, check=True).stdout.decode()


@pytest.mark.parametrize("name", COMMANDS)
def test_both_spellings_print_the_same(bench, name):
    short, long, both = (
        printed(bench, name, *options) for options in (["--json"], ["--format", "json"], ["--json", "--format", "json"]))
    assert VARYING.sub("", short) == VARYING.sub("", long) == VARYING.sub("", both)
    texts = short.splitlines() if name == "apply" else [short]
    assert all(json.loads(text) is not None for text in texts) and texts


@pytest.mark.parametrize("name", COMMANDS)
def test_contradicting_spellings_are_a_usage_error(bench, name):
    for other in ["text"] + ([OTHERS[name]] if name in OTHERS else []):
        result = bench.herald(*COMMANDS[name], "--json", "--format", other)
        assert result.expect(64, f"--json cannot be combined with --format {other}").out == ""


@pytest.mark.parametrize("name", COMMANDS)
def test_text_is_the_default(bench, name):
    plain, text = (bench.herald(*COMMANDS[name], *option, now=now(name)).expect(0) for option in ([], ["--format", "text"]))
    assert VARYING.sub("", plain.out) == VARYING.sub("", text.out)
