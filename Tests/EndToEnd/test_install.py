"""The files that `make install` installs work in shells and with man."""

import fcntl
import os
import pty
import re
import select
import subprocess
import termios
import time

import pytest

from herald import DEADLINE, ROOT, Project, binary, token, variables

COMPLETION_FILES = {
    "share/bash-completion/completions/herald", "share/zsh/site-functions/_herald",
    "share/fish/vendor_completions.d/herald.fish"}


def script(*arguments, env=None):
    done = subprocess.run(
        [ROOT / "Scripts/install.sh", *arguments], env={"PATH": os.environ["PATH"]} | (env or {}),
        capture_output=True, text=True, timeout=DEADLINE)
    assert done.returncode == 0, done.stderr
    return done.stdout


def files(folder):
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}


@pytest.fixture(scope="module")
def root(tmp_path_factory):
    """The prefix into which Herald was installed."""
    stage = tmp_path_factory.mktemp("stage")
    script("install", binary(), "/opt/herald", env={"DESTDIR": str(stage)})
    return stage / "opt/herald"


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    """A project with two campaigns, one of them in a file with an unrelated error, and an environment."""
    project = Project(
        tmp_path_factory.mktemp("work") / "project", topics=["tides"],
        header="environments: { staging: { emulator: { url: 'http://127.0.0.1:1' } } }\n")
    project.campaign("spring-tide", "{ topic: tides }")
    project.write("campaigns/readers.yaml", f"audience: readers\nregistrations: {project.list('readers', [token(1)])}\n")
    project.write("campaigns/broken.yaml", "campaign: neap-tide\naudience: { topic: tydes }\nnonsense: [\n  1\n]\n")
    return project


def test_install_honors_prefix_and_destdir_and_uninstall_removes_all(tmp_path):
    stage = {"DESTDIR": str(tmp_path)}
    assert f"{tmp_path}/opt/herald" in script("install", binary(), "/opt/herald", env=stage)
    installed = files(tmp_path / "opt/herald")
    pages = {name for name in installed if name.startswith("share/man/man1/herald")}
    assert installed == COMPLETION_FILES | {"bin/herald", "bin/herald-ci", "bin/herald-listen"} | pages
    assert {"share/man/man1/herald.1", "share/man/man1/herald-plan.1", "share/man/man1/herald-emulator-inboxes.1"} <= pages
    other = tmp_path / "opt/herald/share/man/man1/heraldry.1"
    other.write_text("another program's")
    script("uninstall", "/opt/herald", env=stage)
    assert files(tmp_path) == {str(other.relative_to(tmp_path))}


