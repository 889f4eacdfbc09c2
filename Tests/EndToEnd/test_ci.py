"""The CI scripts plan pull requests and apply merges, with an installed binary and a second clone."""

import json
import os
import re
import subprocess

import pytest

from herald import DEADLINE, ROOT, Emulator, Project, binary, token
from runner import BOT, GitHub, GitHubRunner, GitLab, GitLabRunner

FORM = re.compile("[0-9a-f]{40}@[0-9]+")


def git(folder, *arguments):
    identity = ["-c", "user.name=a", "-c", "user.email=a@example.com", "-c", "init.defaultBranch=main"]
    done = subprocess.run(
        ["git", *identity, *arguments], cwd=folder, capture_output=True, text=True, timeout=DEADLINE)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.fixture(scope="module")
def root(tmp_path_factory):
    folder = tmp_path_factory.mktemp("installed")
    subprocess.run(
        [ROOT / "Scripts/install.sh", "install", binary(), "/usr"], check=True, capture_output=True,
        env={"PATH": os.environ["PATH"], "DESTDIR": str(folder)})
    return folder / "usr"


@pytest.fixture
def emulator(tmp_path):
    """An emulator that both clones share; its project is outside of both."""
    elsewhere = Project(tmp_path / "fcm/project")
    with Emulator(elsewhere) as emulator:
        emulator.install([token(1)])
        yield emulator


class Repository:
    """A team's repository: the origin, an author's clone, and the runner's clone."""

    def __init__(self, folder, emulator):
        self.log = emulator.project.log
        self.author, self.runner = folder / "author", folder / "runner"
        git(folder, "init", "--quiet", "--bare", "origin")
        git(folder, "clone", "--quiet", "origin", "author")
        project = self.project = Project(
            self.author, topics=["tides"],
            header=f"environments: {{ staging: {{ emulator: {{ url: '{emulator.url}' }}, protected: true, "
            "guard: { require_reviewed_plan: true } } }\n")
        project.write(".gitignore", "/.herald/\n")
        self.commit("main")
        git(folder, "clone", "--quiet", "origin", "runner")

    def commit(self, branch):
        git(self.author, "checkout", "--quiet", "-B", branch)
        git(self.author, "add", "--all")
        git(self.author, "commit", "--quiet", "--message", "more")
        git(self.author, "push", "--quiet", "--force", "origin", branch)
        return git(self.author, "rev-parse", "HEAD")

    def checkout(self, commit):
        """Checks out like actions/checkout with `clean: false`: the state stays."""
        git(self.runner, "fetch", "--quiet", "origin")
        git(self.runner, "checkout", "--quiet", "--force", "--detach", commit)
        return commit

    def merge(self, branch):
        git(self.author, "checkout", "--quiet", "main")
        git(self.author, "merge", "--quiet", "--no-ff", "--message", "merge", branch)
        git(self.author, "push", "--quiet", "origin", "main")
        return self.checkout(git(self.author, "rev-parse", "HEAD"))

    def propose(self, title, name="spring-tide"):
        self.project.campaign(name, "{ topic: tides }", title=title)
        return self.checkout(self.commit("change"))


@pytest.fixture
def repository(tmp_path, emulator):
    return Repository(tmp_path, emulator)


@pytest.fixture
def github(root, repository, tmp_path):
    with GitHub() as forge:
        yield GitHubRunner(root, repository.runner, forge, tmp_path)


def pull_request(fork=False):
    name = "stranger/push" if fork else "club/push"
    return {"pull_request": {"number": 7, "head": {"repo": {"full_name": name}, "ref": "$(touch pwned)"}}}


def review(github, commit, **more):
    return github.run(pull_request(), commit, environment="staging", **more)


def merged(github, commit):
    github.forge.merged[commit] = [
        {"number": 5, "merged_at": None, "merge_commit_sha": commit},
        {"number": 7, "merged_at": "2037-03-20T07:30:00Z", "merge_commit_sha": commit}]


def apply(github, commit, **more):
    return github.run({"ref": "refs/heads/main"}, commit, command="apply", environment="staging", **more)


