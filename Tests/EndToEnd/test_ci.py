"""The CI scripts plan pull requests and apply merges, with an installed binary and a second clone."""

import json
import os
import re
import subprocess

import pytest

from herald import DEADLINE, ROOT, Emulator, Project, binary, token
from runner import BOT, GitHub, GitHubRunner, GitLab, GitLabRunner, included

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


def test_installing_does_nothing_else(github, repository):
    done = github.run(pull_request(), repository.propose("High water"), command="install", environment="staging")
    done.expect(0)
    assert done.outputs["digest"] == "" and done.summary == ""
    assert github.forge.comments == [] and github.forge.asked == []


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
    assert done.annotations == [f"::error title=Herald (staging)::{message}"]
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
    assert [line for line in done.annotations if "::warning" in line] == [f"::warning title=Herald (staging)::{WARNING}"]
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


@pytest.fixture
def production(tmp_path):
    """The emulator that stands for the production project of FCM."""
    elsewhere = Project(tmp_path / "fcm-production/project")
    with Emulator(elsewhere) as emulator:
        emulator.install([token(2)])
        yield emulator


def two_environments(repository, staging, production):
    """Declares staging and production, each with its own list of the same audience."""
    project = repository.project
    project.list("testers", [token(1)])
    project.list("customers", [token(2)])
    project.write("herald.yaml", f"""\
version: 1
project: e2e
topics: {{ tides: {{}} }}
defaults: {{ delivery: {{ ttl: 4h }} }}
environments:
  staging:
    emulator: {{ url: '{staging.url}' }}
    lists: {{ anglers: campaigns/registrations/testers.txt }}
    defaults: {{ delivery: {{ ttl: 1h }} }}
  production:
    emulator: {{ url: '{production.url}' }}
    protected: true
    guard: {{ require_reviewed_plan: true }}
    lists: {{ anglers: campaigns/registrations/customers.txt }}
    only: {{ labels: {{ stage: ready }} }}
""")
    project.write("campaigns/anglers.yaml", "audience: anglers\nregistrations: campaigns/registrations/customers.txt\n")
    for name, more in [("alert", "labels: { stage: ready }"), ("idea", "about: A draft"),
                       ("probe", "labels: { stage: ready }\nenvironments: [staging]")]:
        project.write(
            f"campaigns/{name}.yaml",
            f"campaign: {name}\n{more}\naudience: anglers\nmessage: {{ notification: {{ title: {name} }} }}\n")


def lifetimes(log):
    return {entry["body"]["message"]["android"]["ttl"] for entry in log.sends()}


def test_nothing_meant_for_one_environment_reaches_the_other(github, repository, emulator, production):
    two_environments(repository, emulator, production)
    commit = repository.checkout(repository.commit("change"))
    shown = {name: github.run(pull_request(), commit, environment=name).expect(0) for name in ("staging", "production")}
    assert len(github.forge.comments) == 2
    for name, done in shown.items():
        first = done.summary.splitlines()[2]
        assert first.startswith(f"Destination: `{name}`, project ID `e2e`, `emulator at http://127.0.0.1:"), done.summary
    assert "**not protected**" in shown["staging"].summary and "**protected**" in shown["production"].summary
    assert all(name in shown["staging"].summary for name in ("alert", "idea", "probe"))
    summary = shown["production"].summary
    assert "2 campaigns do not belong to production: idea and probe." in summary
    assert summary.count("idea") == summary.count("probe") == 1, summary

    commit = repository.merge("change")
    merged(github, commit)
    event = {"ref": "refs/heads/main"}
    github.run(event, commit, command="apply", environment="production").expect(0, "1 accepted")
    assert repository.log.sends() == [], "production does not reach staging"
    github.run(event, commit, command="apply", environment="staging").expect(0, "3 accepted")
    assert repository.log.accepted() == {token(1): 3}
    assert production.project.log.accepted() == {token(2): 1}
    assert lifetimes(repository.log) == {"3600s"} and lifetimes(production.project.log) == {"14400s"}


def test_missing_list_of_an_environment_fails_its_review(github, repository, emulator, production):
    two_environments(repository, emulator, production)
    path = repository.author / "herald.yaml"
    path.write_text(path.read_text().replace("    lists: { anglers: campaigns/registrations/testers.txt }\n", "    lists: {}\n"))
    commit = repository.checkout(repository.commit("change"))
    done = github.run(pull_request(), commit, environment="staging").expect(65)
    [line] = [line for line in done.annotations if "environment-list" in line]
    assert "file=campaigns/anglers.yaml" in line and "staging" in line
    assert repository.log.requests() == [] and production.project.log.requests() == []


