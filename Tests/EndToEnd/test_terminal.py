"""Terminal output: no hostile escape sequences, color only when wanted, a progress bar, and a prompt."""

import json
import os
import pty
import re
import select
import signal
import subprocess
import time

import pytest

from herald import DEADLINE, SECRET, Emulator, Project, Result, binary, token, variables

# Characters that control a terminal, reorder text or are invisible (Unicode Standard Annex 9 for the marks).
EVIL = "\x1b[31m\x1b]0;owned\x07\x08\x0d\x9b2J\x7f\u202e\u2066\u200b\ufeff\u061c\U000e0041"
FORBIDDEN = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\U000e0000-\U000e007f]")
COLOR = re.compile("\x1b\\[[0-9;]*m")
REDRAWING = re.compile("\r\x1b\\[K|\r\n|\r")
TOKENS = [token(n) for n in range(4)]


@pytest.fixture
def bench(tmp_path):
    project = Project(tmp_path / "project", topics=["tides"])
    project.devices(TOKENS)
    project.campaign("call", f"{{ registrations: {project.list('all', TOKENS)} }}")
    return project


class Terminal:
    """Herald on a pseudo-terminal of 100 columns, with all streams or only standard error."""

    def __init__(self, project, *arguments, env=None, output_too=True):
        self.master, slave = pty.openpty()
        self.text = ""
        self.process = subprocess.Popen(
            [binary(), *arguments, "-C", project.folder], stdin=slave, stderr=slave, start_new_session=True,
            stdout=slave if output_too else subprocess.DEVNULL, env=variables() | {"TERM": "xterm"} | (env or {}))
        os.close(slave)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        os.close(self.master)

    def read_until(self, fragment=None):
        """Reads until the fragment appears, or without a fragment until the process closes the terminal."""
        end = time.monotonic() + DEADLINE
        while fragment is None or fragment not in self.text:
            assert time.monotonic() < end, f"no {fragment!r} in {self.text!r}"
            if not select.select([self.master], [], [], 0.5)[0]:
                continue
            try:
                part = os.read(self.master, 65_536)
            except OSError:  # the last process with the terminal has exited
                break
            if not part:
                break
            self.text += part.decode(errors="replace")
        return self

    def type(self, text):
        os.write(self.master, text.encode())
        return self

    def finish(self):
        self.read_until()
        assert SECRET not in self.text, self.text
        return Result(self.process.wait(DEADLINE), self.text, "")


def on_terminal(project, *arguments, **options):
    with Terminal(project, *arguments, **options) as terminal:
        return terminal.finish()


def assert_harmless(result, colored=True):
    """Checks that only herald's own colors and redraws control the terminal."""
    text = result.out + result.err
    if colored:
        text = REDRAWING.sub("\n", COLOR.sub("", text))
    found = FORBIDDEN.search(text)
    assert not found, f"{found[0]!r} in {text[max(0, found.start() - 80):found.end() + 20]!r}"


# MARK: hostile_error text


def escaped(text):
    return "".join(f"\\U{ord(character):08x}" for character in text)


def everywhere(project, *arguments):
    """Runs the command through pipes without color, and on a terminal."""
    plain = project.herald(*arguments)
    assert_harmless(plain, colored=False)
    assert_harmless(on_terminal(project, *arguments))
    return plain


def test_escapes_control_characters_in_messages(bench):
    evil = escaped(EVIL)
    bench.write("campaigns/evil.yaml", f'''campaign: evil
about: "{evil}"
audience: {{ topic: tides }}
message:
  notification: {{ title: "T{evil}T", body: "B{evil}B" }}
  data: {{ "k{evil}": "v{evil}" }}
  android: {{ collapse_key: "{evil}", notification: {{ tag: "{evil}", click_action: "{evil}" }} }}
  apns: {{ payload: {{ "p{evil}": "{evil}", aps: {{ alert: "{evil}", category: "{evil}" }} }} }}
  webpush: {{ notification: {{ "n{evil}": "{evil}" }} }}
''')
    bench.devices([])
    bench.write("campaigns/devices.yaml", "devices: d\nphones:\n" + "".join(
        f"  - {{ name: {p}, platform: {p}, registration: {token(n)}, topics: [tides] }}\n"
        for n, p in enumerate(["android", "apple", "web"])))
    everywhere(bench, "plan").expect(0, "T\\u{1B}[31m")
    assert_harmless(on_terminal(bench, "apply", "--yes").expect(0))
    assert [e["body"]["message"]["notification"]["title"] for e in bench.log.sends() if "topic" in e["body"]["message"]] == [f"T{EVIL}T"]
    everywhere(bench, "emulator", "inboxes").expect(0, "\\u{1B}")
    bench.write("campaigns/evil.yaml", 'campaign: evil\naudience: { topic: tides }\nmessage: { data: { "x": "y" } }\n')
    everywhere(bench, "plan").expect(0, "already sent", "\\u{1B}")


