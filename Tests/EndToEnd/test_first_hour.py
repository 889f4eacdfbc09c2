"""First use: creating a project, hints on the next command, and the program's version."""

import json
import re
import shutil
import subprocess

import pytest

from herald import ROOT, Project, run, token
from test_terminal import on_terminal


@pytest.fixture
def made(tmp_path):
    """A project created by `herald init`."""
    run("init", "push", "--timezone", "Europe/Lisbon", cwd=tmp_path).expect(0)
    return Project.of(tmp_path / "push")


def files(folder):
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}


def test_init_creates_a_project_without_findings(made):
    made.herald("validate", "--deny-warnings").expect(0, "No problem found: 2 campaigns")
    assert "version: 1\nproject: push\ntimezone: Europe/Lisbon\n" in (made.folder / "herald.yaml").read_text()


def test_new_project_sends_on_the_emulator(made):
    made.herald("plan", "--detailed-exitcode").expect(2)
    made.apply().expect(0, "2 joined, 3 accepted")
    inboxes = made.herald("emulator", "inboxes").expect(0).out
    assert inboxes.count("Good morning") == 2
    assert inboxes.count("Version 2 is on your phone") == 2
    made.apply().expect(0, "No changes.")


def test_init_lists_each_created_file_on_one_line(tmp_path):
    output = run("init", "push", cwd=tmp_path).expect(0).out
    written = files(tmp_path / "push")
    assert {line.split()[0] for line in output.split("\n\n")[0].splitlines()[1:]} == written
    assert all(len(line) <= 80 for line in output.splitlines())
    for command in ("cd push", "herald validate", "herald plan", "herald apply", "herald emulator inboxes"):
        assert f"\n  {command}" in output


def test_init_overwrites_nothing_and_lists_existing_files(tmp_path):
    (tmp_path / "campaigns").mkdir()
    (tmp_path / "campaigns/welcome.yaml").write_text("mine")
    (tmp_path / "herald.yaml").symlink_to("nowhere")
    run("init", cwd=tmp_path).expect(1, "nothing was written", "herald.yaml, campaigns/welcome.yaml\n")
    assert files(tmp_path) == {"campaigns/welcome.yaml"}
    assert (tmp_path / "campaigns/welcome.yaml").read_text() == "mine"


def test_init_keeps_a_gitignore_and_lists_missing_lines(tmp_path):
    (tmp_path / ".gitignore").write_text("/.herald/\n*.log\n")
    output = run("init", cwd=tmp_path).expect(0).out
    assert (tmp_path / ".gitignore").read_text() == "/.herald/\n*.log\n"
    missing = output.split("Add to the existing .gitignore:\n")[1].split("\n\n")[0]
    assert missing == "  /campaigns/registrations/*\n  !/campaigns/registrations/sample.txt"


def test_new_project_ignores_state_and_lists_in_git(made):
    made.apply().expect(0)
    made.list("real", [token(1)])
    subprocess.run(["git", "init", "--quiet"], cwd=made.folder, check=True)
    listed = subprocess.run(
        ["git", "ls-files", "--others", "--exclude-standard"], cwd=made.folder, capture_output=True, text=True, check=True)
    assert set(listed.stdout.split()) == {
        ".gitignore", "herald.yaml", "campaigns/welcome.yaml", "campaigns/testers.yaml", "campaigns/devices.yaml",
        "campaigns/registrations/sample.txt", "schemas/project.schema.json", "schemas/campaign.schema.json"}


@pytest.mark.parametrize("folder, name", [
    ("Küste & Meer", "k-ste---meer"), ("2037", "2037"), (".hidden", "hidden"), ("a.b_c", "a.b_c")])
def test_project_is_named_after_its_directory(tmp_path, folder, name):
    run("init", folder, cwd=tmp_path).expect(0, f"project {name} with")


@pytest.mark.parametrize("arguments, message", [
    (["--project", "two words"], "is not a valid project name"),
    (["--timezone", "Europe/Lisbn"], "did you mean `Europe/Lisbon`?"),
    (["日本"], "give one with --project")])
def test_init_rejects_ambiguous_input(tmp_path, arguments, message):
    run("init", *arguments, cwd=tmp_path).expect(64, message)
    assert files(tmp_path) == set()


@pytest.mark.parametrize("zone", ["America/New_York", ":America/New_York"])
def test_init_uses_the_time_zone_of_tz(tmp_path, zone):
    run("init", cwd=tmp_path, env={"TZ": zone}).expect(0, "time zone America/New_York")


