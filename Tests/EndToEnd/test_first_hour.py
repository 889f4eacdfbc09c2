"""The first hour: a project out of nothing, advice on what comes next, and which program this is."""

import json
import re
import shutil
import subprocess

import pytest

from herald import ROOT, Project, run, token
from test_terminal import on_terminal


@pytest.fixture
def made(tmp_path):
    """A project as `herald init` writes it."""
    run("init", "push", "--timezone", "Europe/Lisbon", cwd=tmp_path).expect(0)
    return Project.of(tmp_path / "push")


def files(folder):
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}


def test_init_writes_a_project_without_a_finding(made):
    made.herald("validate", "--deny-warnings").expect(0, "No problem found: 2 campaigns")
    assert "version: 1\nproject: push\ntimezone: Europe/Lisbon\n" in (made.folder / "herald.yaml").read_text()


def test_what_init_wrote_sends_something_on_the_emulator(made):
    made.herald("plan", "--detailed-exitcode").expect(2)
    made.apply().expect(0, "2 joined, 3 accepted")
    inboxes = made.herald("emulator", "inboxes").expect(0).out
    assert inboxes.count("Good morning") == 2
    assert inboxes.count("Version 2 is on your phone") == 2
    made.apply().expect(0, "Nothing to do")


def test_init_names_each_file_that_it_wrote_on_a_line_of_its_own(tmp_path):
    said = run("init", "push", cwd=tmp_path).expect(0).out
    written = files(tmp_path / "push")
    assert {line.split()[0] for line in said.split("\n\n")[0].splitlines()[1:]} == written
    assert all(len(line) <= 80 for line in said.splitlines())
    for command in ("cd push", "herald validate", "herald plan", "herald apply", "herald emulator inboxes"):
        assert f"\n  {command}" in said


def test_init_overwrites_nothing_and_names_all_that_is_in_the_way(tmp_path):
    (tmp_path / "campaigns").mkdir()
    (tmp_path / "campaigns/welcome.yaml").write_text("mine")
    (tmp_path / "herald.yaml").symlink_to("nowhere")
    run("init", cwd=tmp_path).expect(1, "nothing was written", "herald.yaml, campaigns/welcome.yaml\n")
    assert files(tmp_path) == {"campaigns/welcome.yaml"}
    assert (tmp_path / "campaigns/welcome.yaml").read_text() == "mine"


def test_a_gitignore_that_is_there_stays_and_init_says_what_it_lacks(tmp_path):
    (tmp_path / ".gitignore").write_text("/.herald/\n*.log\n")
    said = run("init", cwd=tmp_path).expect(0).out
    assert (tmp_path / ".gitignore").read_text() == "/.herald/\n*.log\n"
    missing = said.split("Add to the existing .gitignore:\n")[1].split("\n\n")[0]
    assert missing == "  /campaigns/registrations/*\n  !/campaigns/registrations/sample.txt"


def test_git_takes_what_init_wrote_and_neither_state_nor_lists(made):
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
def test_a_projects_name_is_its_folders(tmp_path, folder, name):
    run("init", folder, cwd=tmp_path).expect(0, f"project {name},")


@pytest.mark.parametrize("arguments, said", [
    (["--project", "two words"], "is not a valid project name"),
    (["--timezone", "Europe/Lisbn"], "did you mean `Europe/Lisbon`?"),
    (["日本"], "give one with --project")])
def test_init_refuses_what_it_could_only_guess(tmp_path, arguments, said):
    run("init", *arguments, cwd=tmp_path).expect(64, said)
    assert files(tmp_path) == set()


@pytest.mark.parametrize("zone", ["America/New_York", ":America/New_York"])
def test_the_systems_zone_is_taken_from_tz(tmp_path, zone):
    run("init", cwd=tmp_path, env={"TZ": zone}).expect(0, "time zone America/New_York")


@pytest.mark.parametrize("words, said", [
    (["valdate"], "did you mean `validate`?"),
    (["help", "plna"], "did you mean `plan`?"),
    (["emulator", "inbox"], "did you mean `inboxes`?"),
    (["\x1b[31mred"], "there is no command `")])
