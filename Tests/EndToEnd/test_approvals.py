"""Signed approvals: `herald approve`, `apply --expect` and the signers in the history."""

import json
import subprocess

import pytest

from herald import Emulator, Project

NOW = "2027-03-01T12:00:00Z"
LATER = "2027-03-02T12:00:01Z"


def key(folder, name, kind="ed25519"):
    """Makes a key with ssh-keygen; returns its path."""
    path = folder / name
    subprocess.run(["ssh-keygen", "-q", "-t", kind, "-N", "", "-C", "", "-f", path], check=True, timeout=60)
    return path


def rules(project, settings, signers=None):
    if signers is not None:
        project.write("allowed", "".join(f"{line}\n" for line in signers))
    guard = f"guard: {{ approvals: {{ {settings}, signers: allowed }} }}" if settings else ""
    project.write(
        "herald.yaml", "version: 1\nproject: e2e\ntopics: { tides: { reach: 100 }, azores: { reach: 10 } }\n"
        f"environments: {{ local: {{ emulator: {{}}, {guard} }} }}\n")


@pytest.fixture
def team(tmp_path):
    """A project of two signers, whose rules are applied, and the keys by name."""
    keys = {name: key(tmp_path, name, kind) for name, kind in (("ana", "ed25519"), ("ben", "ecdsa"), ("eve", "rsa"))}
    project = Project(tmp_path / "project")
    project.keys = keys
    project.lines = [f"{name}@example.com {keys[name].with_suffix('.pub').read_text().strip()}"
                     for name in ("ana", "ben")]
    rules(project, "need: 2", project.lines)
    with Emulator(project) as emulator:
        project.emulator = emulator
        project.apply(now=NOW).expect(0)
        yield project


def planned(project, *arguments):
    """Writes the plan; returns its file."""
    path = project.folder.parent / "plan.json"
    path.unlink(missing_ok=True)
    project.herald("plan", "--out", path, *arguments, now=NOW).expect(0)
    return path


def approve(project, plan, name, *arguments, now=NOW):
    return project.herald("approve", plan, "--key", project.keys[name], *arguments, now=now)


def refused(project, plan, *fragments, now=NOW):
    before = project.rows("SELECT serial FROM meta"), len(project.log.sends())
    project.herald("apply", "--expect", plan, now=now).expect(6, "nothing was sent or recorded", *fragments)
    assert (project.rows("SELECT serial FROM meta"), len(project.log.sends())) == before


def test_apply_needs_two_different_signers(team):
    team.campaign("tide", "{ topic: tides }")
    plan = planned(team)
    assert "2 signers must approve this plan" in team.herald("plan", now=NOW).expect(0).out
    team.apply(now=NOW).expect(6, "count only with --expect")
    refused(team, plan, "approvals of 2 signers and has 0")
    approve(team, plan, "ana").expect(0, "BEGIN HERALD APPROVAL", "principal ana@example.com")
    approve(team, plan, "ana", "--out", f"{plan}.again.approval").expect(0)
    refused(team, plan, "has 1", "approved ana@example.com")
    approve(team, plan, "ben").expect(0)
    team.herald("approve", plan, "--check", now=NOW).expect(0, "Approved: 2 of 2 signers")
    team.herald("apply", "--expect", plan, now=NOW).expect(0)
    assert len(team.log.sends()) == 1
    run = json.loads(team.herald("history", "--format", "json").expect(0).out)["runs"][0]
    assert [signer["principal"] for signer in run["approvals"]] == ["ana@example.com", "ben@example.com"]
    team.herald("history").expect(0, "approved by ana@example.com (SHA256:")


def test_approvals_from_comments(team, tmp_path):
    team.campaign("tide", "{ topic: tides }")
    plan = planned(team)
    digest = json.loads(plan.read_text())["digest"]
    texts = [approve(team, digest, name).expect(0).out for name in ("ana", "ben")]
    for path in (team.folder / ".herald/approvals").rglob("*.approval"):
        path.unlink()
    comments = tmp_path / "comments.txt"
    comments.write_text("LGTM\r\n\r\n" + "\r\n".join(texts).replace("\n", "\r\n") + "and more text\r\n", newline="")
    team.herald("apply", "--expect", digest, "--approvals", comments, now=NOW).expect(0)