@pytest.mark.covers("M12", "M13")
def test_plans_a_pull_request_and_applies_its_merge(github, repository):
    done = review(github, repository.propose("High water")).expect(0)
    assert FORM.fullmatch(done.outputs["digest"]) and done.outputs["has-changes"] == "true"
    assert json.load(open(done.outputs["plan-file"]))["digest"] == done.outputs["digest"]
    assert "spring-tide" in done.summary and "High water" in done.summary
    assert done.annotations == [] and done.outputs["refused"] == "0"
    [comment] = github.forge.comments
    assert done.summary in comment["body"]
    assert repository.log.requests() == []

    again = review(github, repository.propose("Higher water")).expect(0)
    assert again.outputs["digest"] != done.outputs["digest"]
    assert [each["id"] for each in github.forge.comments] == [comment["id"]]
    assert "Higher water" in comment["body"] and github.forge.writes() == ["POST", "PATCH"]

    commit = repository.merge("change")
    merged(github, commit)
    applied = apply(github, commit).expect(0, "1 accepted")
    assert applied.outputs["digest"] == again.outputs["digest"]
    assert repository.log.accepted() == {"tides": 1}
    apply(github, commit).expect(0, "Already applied")
    assert repository.log.accepted() == {"tides": 1}
    assert github.forge.writes() == ["POST", "PATCH"]


def test_refuses_changes_since_the_review(github, repository):
    review(github, repository.propose("High water")).expect(0)
    repository.project.campaign("neap-tide", "{ topic: tides }")
    repository.commit("main")
    commit = repository.merge("change")
    merged(github, commit)
    done = apply(github, commit).expect(5, "neap-tide")
    assert len(done.annotations) == 1 and "plan and review again" in done.annotations[0]
    assert repository.log.sends() == []


def test_refused_joins_appear_in_the_annotation_with_the_next_step(github, repository):
    path = repository.project.list("crew", [token(8), token(9)])
    repository.project.write("campaigns/crew.yaml", f"audience: crew\nregistrations: {path}\nsubscribe: [tides]\n")
    review(github, repository.propose("High water")).expect(0)
    commit = repository.merge("change")
    merged(github, commit)
    done = apply(github, commit).expect(3, "1 accepted", "2 refused")
    message = ("The reviewed plan was not applied completely (exit code 3): not everything was done; "
               "refused joins: 2 (`herald registrations retry` tries them again). See also herald status and herald history.")
    assert done.annotations == [f"::error title=Herald::{message}"]
    assert message in done.summary
    [comment] = github.forge.comments
    review(github, repository.propose("Higher water")).expect(0)
    assert "FCM refused 2 registrations for topic tides; retry with `herald registrations retry crew -e staging`" in comment["body"]


def test_output_reports_a_plan_without_changes(github, repository):
    done = review(github, repository.checkout(git(repository.author, "rev-parse", "main"))).expect(0)
    assert done.outputs["has-changes"] == "false" and FORM.fullmatch(done.outputs["digest"])


def test_invalid_files_produce_annotations_and_no_plan(github, repository):
    review(github, repository.propose("High water")).expect(0)
    repository.project.campaign("spring-tide", "{ topic: tydes }")
    done = review(github, repository.checkout(repository.commit("change"))).expect(65)
    assert any("file=campaigns/spring-tide.yaml" in line and "tydes" in line for line in done.annotations)
    assert done.outputs == {"digest": "", "has-changes": "", "plan-file": "", "refused": ""}
    [comment] = github.forge.comments
    assert "found problems" in comment["body"] and "High water" not in comment["body"] and not FORM.search(comment["body"])
    commit = repository.merge("change")
    merged(github, commit)
    apply(github, commit).expect(1, "no reviewed plan")


def limited(repository):
    """Sets a guard that refuses topics without a declared reach."""
    path = repository.author / "herald.yaml"
    text = path.read_text()
    assert "guard: { " in text
    path.write_text(text.replace("guard: { ", "guard: { max_recipients: 1, "))


WARNING = "guards refuse this plan (2): see the plan; an apply would do nothing"


def test_guard_refusal_is_a_warning_and_an_output(github, repository):
    limited(repository)
    repository.project.campaign("neap-tide", "{ topic: tides }", title="::error::forged")
    commit = repository.propose("High water")
    done = review(github, commit).expect(0)
    assert done.outputs["refused"] == "2" and FORM.fullmatch(done.outputs["digest"])
    assert [line for line in done.annotations if "::warning" in line] == [f"::warning title=Herald::{WARNING}"]
    assert "max-recipients" in done.summary
    apply(github, commit, expect=done.outputs["digest"]).expect(6)
    assert repository.log.requests() == []


