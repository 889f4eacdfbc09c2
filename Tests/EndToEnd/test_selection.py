"""`--only` and `--except`: unselected campaigns are neither planned nor changed."""

import html
import os
import re
import subprocess

import pytest

from herald import DEADLINE, Emulator, Project, binary, token, variables
from test_terminal import Terminal

PEOPLE = [token(n) for n in range(4)]


@pytest.fixture
def coast(tmp_path):
    """A project with three campaigns. `tide` reaches a topic that the audience `anglers` manages."""
    project = Project(tmp_path / "project", topics=["tides", "azores"])
    path = project.list("anglers", PEOPLE)
    project.write(
        "campaigns/lists.yaml",
        f"audience: anglers\nlabels: {{ team: beta }}\nregistrations: {path}\nsubscribe: [tides]\n")
    project.write(
        "campaigns/tide.yaml",
        "campaign: tide\nlabels: { team: growth }\naudience: { topic: tides }\nmessage: {}\n")
    project.write(
        "campaigns/summer/storm.yaml",
        "campaign: storm\nlabels: { team: growth, season: summer }\naudience: { topic: azores }\nmessage: {}\n")
    project.campaign("later", "{ topic: azores }", schedule="2037-03-20 07:30")
    return project


def planned(project, *arguments):
    plan = project.plan(*arguments)
    names = {one["campaign"] for one in plan["campaigns"]} | {one["audience"] for one in plan["memberships"]}
    return names, plan["left_out"]


@pytest.mark.parametrize("arguments, names, left_out", [
    ((), {"tide", "storm", "later", "anglers"}, 0),
    (("--only", "storm"), {"storm"}, 2),
    (("--only", "tide"), {"tide", "anglers"}, 2),
    (("--only", "anglers"), {"anglers"}, 3),
    (("--only", "label:team"), {"tide", "storm", "anglers"}, 1),
    (("--only", "label:season=summer", "--only", "later"), {"storm", "later"}, 1),
    (("--only", "campaigns/summer/"), {"storm"}, 2),
    (("--only", "campaigns/**/*o*.yaml"), {"storm"}, 2),
    (("--only", "label:team=growth", "--except", "tide"), {"storm"}, 2),
    (("--except", "label:team=growth"), {"later", "anglers"}, 2),
    (("--except", "anglers"), {"storm", "later"}, 1),
])
def test_plans_only_the_selection(coast, arguments, names, left_out):
    assert planned(coast, *arguments) == (names, left_out)


@pytest.mark.parametrize("selector, meant", [
    ("strom", "storm"), ("label:taem", "label:team"), ("label:team=grwth", "label:team=growth"),
    ("campaigns/tied.yaml", "campaigns/tide.yaml")])
def test_selector_without_a_match_exits_with_64(coast, selector, meant):
    for command in (["plan"], ["apply", "--yes"]):
        for option in ("--only", "--except"):
            coast.herald(*command, option, selector).expect(64, f"`{selector}` matches", f"did you mean `{meant}`?")


def test_reports_the_number_of_unselected_campaigns_once(coast):
    for command in (["plan"], ["plan", "--format", "markdown"]):
        result = coast.herald(*command, "--only", "storm")
        assert (result.out + result.err).count("2 campaigns left out") == 1, command


def test_unselected_campaigns_stay_unchanged(coast):
    with Emulator(coast) as emulator:
        emulator.install(PEOPLE)
        coast.apply("--only", "storm").expect(0, "2 campaigns left out by --only or --except.")
        assert [one["path"] for one in coast.log.sends()] and len(coast.log.sends()) == 1
        assert coast.rows("SELECT campaign FROM definitions") == [("storm",)]
        assert coast.rows("SELECT count(*) FROM memberships") == [(0,)]
        coast.apply("--only", "tide").expect(0)
        assert all(emulator.topics(one) == {"tides"} for one in PEOPLE)
        assert coast.rows("SELECT campaign FROM definitions ORDER BY campaign") == [("storm",), ("tide",)]
        coast.apply().expect(0)
        assert len(coast.log.sends()) == 2


def test_can_select_a_removed_campaign(coast):
    coast.apply("--only", "later").expect(0)
    (coast.folder / "campaigns/later.yaml").unlink()
    assert planned(coast, "--only", "storm") == ({"storm"}, 2)
    assert planned(coast, "--only", "later") == ({"later"}, 2)
    coast.apply("--only", "later").expect(0)
    assert coast.rows("SELECT status FROM occurrences") == [(3,)]


def test_digest_covers_the_selection(coast):
    whole, part = coast.plan()["digest"], coast.plan("--only", "storm")["digest"]
    assert coast.plan("--except", "tide", "--except", "later", "--except", "anglers")["digest"] == part != whole
    with Emulator(coast):
        coast.herald("apply", "--expect", part).expect(5)
        coast.herald("apply", "--expect", part, "--only", "storm").expect(0)


SELECTED = ("--only", "label:team=growth", "--only", "campaigns/**/*'*.yaml", "--except", "tide")


def typed(project, command, *more):
    """Runs a suggested command in a shell in the project's directory, like a user would."""
    path = f"{os.path.dirname(binary())}:{os.environ['PATH']}"
    return subprocess.run(
        ["sh", "-c", " ".join([command, *more])], cwd=project.folder, env=variables() | {"PATH": path},
        stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=DEADLINE)


def advised(project, form):
    text = project.herald("plan", "--format", form, *SELECTED).expect(0).out
    if form == "markdown":
        return re.search("to apply just this: `([^`]+)`", text)[1]
    return html.unescape(re.search(r"To apply it</dt>\s*<dd>\s*<code[^>]*>([^<]+)</code>", text)[1])


@pytest.mark.parametrize("form", ["markdown", "html"])
def test_suggested_command_applies_exactly_the_selection(coast, form):
    coast.write("campaigns/o'clock.yaml", "campaign: clock\naudience: { topic: azores }\nmessage: {}\n")
    with Emulator(coast):
        command = advised(coast, form)
        done = typed(coast, command)
        assert done.returncode == 0, (command, done.stderr)
        assert coast.rows("SELECT campaign FROM definitions ORDER BY campaign") == [("clock",), ("storm",)]
        done = typed(coast, command)
        assert done.returncode == 0 and "Already applied" in done.stdout, done.stderr


def test_next_command_on_a_terminal_keeps_the_selection(coast):
    with Emulator(coast):
        with Terminal(coast, "plan", "--only", "label:season=summer", "--except", "later") as terminal:
            text = terminal.read_until().text
        command = re.search("Next: (.+?)\r?$", text.strip())[1]
        done = typed(coast, command, "--yes")
        assert done.returncode == 0, (command, done.stderr)
        assert coast.rows("SELECT campaign FROM definitions") == [("storm",)]


def test_suggested_command_plans_a_stale_selection_again(coast):
    digest = coast.plan("--only", "storm")["digest"]
    coast.write(
        "campaigns/summer/storm.yaml", "campaign: storm\naudience: { topic: tides }\nmessage: {}\n")
    text = coast.herald("apply", "--expect", digest, "--only", "storm").expect(5).err
    done = typed(coast, re.search("`(herald plan[^`]*)`", text)[1])
    assert done.returncode == 0 and "storm" in done.stdout and "later" not in done.stdout, done.stdout