def test_make_passes_prefix_and_destdir(tmp_path):
    output = subprocess.run(
        ["make", "--dry-run", "install", "PREFIX=/opt/herald"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert "Scripts/install.sh install .build/static/release/herald /opt/herald\n" in output
    assert "Scripts/install.sh uninstall /usr/local\n" in subprocess.run(
        ["make", "--dry-run", "uninstall"], cwd=ROOT, capture_output=True, text=True, check=True).stdout


# The escape sequences that switch bracketed paste on and off.
PASTING = re.compile("\x1b\\[\\?2004[hl]")


class Shell:
    """A shell on a pseudo-terminal, with simulated input."""

    def __init__(self, command, root, folder):
        self.master, slave = pty.openpty()
        self.text = ""
        environment = variables() | {
            "PATH": f"{root / 'bin'}:{os.environ['PATH']}", "XDG_DATA_DIRS": f"{root / 'share'}:/usr/share",
            "HOME": str(folder), "TERM": "dumb", "PS1": "$ ", "LC_ALL": "C.UTF-8"}
        self.process = subprocess.Popen(
            command, stdin=slave, stdout=slave, stderr=slave, env=environment, cwd=folder, start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0))  # fish exits without a controlling terminal
        os.close(slave)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        os.close(self.master)

    def type(self, text):
        os.write(self.master, text.encode())
        return self

    def until(self, fragment):
        """Reads until the fragment appears, and drops the text up to its end."""
        end = time.monotonic() + DEADLINE
        while fragment not in self.text:
            assert time.monotonic() < end, f"no {fragment!r} in {self.text!r}"
            if select.select([self.master], [], [], 0.5)[0]:
                self.text += os.read(self.master, 65_536).decode(errors="replace")
                self.text = PASTING.sub("", self.text)
        self.text = self.text.partition(fragment)[2]
        return self


def ready(shell):
    """Waits until the previous input has been executed."""
    shell.type("echo rea''dy\r").until("\nready")


def complete(shell, typed, completed):
    """Types text, presses Tab, checks the resulting line, and clears the line."""
    shell.type(f"echo beg''in\r").until("\nbegin").type(typed + "\t").until(completed).type("\x15")


LINES = [
    ("herald val", "herald validate "),
    ("herald preview sp", "herald preview spring-tide "),
    ("herald pause ne", "herald pause neap-tide "),
    ("herald plan -e st", "herald plan -e staging "),
    ("herald plan --detailed", "herald plan --detailed-exitcode "),
    ("herald plan --only re", "herald plan --only readers "),
    ("herald explain ttl-out", "herald explain ttl-out-of-range "),
    ("herald emulator in", "herald emulator inboxes "),
]


@pytest.mark.parametrize("setup", [". /usr/share/bash-completion/bash_completion", '. "{0}/share/bash-completion/completions/herald"'])
def test_bash_completes_commands_and_names(root, project, setup):
    """Checks both with bash-completion, which finds the file itself, and without it."""
    with Shell(["bash", "--norc", "--noprofile", "-i"], root, project.folder) as shell:
        ready(shell.type("bind 'set enable-bracketed-paste off'; " + setup.format(root) + "\r"))
        for typed, completed in LINES:
            complete(shell, typed, completed)


def test_zsh_completes_commands_and_names(root, project):
    with Shell(["zsh", "-f", "-i"], root, project.folder) as shell:
        shell.type(f"unsetopt zle_bracketed_paste; fpath=({root}/share/zsh/site-functions $fpath)\r")
        ready(shell.type("autoload -Uz compinit; compinit -u -D\r"))
        for typed, completed in LINES:
            complete(shell, typed, completed)


def test_fish_completes_commands_and_names(root, project):
    """fish redraws its line at each key, so the test queries its completions directly."""
    with Shell(["fish", "--interactive"], root, project.folder) as shell:
        ready(shell)
        for typed, completed in LINES:
            shell.type(f"echo beg''in; complete --do-complete '{typed}'\r").until("\nbegin")
            shell.until(completed.split()[-1])
            ready(shell)


def test_completions_are_silent_without_a_project(root, tmp_path):
    words = ["herald", "preview", ""]
    done = subprocess.run(
        [root / "bin/herald", "---completion", "preview", "--", "positional@0", "2", "0", *words], cwd=tmp_path,
        env=variables() | {"SAP_SHELL": "bash"}, capture_output=True, timeout=DEADLINE)
    assert (done.returncode, done.stdout.strip(), done.stderr) == (0, b"", b"")


def test_completions_use_the_given_directory(root, project, tmp_path):
    for words in (["-C", f"'{project.folder}'"], [f"--directory={project.folder}"], ["-C", "elsewhere", "-C", str(project.folder)]):
        words = ["herald", "preview", *words, ""]
        done = subprocess.run(
            [root / "bin/herald", "---completion", "preview", "--", "positional@0", str(len(words) - 1), "0", *words],
            cwd=tmp_path, env=variables() | {"SAP_SHELL": "bash"}, capture_output=True, text=True, timeout=DEADLINE)
        assert done.stdout.split() == ["neap-tide", "spring-tide"], done


def pages(root):
    return sorted((root / "share/man/man1").iterdir())


def test_every_command_has_a_manual_page(root):
    listed = subprocess.run(
        [binary(), "--experimental-dump-help"], capture_output=True, text=True, check=True).stdout
    assert listed.count('"commandName"') - listed.count('"commandName" : "help"') == len(pages(root))


def test_manual_renders_without_warnings(root):
    linted = subprocess.run(["mandoc", "-T", "lint", "-W", "warning", *pages(root)], capture_output=True, text=True)
    assert linted.stdout + linted.stderr == ""
    for page in pages(root):
        shown = subprocess.run(
            ["man", "--warnings", "--local-file", page], capture_output=True, text=True, timeout=DEADLINE,
            env=variables() | {"MANWIDTH": "80", "MANPAGER": "cat", "LC_ALL": "C.UTF-8"})
        assert shown.stderr == "", page
        assert "SYNOPSIS" in shown.stdout and "\\" not in shown.stdout.replace("\\n", ""), page


def test_man_finds_the_pages_and_shows_key_sections(root):
    shown = subprocess.run(
        ["man", "herald-plan"], capture_output=True, text=True, timeout=DEADLINE,
        env=variables() | {"MANPATH": str(root / "share/man"), "MANPAGER": "cat", "MANWIDTH": "80", "LC_ALL": "C.UTF-8"}).stdout
    for fragment in ("herald plan [--directory directory]", "--detailed-exitcode\n", "EXAMPLES\n", "herald(1)"):
        assert fragment in shown, shown