def test_escapes_control_characters_in_messages_in_json(bench):
    """JSON can encode every character as \\u and four digits, so herald must escape text from JSON, too."""
    bench.campaign("evil", "{ topic: tides }")
    path = bench.folder / "campaigns/evil.yaml"
    path.write_text(path.read_text().replace('title: "evil"', f'title: "{escaped(EVIL)}"'))
    plan = everywhere(bench, "plan", "--format", "json").expect(0)
    titles = [r["body"]["message"]["notification"]["title"] for r in json.loads(plan.out)["requests"]]
    assert EVIL in titles


@pytest.mark.covers("C86")
def test_inboxes_json_has_no_escape_sequences_or_registrations(bench):
    bench.campaign("evil", "{ topic: tides }")
    path = bench.folder / "campaigns/evil.yaml"
    path.write_text(path.read_text().replace('title: "evil"', f'title: "{escaped(EVIL)}"'))
    bench.write("campaigns/devices.yaml", f"devices: d\nphones:\n  - {{ name: x, platform: web, registration: {TOKENS[0]}, topics: [tides] }}\n")
    bench.apply()
    inboxes = json.loads(everywhere(bench, "emulator", "inboxes", "--format", "json").expect(0).out)
    assert EVIL in [m.get("title") for m in inboxes["devices"][0]["received"]]


def test_escapes_control_characters_in_file_names(bench):
    name = "evil\x1b[31m\u202e\x07"
    bench.write(f"campaigns/{name}.yaml", "campaign: [\n")
    everywhere(bench, "validate").expect(65)
    everywhere(bench, "plan").expect(65)
    (bench.folder / f"campaigns/{name}.yaml").unlink()
    # The path of a list is a pattern, in which a bracket needs a backslash.
    path = escaped(f"lists/{name}.txt".replace("[", "\\["))
    bench.write("campaigns/call.yaml", f'campaign: call\naudience: {{ registrations: "{path}" }}\nmessage: {{}}\n')
    everywhere(bench, "validate").expect(65, "no such file")
    bench.write(f"lists/{name}.txt", "broken line\n")
    everywhere(bench, "validate").expect(65, "broken-list-line")
    bench.write(f"lists/{name}.txt", "twice\ntwice\n")
    everywhere(bench, "validate").expect(65, "duplicate-registration")


@pytest.mark.parametrize("text", [
    'campaign: "e{0}"\naudience: {{ topic: tides }}\nmessage: {{}}\n',
    'campaign: c\n"key{0}": 1\naudience: {{ topic: tides }}\nmessage: {{}}\n',
    'campaign: c\naudience: {{ topic: "t{0}" }}\nmessage: {{}}\n',
    'campaign: c\naudience: "a{0}"\nmessage: {{}}\n',
    'campaign: c\naudience: {{ condition: "\'t{0}\' in topics" }}\nmessage: {{}}\n',
    'campaign: c\naudience: {{ topic: tides }}\nmessage: {{ "f{0}": 1 }}\n',
    'campaign: c\naudience: {{ topic: tides }}\nmessage: {{}}\ndelivery: {{ ttl: "1{0}", priority: "{0}", collapse: "{0}" }}\n',
    'campaign: c\naudience: {{ topic: tides }}\nmessage: {{}}\nschedule: {{ at: "{0}", timezone: "Europe/{0}" }}\n',
    '"doc{0}": c\n'])
def test_escapes_control_characters_in_invalid_yaml(bench, text):
    bench.write("campaigns/evil.yaml", text.format(escaped(EVIL)))
    everywhere(bench, "validate").expect(65, "campaigns/evil.yaml")


def test_escapes_raw_control_characters_in_yaml(bench):
    for character in EVIL:
        bench.write("campaigns/evil.yaml", f"campaign: evil\naudience: {{ topic: tides }}\nmesage: a{character}b # c{character}d\n")
        everywhere(bench, "validate").expect(65)