def test_selected_campaigns_have_their_own_comment_and_digest(github, repository):
    repository.project.campaign("neap-tide", "{ topic: tides }", title="Low water")
    commit = repository.propose("High water")
    whole = review(github, commit).expect(0)
    part = review(github, commit, only="neap-tide\n").expect(0)
    rest = review(github, commit, **{"except": "neap-tide\n\nno-such-*"}).expect(64, "no-such-*")
    assert rest.outputs["digest"] == "" and whole.outputs["digest"] != part.outputs["digest"]
    assert "Low water" in part.summary and "High water" not in part.summary
    assert len(github.forge.comments) == 3, "each selection has a separate comment"
    commit = repository.merge("change")
    merged(github, commit)
    applied = apply(github, commit, only="neap-tide\n").expect(0, "1 accepted")
    assert applied.outputs["digest"] == part.outputs["digest"]
    assert [entry["body"]["message"]["notification"]["title"] for entry in repository.log.sends()] == ["Low water"]


def test_a_selector_is_never_an_option(github, repository):
    done = review(github, repository.propose("High water"), only="--dangerous-endpoint").expect(64)
    assert "matches no campaign" in " ".join((done.out + done.err).split())


def test_warnings_fail_the_review_only_if_denied(github, repository):
    repository.project.write(
        "campaigns/neap-tide.yaml",
        "# herald: allow condition-negation, there is none\ncampaign: neap-tide\naudience: { topic: tides }\nmessage: {}\n")
    commit = repository.propose("High water")
    assert any("unused-allow" in line for line in review(github, commit).expect(0).annotations)
    review(github, commit, **{"deny-warnings": "true"}).expect(65)
    done = review(github, commit, **{"deny-warnings": "perhaps"}).expect(64)
    assert any("deny-warnings must be true or false" in line for line in done.annotations)


def propose_source(repository):
    """A campaign to the output of a program, which notes each of its runs outside of the clones."""
    marker = repository.author.parent / "ran"
    project = repository.project
    project.write("export", f"#!/bin/sh\necho run >> {marker}\necho '{token(1)}'\n")
    (project.folder / "export").chmod(0o755)
    text = (project.folder / "herald.yaml").read_text()
    project.write("herald.yaml", text + "sources: { vips: { command: [./export], format: text } }\n")
    project.campaign("call", "{ registrations: { source: vips } }", title="High water")
    return marker, repository.checkout(repository.commit("change"))


def test_a_source_runs_only_if_the_job_allows_it(github, repository):
    marker, commit = propose_source(repository)
    done = review(github, commit).expect(0)
    assert "was not read" in done.summary and not marker.exists()
    done = review(github, commit, **{"allow-sources": "true"}).expect(0)
    assert "was not read" not in done.summary and marker.read_text() == "run\n"
    digest = done.outputs["digest"]
    apply(github, commit, expect=digest).expect(6, "--allow-sources")
    assert repository.log.requests() == []
    apply(github, commit, expect=digest, **{"allow-sources": "true"}).expect(0, "1 accepted")


def test_a_source_of_a_fork_never_runs(root, github, repository, tmp_path):
    marker, commit = propose_source(repository)
    config = tmp_path / "config/herald/trust.yaml"
    config.parent.mkdir(parents=True)
    config.write_text(f"projects:\n  {repository.runner.resolve()}:\n    allow-sources: true\n")
    config.chmod(0o600)
    trusting = {"XDG_CONFIG_HOME": str(tmp_path / "config")}
    github.more = trusting
    for settings in ({}, {"allow-sources": "true"}):
        done = github.run(pull_request(fork=True), commit, environment="staging", **settings).expect(0)
        assert "was not read" in done.summary
    deleted = {"pull_request": {"number": 7, "head": {"repo": None, "ref": "x"}}}
    assert "was not read" in github.run(deleted, commit, environment="staging").expect(0).summary
    with GitLab() as forge:
        runner = GitLabRunner(root, repository.runner, forge)
        runner.run(
            "herald review", "staging", {"allow-sources": "true"}, CI_MERGE_REQUEST_IID="7", CI_COMMIT_SHA=commit,
            CI_MERGE_REQUEST_PROJECT_ID="12", CI_MERGE_REQUEST_SOURCE_PROJECT_ID="13", **trusting).expect(0)
        assert "was not read" in (repository.runner / "herald-plan.md").read_text()
        assert not marker.exists()
        runner.run(
            "herald review", "staging", {"allow-sources": "true"}, CI_MERGE_REQUEST_IID="7", CI_COMMIT_SHA=commit,
            CI_MERGE_REQUEST_PROJECT_ID="12", CI_MERGE_REQUEST_SOURCE_PROJECT_ID="12").expect(0)
        assert marker.read_text() == "run\n"