@pytest.mark.parametrize("words, message", [
    (["valdate"], "did you mean `validate`?"),
    (["help", "plna"], "did you mean `plan`?"),
    (["emulator", "inbox"], "did you mean `inboxes`?"),
    (["\x1b[31mred"], "there is no command `")])
def test_suggests_a_similar_command(words, message):
    shown = run(*words).expect(64, message)
    assert "\x1b" not in shown.err and shown.out == ""


def commands(entry, before=()):
    """Yields each command as it is typed, with its help."""
    if entry["commandName"] == "help":
        return
    words = (*before, entry["commandName"])
    yield words[1:], entry
    for each in entry.get("subcommands", []):
        yield from commands(each, words)


def test_help_of_every_command_starts_with_examples():
    help_dump = json.loads(run("--experimental-dump-help").expect(0).out)
    found = list(commands(help_dump["command"]))
    assert len(found) > 20
    for words, entry in found:
        shown = entry["discussion"].split("\n\n")[0].splitlines()
        assert shown[0] == "EXAMPLES", words
        assert all(line.startswith("  herald ") or line.startswith("   ") or "herald" in line for line in shown[1:]), words


def test_terminal_output_suggests_the_next_command(made):
    assert on_terminal(made, "validate").expect(0).out.endswith(f"Next: herald plan -C {made.folder}\r\n")
    assert on_terminal(made, "plan").expect(0).out.endswith(f"Next: herald apply -C {made.folder}\r\n")
    assert on_terminal(made, "apply", "--yes").expect(0).out.endswith(
        f"Next: herald emulator inboxes -C {made.folder}\r\n")
    assert "Next:" not in on_terminal(made, "plan").expect(0).out


@pytest.mark.parametrize("arguments", [
    ["validate", "--format", "json"], ["plan", "--format", "json"], ["apply", "--yes", "--quiet"]])
def test_programs_and_pipes_get_no_suggestion(made, arguments):
    assert "Next:" not in on_terminal(made, *arguments).expect(0).out
    assert "Next:" not in str(made.herald("plan").expect(0))


def git(folder, *arguments):
    identity = ["-c", "user.name=a", "-c", "user.email=a@example.com"]
    done = subprocess.run(["git", *identity, *arguments], cwd=folder, capture_output=True, text=True, check=True)
    return done.stdout.strip()


def test_commit_script_prints_the_current_commit(tmp_path):
    def commit_of(folder):
        return subprocess.run([ROOT / "Scripts/commit.sh", folder], capture_output=True, text=True, check=True).stdout.strip()

    assert commit_of(tmp_path) == ""
    git(tmp_path, "init", "--quiet")
    (tmp_path / "a").write_text("a")
    assert commit_of(tmp_path) == ""
    git(tmp_path, "add", "a")
    git(tmp_path, "commit", "--quiet", "--message", "a")
    commit = git(tmp_path, "rev-parse", "HEAD")
    assert commit_of(tmp_path) == commit
    (tmp_path / "b").write_text("b")
    assert commit_of(tmp_path) == f"{commit}-dirty"
    (tmp_path / "sub").mkdir()
    assert commit_of(tmp_path / "sub") == "", "sources unpacked into another repository have no commit"


@pytest.mark.parametrize("define, text", [
    ([], ""), (["-DHERALD_BUILD_COMMIT=7ddaa4d012"], "7ddaa4d012"),
    (["-DHERALD_BUILD_COMMIT=0e1f00-dirty"], "0e1f00-dirty")])
def test_build_embeds_the_commit(tmp_path, define, text):
    (tmp_path / "main.c").write_text('#include <stdio.h>\n#include "CBuild.h"\nint main(void) { puts(herald_build_commit); }\n')
    folder = ROOT / "Sources/Base/CBuild"
    subprocess.run(
        [shutil.which("clang") or "cc", *define, f"-I{folder}/include", folder / "commit.c", tmp_path / "main.c", "-o", tmp_path / "main"],
        check=True)
    assert subprocess.run([tmp_path / "main"], capture_output=True, text=True, check=True).stdout == text + "\n"


def test_version_names_a_commit_of_this_repository_or_none():
    output = run("--version").expect(0).out
    found = re.fullmatch(
        r"herald \d+\.\d+\.\d+ \((commit unknown: built without make|commit ([0-9a-f]{40})(, with uncommitted changes)?)\)\n",
        output)
    assert found, output
    if found[2]:
        git(ROOT, "merge-base", "--is-ancestor", found[2], "HEAD")