def test_escapes_bytes_that_are_not_utf8(bench):
    (bench.folder / "campaigns/evil.yaml").write_bytes(b"campaign: \x9b2J\xff\nmesage: \xc3\n")
    everywhere(bench, "validate").expect(65)


def test_escapes_control_characters_in_arguments(bench):
    """Text in a command line may have been copied from anywhere."""
    assert_harmless(bench.herald("plan", "-e", EVIL), colored=False)
    assert_harmless(bench.herald("plan", "-C", f"nowhere{EVIL}"), colored=False)
    assert_harmless(bench.herald("validate", f"nowhere{EVIL}"), colored=False)


# MARK: color


@pytest.mark.parametrize("arguments, env, is_colored", [
    ([], {}, True),
    ([], {"NO_COLOR": "1"}, False),
    ([], {"NO_COLOR": ""}, True),
    ([], {"TERM": "dumb"}, False),
    ([], {"NO_COLOR": "1", "CLICOLOR_FORCE": "1"}, False),
    (["--color", "never"], {"CLICOLOR_FORCE": "1"}, False),
    (["--color", "always"], {"NO_COLOR": "1", "TERM": "dumb"}, True)])
def test_terminal_color_follows_the_users_settings(bench, arguments, env, is_colored):
    with Terminal(bench, "plan", *arguments, env=env) as terminal:
        assert ("\x1b[" in terminal.finish().expect(0).out) == is_colored


@pytest.mark.parametrize("arguments, env, is_colored", [
    ([], {"TERM": "xterm"}, False),
    ([], {"CLICOLOR_FORCE": "1"}, True),
    ([], {"CLICOLOR_FORCE": "0"}, False),
    (["--color", "always"], {}, True),
    (["--color", "auto"], {"CLICOLOR_FORCE": "1", "NO_COLOR": "1"}, False)])
def test_piped_output_is_colored_only_if_forced(bench, arguments, env, is_colored):
    assert ("\x1b[" in bench.herald("plan", *arguments, env=env).expect(0).out) == is_colored
    bench.write("campaigns/call.yaml", "campaign: c\n")
    assert ("\x1b[" in bench.herald("validate", *arguments, env=env).expect(65).out) == is_colored


def test_json_is_never_colored(bench):
    assert "\x1b" not in bench.herald("plan", "--format", "json", "--color", "always").expect(0).out


# MARK: progress


@pytest.fixture
def many(tmp_path):
    """1,500 single sends, enough to show progress."""
    project = Project(tmp_path / "project")
    tokens = [token(n) for n in range(1_500)]
    project.campaign("call", f"{{ registrations: {project.list('all', tokens)} }}")
    with Emulator(project) as emulator:
        emulator.install(tokens)
        yield project


def test_terminal_shows_a_progress_bar_until_the_end(many):
    with Terminal(many, "apply", "--yes", output_too=False) as terminal:
        result = terminal.finish().expect(0)
    shown = [int(n.replace(",", "")) for n in re.findall(r"([0-9,]+)/1,500", result.out)]
    assert shown == sorted(shown) and shown[-1] == 1_500 and len(shown) >= 3
    assert "█" in result.out and "\r\x1b[K" in result.out
    assert_harmless(result)


def test_no_progress_bar_without_a_terminal(many):
    result = many.apply().expect(0)
    assert "█" not in result.err and "\r" not in result.out + result.err
    assert re.fullmatch("(call: [0-9,]+ of 1,500.*\n)*call: 1,500 of 1,500 in .*; 1,500 accepted\n", result.err)


def test_quiet_omits_the_plan_but_keeps_the_progress_bar(bench):
    shown = on_terminal(bench, "apply", "--yes", "--quiet").expect(0, "Applied: 4 accepted.", "4/4").out
    assert "Plan" not in shown and "sends now" not in shown
    bench.write(
        "campaigns/more.yaml",
        f"campaign: more\naudience: {{ registrations: {bench.list('more', TOKENS[:2])} }}\nmessage: {{ data: {{ a: b }} }}\n")
    piped = bench.apply("--quiet").expect(0)
    assert (piped.out, piped.err) == ("Applied: 2 accepted.\n", "")


def test_dumb_terminal_gets_no_cursor_movement(many):
    with Terminal(many, "apply", "--yes", output_too=False, env={"TERM": "dumb"}) as terminal:
        result = terminal.finish().expect(0)
    assert "\x1b" not in result.out


# MARK: the prompt