def test_gitlab_reports_a_guard_refusal(root, repository):
    limited(repository)
    repository.project.campaign("neap-tide", "{ topic: tides }")
    commit = repository.propose("High water")
    with GitLab() as forge:
        runner = GitLabRunner(root, repository.runner, forge)
        done = runner.run("herald review", "staging", CI_MERGE_REQUEST_IID="7", CI_COMMIT_SHA=commit).expect(0)
        assert done.outputs["HERALD_REFUSED"] == "2" and f"WARNING: {WARNING}" in done.err.splitlines()


def test_failed_plan_removes_the_plan_from_the_comment(github, repository):
    review(github, repository.propose("High water")).expect(0)
    done = github.run(pull_request(), "0" * 40, environment="staging", directory="nowhere").expect(65)
    assert done.outputs["digest"] == ""
    assert len(github.forge.comments) == 2, "each directory and environment has a separate comment"


def test_ignores_another_authors_comment_with_the_marker(github, repository):
    review(github, repository.propose("High water")).expect(0)
    [ours] = github.forge.comments
    forged = github.forge.comment("mallory", ours["body"])
    forged["body"] = re.sub(FORM, "0" * 40 + "@1", ours["body"])
    github.forge.comments.reverse()
    review(github, repository.propose("Higher water")).expect(0)
    assert "Higher water" in ours["body"] and "Higher water" not in forged["body"]
    commit = repository.merge("change")
    merged(github, commit)
    apply(github, commit).expect(0, "1 accepted")


def test_finds_its_comment_after_250_others(github, repository):
    for number in range(250):
        github.forge.comment(BOT, f"talk {number}")
    review(github, repository.propose("High water")).expect(0)
    review(github, repository.propose("Higher water")).expect(0)
    assert len(github.forge.comments) == 251 and github.forge.writes() == ["POST", "PATCH"]


@pytest.mark.parametrize("failing", ["GET", "POST"])
def test_api_failure_fails_the_run_without_a_second_write(github, repository, failing):
    github.forge.failing = failing
    done = review(github, repository.propose("High water"), ).expect(1)
    assert any("comment could not be written" in line for line in done.annotations)
    assert github.forge.writes() == ([] if failing == "GET" else ["POST"])
    assert "High water" in done.summary


def test_fork_gets_a_summary_but_no_comment(github, repository):
    done = github.run(pull_request(fork=True), repository.propose("High water"), environment="staging").expect(0)
    assert "High water" in done.summary and github.forge.asked == []
    assert "from a fork" in done.err


def test_expect_takes_a_digest_if_comments_are_disabled(github, repository):
    done = review(github, repository.propose("High water"), comment="false").expect(0)
    commit = repository.merge("change")
    apply(github, commit, expect="latest").expect(64)
    apply(github, commit, expect=done.outputs["digest"]).expect(0, "1 accepted")
    assert github.forge.asked == []


def test_never_runs_text_from_a_pull_request(github, repository):
    evil = "$(touch pwned) `touch pwned`\n::error::forged\n  ::set-env name=A::b\n##[error]forged\n<!-- digest " + "0" * 40 + "@1 -->"
    done = review(github, repository.propose(evil)).expect(0)
    assert done.annotations == []
    commit = repository.merge("change")
    merged(github, commit)
    assert apply(github, commit).expect(0, "1 accepted").annotations == []
    hostile = review(github, commit, directory="$(touch pwned)").expect(65)
    assert not [line for line in hostile.annotations if "forged" in line]
    review(github, commit, command="$(touch pwned)").expect(64)
    assert not list(repository.runner.rglob("pwned"))


@pytest.mark.covers("M12", "M13")
def test_gitlab_runs_the_same_script(root, repository):
    with GitLab() as forge:
        runner = GitLabRunner(root, repository.runner, forge)
        commit = repository.propose("High water")
        done = runner.run("herald review", "staging", CI_MERGE_REQUEST_IID="7", CI_COMMIT_SHA=commit).expect(0)
        repository.propose("Higher water")
        again = runner.run("herald review", "staging", CI_MERGE_REQUEST_IID="7", CI_COMMIT_SHA=commit).expect(0)
        assert forge.writes() == ["POST", "PUT"] and len(forge.comments) == 1
        assert FORM.fullmatch(again.outputs["HERALD_DIGEST"]) and again.outputs["HERALD_HAS_CHANGES"] == "true"
        assert "Higher water" in (repository.runner / "herald-plan.md").read_text()
        commit = repository.merge("change")
        forge.merged[commit] = [{"iid": 5, "state": "closed"}, {"iid": 7, "state": "merged"}]
        runner.run("herald apply", "staging", CI_COMMIT_SHA=commit).expect(0, "1 accepted")
        assert repository.log.accepted() == {"tides": 1}
