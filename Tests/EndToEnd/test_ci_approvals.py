"""The CI scripts collect signed approvals from the comments of the merged request, and the addresses of its authors."""

import json

import pytest

from herald import run
from runner import GitHub, GitHubRunner, GitLab, GitLabRunner
from test_approvals import key
from test_ci import Repository, apply, emulator, merged, repository, review, root  # noqa: F401

# The principals of the signers. Only `ben` has nothing to do with the changes.
PRINCIPALS = {
    "ana": "ana@example.com", "ben": "ben@example.com", "carl": "carl@example.com",
    "hub": "31+ana@users.noreply.github.com", "lab": "31-ana@users.noreply.gitlab.example.com"}
AUTHOR = {"id": 31, "username": "ana", "public_email": "ana@example.com"}


class Team:
    """A repository whose applied rules need one signer who is not an author of the changes."""

    def __init__(self, repository, folder):  # noqa: F811
        self.repository, self.folder = repository, folder
        self.keys = {name: key(folder, name) for name in PRINCIPALS}
        project = repository.project
        project.write("allowed", "".join(
            f"{principal} {self.keys[name].with_suffix('.pub').read_text()}" for name, principal in PRINCIPALS.items()))
        text = (project.folder / "herald.yaml").read_text()
        guard = "require_reviewed_plan: true, approvals: { need: 1, signers: allowed, not_author: true }"
        project.write("herald.yaml", text.replace("require_reviewed_plan: true", guard))
        repository.checkout(repository.commit("main"))
        plan = json.loads(self.herald("plan", "--format", "json").expect(0).out)
        self.herald("apply", "--expect", plan["digest"]).expect(0)

    def herald(self, *arguments):
        return run(*arguments, "-e", "staging", "-C", self.repository.runner)

    def approval(self, digest, name):
        """Returns a comment with the approval of a signer; no file of it is in the clone."""
        text = self.herald("approve", digest, "--key", self.keys[name], "--out", self.folder / f"{name}.approval").expect(0).out
        assert "BEGIN HERALD APPROVAL" in text
        return "I have read it.\r\n\r\n" + text.replace("\n", "\r\n")


@pytest.fixture
def team(repository, tmp_path):  # noqa: F811
    return Team(repository, tmp_path)


def refused_until_another_signs(team, forge, digest, start, authors):
    """Applies with the approvals of authors, which do not count, and then with that of another signer."""
    start().expect(6, "approvals of 1 signer and has 0")
    for name in authors:
        forge.comment("stranger", team.approval(digest, name))
        start().expect(6, f"the signer is an author of the changes: {PRINCIPALS[name]}")
    # The approval is on the second page of comments. Its account does not matter.
    for _ in range(120):
        forge.comment("stranger", "LGTM")
    forge.comment("stranger", team.approval(digest, "ben"))
    start().expect(0, "1 accepted")
    team.herald("history").expect(0, "approved by ben@example.com (SHA256:")


def test_gitlab_collects_approvals_and_the_author_of_the_request(team, root):  # noqa: F811
    repository = team.repository  # noqa: F811
    with GitLab() as forge:
        runner = GitLabRunner(root, repository.runner, forge)
        commit = repository.propose("High water")
        done = runner.run("herald review", "staging", CI_MERGE_REQUEST_IID="7", CI_COMMIT_SHA=commit).expect(0)
        commit = repository.merge("change")
        forge.merged[commit] = [{"iid": 7, "state": "merged"}]
        forge.commits, forge.author = [("a@example.com", "carl@example.com")], AUTHOR

        def start():
            return runner.run("herald apply", "staging", CI_COMMIT_SHA=commit)

        refused_until_another_signs(team, forge, done.outputs["HERALD_DIGEST"], start, ["ana", "lab", "carl"])
        assert ("GET", "/users/31") in forge.asked


def test_github_collects_approvals_and_the_author_of_the_request(team, root, tmp_path):  # noqa: F811
    repository = team.repository  # noqa: F811
    with GitHub() as forge:
        runner = GitHubRunner(root, repository.runner, forge, tmp_path)
        done = review(runner, repository.propose("High water")).expect(0)
        commit = repository.merge("change")
        merged(runner, commit)
        forge.commits, forge.author = [("a@example.com", "carl@example.com")], AUTHOR
        refused_until_another_signs(
            team, forge, done.outputs["digest"], lambda: apply(runner, commit), ["hub", "carl"])


def test_an_unknown_author_fails_the_apply(team, root):  # noqa: F811
    repository = team.repository  # noqa: F811
    with GitLab() as forge:
        runner = GitLabRunner(root, repository.runner, forge)
        commit = repository.propose("High water")
        done = runner.run("herald review", "staging", CI_MERGE_REQUEST_IID="7", CI_COMMIT_SHA=commit).expect(0)
        commit = repository.merge("change")
        forge.merged[commit] = [{"iid": 7, "state": "merged"}]
        forge.commits = [("a@example.com", "carl@example.com")]
        forge.comment("stranger", team.approval(done.outputs["HERALD_DIGEST"], "ben"))
        runner.run("herald apply", "staging", CI_COMMIT_SHA=commit).expect(1, "the approvals could not be fetched")
        assert repository.log.sends() == []