@pytest.mark.parametrize("answer", ["y\n", "Yes\n", "YES\n", " yes\n", "yes please\n", "\n", "no\n", "\x04"])
def test_prompt_rejects_everything_except_yes(bench, answer):
    with Terminal(bench, "apply") as terminal:
        terminal.read_until("Enter `yes` to continue").type(answer)
        terminal.finish().expect(1, "not applied")
    assert bench.log.requests() == []


def test_prompt_accepts_yes(bench):
    with Terminal(bench, "apply") as terminal:
        terminal.read_until("Enter `yes` to continue")
        assert bench.log.requests() == []
        terminal.type("yes\n").finish().expect(0, "4 accepted")
    assert bench.log.accepted() == {t: 1 for t in TOKENS}


def test_no_input_never_prompts_on_a_terminal(bench):
    on_terminal(bench, "apply", "--no-input").expect(64, "cannot ask for confirmation: --no-input is given", "--yes")


def test_ctrl_c_at_the_prompt_exits_without_sending(bench):
    with Terminal(bench, "apply") as terminal:
        terminal.read_until("Enter `yes` to continue")
        terminal.process.send_signal(signal.SIGINT)
        terminal.read_until()
        assert terminal.process.wait(DEADLINE) in (130, -signal.SIGINT)
    assert bench.log.requests() == []
    bench.apply().expect(0, "4 accepted")


def test_state_change_during_the_prompt_makes_the_plan_stale(bench):
    with Terminal(bench, "apply") as terminal:
        terminal.read_until("Enter `yes` to continue")
        bench.apply().expect(0, "4 accepted")
        terminal.type("yes\n").finish().expect(5, "the state changed")
    assert bench.log.accepted() == {t: 1 for t in TOKENS}


def test_lock_is_free_during_the_prompt(bench):
    with Terminal(bench, "apply") as terminal:
        terminal.read_until("Enter `yes` to continue")
        bench.apply("--lock-timeout", 0).expect(0, "4 accepted")
        terminal.type("no\n").finish().expect(1)


# MARK: unknown outcomes


def hostile_error(status):
    """Returns an error in FCM's format with hostile texts."""
    return {"status": status, "json": {"error": {"code": status, "status": EVIL, "message": EVIL}}}


def test_status_and_history_escape_control_characters(bench):
    bench.campaign("tide", "{ topic: tides }")
    with Emulator(bench) as emulator:
        emulator.put("/emulator/v1/faults", {"rules": [
            {"match": {"service": "SEND", "topic": "tides"}, "accepted": True, "answer": hostile_error(503)},
            {"match": {"service": "SEND"}, "when": {"nth": 2}, "answer": hostile_error(403)}]})
        bench.apply()
        bench.apply()
    for arguments in [("status",), ("history",), ("history", "1"), ("history", "2")]:
        for form in [(), ("--format", "json")]:
            everywhere(bench, *arguments, *form).expect(0)
    everywhere(bench, "status").expect(0, "unknown  503 \\u{1B}[31m")
    everywhere(bench, "history").expect(0, "403 \\u{1B}[31m")


@pytest.fixture
def unknown(bench):
    """One of four requests is unknown."""
    with Emulator(bench) as emulator:
        emulator.put("/emulator/v1/faults", {"rules": [
            {"match": {"service": "SEND"}, "when": {"nth": 2}, "accepted": True,
             "delivery": {"reset_connection": True}}]})
        bench.apply().expect(4)
        yield bench


def count_of_unknown(project):
    state = json.loads(project.herald("status", "--format", "json").expect(0).out)
    return state["occurrences"][0]["counts"]["unknown"]


@pytest.mark.parametrize("answer, code, left", [("yes\n", 0, False), ("y\n", 1, True), ("\x04", 1, True)])
def test_resolve_previews_its_effect_and_accepts_only_yes(unknown, answer, code, left):
    before = count_of_unknown(unknown)
    with Terminal(unknown, "resolve", "call", "drop") as terminal:
        terminal.read_until("Enter `yes` to continue: ")
        assert "will be given up; nothing is sent for them" in terminal.text
        terminal.type(answer).finish().expect(code)
    assert count_of_unknown(unknown) == (before if left else 0)


def test_resolve_does_nothing_if_resolved_during_the_prompt(unknown):
    with Terminal(unknown, "resolve", "call", "resend") as terminal:
        terminal.read_until("Enter `yes` to continue: ")
        unknown.herald("resolve", "call", "drop", "--yes").expect(0)
        terminal.type("yes\n").finish().expect(5, "have changed", "check them with `herald status`")
    unknown.apply().expect(0, "No changes.")