def test_a_misspelled_command_gets_a_suggestion(words, said):
    shown = run(*words).expect(64, said)
    assert "\x1b" not in shown.err and shown.out == ""


def commands(entry, before=()):
    """Each command as it is typed, with all that it says of itself."""
    if entry["commandName"] == "help":
        return
    words = (*before, entry["commandName"])
    yield words[1:], entry
    for each in entry.get("subcommands", []):
        yield from commands(each, words)


def test_the_help_of_every_command_begins_with_examples():
    told = json.loads(run("--experimental-dump-help").expect(0).out)
    found = list(commands(told["command"]))
    assert len(found) > 20
    for words, entry in found:
        shown = entry["discussion"].split("\n\n")[0].splitlines()
        assert shown[0] == "EXAMPLES", words
        assert all(line.startswith("  herald ") or line.startswith("   ") or "herald" in line for line in shown[1:]), words


def test_on_a_terminal_each_step_names_the_next(made):
    assert on_terminal(made, "validate").expect(0).out.endswith(f"Next: herald plan -C {made.folder}\r\n")
    assert on_terminal(made, "plan").expect(0).out.endswith(f"Next: herald apply -C {made.folder}\r\n")
    assert on_terminal(made, "apply", "--yes").expect(0).out.endswith(
        f"Next: herald emulator inboxes -C {made.folder}\r\n")
    assert "Next:" not in on_terminal(made, "plan").expect(0).out


@pytest.mark.parametrize("arguments", [
    ["validate", "--format", "json"], ["plan", "--format", "json"], ["apply", "--yes", "--quiet"]])
def test_nothing_is_advised_where_it_was_not_asked_for(made, arguments):
    assert "Next:" not in on_terminal(made, *arguments).expect(0).out
    assert "Next:" not in str(made.herald("plan").expect(0))


def git(folder, *arguments):
    identity = ["-c", "user.name=a", "-c", "user.email=a@example.com"]
    done = subprocess.run(["git", *identity, *arguments], cwd=folder, capture_output=True, text=True, check=True)
    return done.stdout.strip()


def test_the_commit_that_a_build_says_is_the_one_that_it_is_of(tmp_path):
    def said(folder):
        return subprocess.run([ROOT / "Scripts/commit.sh", folder], capture_output=True, text=True, check=True).stdout.strip()

    assert said(tmp_path) == ""
    git(tmp_path, "init", "--quiet")
    (tmp_path / "a").write_text("a")
    assert said(tmp_path) == ""
    git(tmp_path, "add", "a")
    git(tmp_path, "commit", "--quiet", "--message", "a")
    commit = git(tmp_path, "rev-parse", "HEAD")
    assert said(tmp_path) == commit
    (tmp_path / "b").write_text("b")
    assert said(tmp_path) == f"{commit}-dirty"
    (tmp_path / "sub").mkdir()
    assert said(tmp_path / "sub") == "", "sources unpacked into another repository have no commit of their own"


@pytest.mark.parametrize("define, text", [
    ([], ""), (["-DHERALD_BUILD_COMMIT=7ddaa4d012"], "7ddaa4d012"),
    (["-DHERALD_BUILD_COMMIT=0e1f00-dirty"], "0e1f00-dirty")])
def test_the_commit_reaches_the_program(tmp_path, define, text):
    (tmp_path / "main.c").write_text('#include <stdio.h>\n#include "CBuild.h"\nint main(void) { puts(herald_build_commit); }\n')
    folder = ROOT / "Sources/CBuild"
    subprocess.run(
        [shutil.which("clang") or "cc", *define, f"-I{folder}/include", folder / "commit.c", tmp_path / "main.c", "-o", tmp_path / "main"],
        check=True)
    assert subprocess.run([tmp_path / "main"], capture_output=True, text=True, check=True).stdout == text + "\n"


def test_the_version_names_a_commit_of_this_repository_or_none():
    said = run("--version").expect(0).out
    found = re.fullmatch(
        r"herald \d+\.\d+\.\d+ \((commit unknown: built without make|commit ([0-9a-f]{40})(, with uncommitted changes)?)\)\n",
        said)
    assert found, said
    if found[2]:
        git(ROOT, "merge-base", "--is-ancestor", found[2], "HEAD")