def test_refresh_reads_the_memberships_in_review_and_apply(github, repository, emulator):
    path = repository.project.list("anglers", [token(1)])
    repository.project.write("campaigns/anglers.yaml", f"audience: anglers\nregistrations: {path}\nsubscribe: [tides]\n")
    commit = repository.checkout(repository.commit("change"))
    digest = review(github, commit).expect(0).outputs["digest"]
    apply(github, commit, expect=digest).expect(0, "1 joined")
    emulator.unsubscribe(token(1))
    begin = len(repository.log.bytes())
    review(github, commit).expect(0)
    assert repository.log.asked(begin) == []
    done = review(github, commit, refresh="true").expect(0, "opted out")
    assert repository.log.asked(begin) == [token(1)]
    apply(github, commit, refresh="true", expect=done.outputs["digest"]).expect(0, "opted out")
    assert repository.log.asked(begin) == [token(1), token(1)]


def test_gitlab_takes_the_same_settings(root, repository):
    repository.project.campaign("neap-tide", "{ topic: tides }", title="Low water")
    commit = repository.propose("High water")
    with GitLab() as forge:
        runner = GitLabRunner(root, repository.runner, forge)
        settings = {"only": "neap-tide", "refresh": "true", "deny-warnings": "true"}
        runner.run("herald review", "staging", settings, CI_MERGE_REQUEST_IID="7", CI_COMMIT_SHA=commit).expect(0)
        text = (repository.runner / "herald-plan.md").read_text()
        assert "Low water" in text and "High water" not in text
        wrong = {"refresh": "1"}
        done = runner.run("herald review", "staging", wrong, CI_MERGE_REQUEST_IID="7", CI_COMMIT_SHA=commit).expect(64)
        assert "ERROR: the value of refresh must be true or false" in done.err.splitlines()


def test_each_review_of_a_job_has_its_own_plan_file(github, repository, tmp_path):
    """The steps of a job share the folder for temporary files."""
    github.more = {"RUNNER_TEMP": str(tmp_path)}
    repository.project.campaign("neap-tide", "{ topic: tides }")
    commit = repository.propose("High water")
    reviews = [review(github, commit).expect(0), review(github, commit, only="neap-tide").expect(0)]
    found = [json.load(open(done.outputs["plan-file"]))["digest"] for done in reviews]
    assert found == [done.outputs["digest"] for done in reviews] and found[0] != found[1]


def test_failed_gitlab_review_has_no_results_of_another_job(root, repository):
    """The runner keeps the directory, so the results of an earlier job are still there."""
    commit = repository.propose("High water")
    with GitLab() as forge:
        runner = GitLabRunner(root, repository.runner, forge)
        more = {"CI_MERGE_REQUEST_IID": "7", "CI_COMMIT_SHA": commit}
        assert runner.run("herald review", "staging", **more).expect(0).outputs["HERALD_DIGEST"]
        plan, summary = repository.runner / "herald-plan.json", repository.runner / "herald-plan.md"
        assert json.loads(plan.read_text())["destination"]["environment"] == "staging"
        failed = runner.run("herald review", "production", **more).expect(64)
        assert failed.outputs == {} and not plan.exists()
        assert "There is no plan for `production`" in summary.read_text() and "High water" not in summary.read_text()


def test_similar_environment_names_have_separate_comments(github, repository):
    commit = repository.propose("High water")
    for name in ("eu-1", "eu_1", "eu.1"):
        github.run(pull_request(), commit, environment=name).expect(64)
    assert len(github.forge.comments) == 3
    for name, comment in zip(("eu-1", "eu_1", "eu.1"), github.forge.comments):
        assert f"There is no plan for `{name}`: `herald plan` exited with 64." in comment["body"]


def test_annotations_name_the_environment(github, repository):
    """GitHub lists the annotations of all jobs together."""
    commit = repository.propose("High water")
    for name in ("staging", "production"):
        done = github.run(pull_request(), commit, environment=name, directory="nowhere").expect(65)
        assert done.annotations[-1].startswith(f"::error title=Herald ({name})::There is no plan for `{name}`: ")
    fork = github.run(pull_request(fork=True), commit, environment="staging").expect(0)
    assert "::notice title=Herald (staging)::A comment cannot be written from a fork" in fork.err


def test_gitlab_jobs_of_one_environment_do_not_replace_those_of_another():
    """A pipeline includes the template once per environment. A job replaces an earlier job of the same name."""
    jobs = included(environment="staging", only="tide") | included(environment="production")
    found = {
        name: (variables["HERALD_CI_ENVIRONMENT"], variables["HERALD_CI_ONLY"])
        for name, job in jobs.items() if not name.startswith(".") for variables in [jobs[job["extends"]]["variables"]]}
    assert found == {
        "herald review staging": ("staging", "tide"), "herald apply staging": ("staging", "tide"),
        "herald review production": ("production", ""), "herald apply production": ("production", "")}