def test_refuses_unlisted_expired_and_other_approvals_by_name(team):
    team.campaign("tide", "{ topic: tides }")
    plan = planned(team)
    approve(team, plan, "eve").expect(64, "no single principal")
    approve(team, plan, "eve", "--as", "ana@example.com", "--out", f"{plan}.eve.approval").expect(0)
    approve(team, plan, "ben", "--valid-for", "48h").expect(0)
    refused(team, plan, "the key is not listed for this principal", "later than the rules allow")
    approve(team, plan, "ben").expect(0)
    refused(team, plan, "expired at 2027-03-02T12:00:00Z", now=LATER)
    team.campaign("storm", "{ topic: tides }")
    refused(team, planned(team), "approves another plan")


def test_a_change_of_the_signers_needs_the_former_ones(team):
    eve = f"eve@example.com {team.keys['eve'].with_suffix('.pub').read_text().strip()}"
    rules(team, "need: 1", [eve])
    plan = planned(team)
    approve(team, plan, "eve").expect(0)
    refused(team, plan, "has 0")
    for name in ("ana", "ben"):
        approve(team, plan, name, "--as", f"{name}@example.com").expect(0)
    team.herald("apply", "--expect", plan, now=NOW).expect(0)
    team.campaign("tide", "{ topic: tides }")
    plan = planned(team)
    approve(team, plan, "eve").expect(0)
    team.herald("apply", "--expect", plan, now=NOW).expect(0)


def test_removing_the_rules_needs_approvals_too(team):
    rules(team, "")
    plan = planned(team)
    refused(team, plan, "has 0")


def test_a_revoked_key_does_not_count_at_once(team):
    team.campaign("tide", "{ topic: tides }")
    rules(team, "need: 2, revoked: revoked")
    team.write("revoked", team.keys["ben"].with_suffix(".pub").read_text())
    plan = planned(team)
    for name in ("ana", "ben"):
        approve(team, plan, name).expect(0)
    refused(team, plan, "the key is revoked", "has 1")


def test_over_counts_the_reach_of_all_new_sends(team):
    rules(team, "need: 1, over: 100")
    plan = planned(team)
    for name in ("ana", "ben"):
        approve(team, plan, name).expect(0)
    team.herald("apply", "--expect", plan, now=NOW).expect(0)
    team.campaign("tide", "{ topic: tides }")
    team.apply(now=NOW).expect(0)
    team.campaign("tide-2", "{ topic: tides }")
    team.campaign("azores", "{ topic: azores }")
    refused(team, planned(team), "approvals of 1 signer and has 0")


def test_an_author_cannot_approve(team):
    git = ["git", "-C", team.folder, "-c", "user.name=Ana", "-c", "user.email=Ana@Example.com"]
    rules(team, "need: 1, not_author: true")
    for command in (["init", "--quiet"], ["add", "herald.yaml", "allowed"], ["commit", "--quiet", "-m", "Rules"]):
        subprocess.run([*git, *command], check=True, timeout=60)
    plan = planned(team)
    for name in ("ana", "ben"):
        approve(team, plan, name).expect(0)
    team.herald("apply", "--expect", plan, now=NOW).expect(0)
    team.campaign("tide", "{ topic: tides }")
    for command in (["add", "campaigns"], ["commit", "--quiet", "-m", "Tide"]):
        subprocess.run([*git, *command], check=True, timeout=60)
    plan = planned(team)
    approve(team, plan, "ana").expect(0)
    refused(team, plan, "the signer is an author of the changes: ana@example.com")
    approve(team, plan, "ben").expect(0)
    before = len(team.log.sends())
    team.herald("apply", "--expect", plan, "--author", "ben@example.com", now=NOW).expect(6, "author")
    team.herald("apply", "--expect", plan, now=NOW).expect(0)
    assert len(team.log.sends()) == before + 1


@pytest.mark.parametrize(("line", "reason"), [
    ("ana cert-authority ssh-ed25519 AAAA", "cert-authority"),
    ("ana valid-before=\"20300101\" ssh-ed25519 AAAA", "without a time zone"),
    ("ana ssh-ed25519 AAAA", "cannot be read"),
    ("ana ssh-dss AAAA", "unsupported type: ssh-dss"),
    ("ana", "does not have principals and a key"),
])
def test_refuses_an_invalid_file_of_signers(team, line, reason):
    rules(team, "need: 1", ["# approvers", line])
    team.herald("plan", now=NOW).expect(65, "allowed, line 2", reason)
