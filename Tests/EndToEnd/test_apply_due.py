"""`apply --due`: what earlier applies recorded is sent when it is due, without the files."""

import shutil

import pytest

from herald import Project, token

DUE = "2037-03-20T08:30:00Z"  # 07:30 in the Azores, an hour behind UTC in winter
BEFORE = "2037-03-01T12:00:00Z"
TOKENS = [token(n) for n in range(6)]


@pytest.fixture
def bench(tmp_path):
    project = Project(tmp_path / "project", "timezone: Atlantic/Azores\n", ["tides"])
    project.devices(TOKENS)
    project.campaign("tide", "{ topic: tides }", schedule="2037-03-20 07:30")
    return project


def due(project, now=DUE, *arguments):
    return project.herald("apply", "--due", *arguments, now=now)


def titles(project):
    return [entry["body"]["message"]["notification"]["title"] for entry in project.log.sends()]


def test_sends_once_when_it_is_due(bench):
    bench.apply(now=BEFORE).expect(0)
    due(bench, "2037-03-20T08:29:59Z").expect(0, "Nothing is due.", f"due at {DUE}", "in 1 s")
    assert bench.log.sends() == []
    due(bench).expect(0, "1 accepted")
    due(bench).expect(0, "Nothing is due.", "Nothing is scheduled.")
    assert bench.log.accepted() == {"tides": 1}


def test_works_without_the_files(bench):
    bench.apply(now=BEFORE).expect(0)
    (bench.folder / "herald.yaml").unlink()
    shutil.rmtree(bench.folder / "campaigns")
    due(bench).expect(0, "1 accepted")
    assert bench.log.accepted() == {"tides": 1}


def test_reads_the_state_that_an_option_names(bench, tmp_path):
    bench.apply(now=BEFORE).expect(0)
    due(bench, DUE, "--state", bench.folder / ".herald/local.sqlite", "-e", "elsewhere").expect(0, "1 accepted")
    due(bench, DUE, "--state", tmp_path / "none.sqlite").expect(1, "there is no state at", "--state")


def test_ignores_edits_that_were_not_applied(bench):
    bench.apply(now=BEFORE).expect(0)
    bench.campaign("tide", "{ topic: tides }", schedule="2037-03-20 07:30", title="edited")
    bench.campaign("new", "{ topic: tides }")
    due(bench).expect(0, "1 accepted")
    assert "edited" not in titles(bench)
    assert len(bench.log.sends()) == 1


def test_sends_to_the_list_that_was_applied(bench):
    path = bench.list("all", TOKENS[:3])
    bench.campaign("call", f"{{ registrations: {path} }}", schedule="2037-03-20 07:30")
    bench.apply(now=BEFORE).expect(0)
    bench.list("all", TOKENS[3:])
    due(bench).expect(0)
    assert bench.log.accepted() == dict.fromkeys(TOKENS[:3], 1) | {"tides": 1}
    assert bench.rows("SELECT count(*) FROM lists") == [(0,)]


def test_erased_registrations_get_nothing(bench):
    path = bench.list("all", TOKENS[:3])
    bench.campaign("call", f"{{ registrations: {path} }}", schedule="2037-03-20 07:30")
    bench.apply(now=BEFORE).expect(0)
    bench.herald("state", "forget", "-", input=TOKENS[1], now=BEFORE).expect(0)
    due(bench).expect(0)
    assert bench.log.accepted() == {TOKENS[0]: 1, TOKENS[2]: 1, "tides": 1}


def test_changes_no_membership(bench):
    path = bench.list("all", TOKENS[:2])
    bench.write("campaigns/all.yaml", f"audience: all\nregistrations: {path}\nsubscribe: [tides]\n")
    bench.apply(now=BEFORE).expect(0)
    begin = len(bench.log.bytes())
    bench.list("all", TOKENS)
    due(bench).expect(0, "1 accepted")
    assert [entry["path"].rsplit("/", 1)[1] for entry in bench.log.changes(begin)] == ["messages:send"]


def test_a_rule_continues_without_the_files(bench):
    bench.write("campaigns/tide.yaml", "campaign: daily\naudience: { topic: tides }\n"
                "message: { notification: { title: Tides } }\nschedule: { cron: '30 7 * * *' }\n")
    bench.apply(now=BEFORE).expect(0)
    for day in range(2, 5):
        due(bench, f"2037-03-{day:02}T08:30:00Z").expect(0, "1 accepted")
    due(bench, "2037-03-04T08:31:00Z").expect(0, "Nothing is due.", "due at 2037-03-05T08:30:00Z")
    assert bench.log.accepted() == {"tides": 3}


def test_a_late_send_expires(bench):
    bench.apply(now=BEFORE).expect(0)
    due(bench, "2037-03-20T08:41:00Z").expect(3, "expired", "tide/once/1")
    due(bench, "2037-03-20T08:41:00Z").expect(0, "Nothing is due.")
    assert bench.log.sends() == []


def test_an_apply_that_removes_the_campaign_cancels_it(bench):
    bench.apply(now=BEFORE).expect(0)
    (bench.folder / "campaigns/tide.yaml").unlink()
    bench.apply(now=BEFORE).expect(0)
    due(bench).expect(0, "Nothing is due.")
    assert bench.log.sends() == []


def test_sends_by_priority_and_then_by_name(bench):
    """With one open request, sends do not overlap."""
    for name, priority in [("alpha", 0), ("zulu", 7), ("beta", 0)]:
        bench.campaign(name, "{ topic: tides }", schedule="2037-03-20 07:30", title=name)
        path = bench.folder / f"campaigns/{name}.yaml"
        path.write_text(path.read_text() + f"priority: {priority}\n")
    bench.apply(now=BEFORE).expect(0)
    due(bench, DUE, "--no-wait", "--parallelism", "1").expect(0)
    assert [title for title in titles(bench) if title in ("alpha", "beta", "zulu")] == ["zulu", "alpha", "beta"]


def test_a_pause_holds_a_due_send(bench):
    bench.apply(now=BEFORE).expect(0)
    bench.herald("pause", now=BEFORE).expect(0)
    due(bench).expect(3, "paused")
    bench.herald("resume", now=DUE).expect(0)
    due(bench).expect(0, "1 accepted")


def test_refuses_a_clock_before_the_last_run(bench):
    bench.apply(now=BEFORE).expect(0)
    due(bench).expect(0, "1 accepted")
    due(bench, "2037-03-20T08:29:00Z").expect(1, "before the last run", "--dangerous-clock")
    due(bench, "2037-03-20T08:29:00Z", "--dangerous-clock").expect(0, "Nothing is due.")


def test_reports_a_state_without_an_apply(bench):
    due(bench).expect(1, "there is no state at", "run `herald apply` first")
    bench.herald("pause", now=BEFORE).expect(0)
    due(bench).expect(1, "nothing was applied to the state")


@pytest.mark.parametrize("arguments", [
    ["--expect", "0" * 40], ["--dry-run"], ["--refresh"], ["--only", "tide"], ["--except", "tide"]])
def test_refuses_options_that_need_the_files(bench, arguments):
    bench.apply(now=BEFORE).expect(0)
    due(bench, DUE, *arguments).expect(64, "--due sends everything that is due")


def test_state_needs_due(bench):
    bench.herald("apply", "--yes", "--state", "x.sqlite", now=BEFORE).expect(64, "--state requires --due")


class TestReviewed:
    """`require_reviewed_plan`: only definitions of reviewed plans are sent."""

    @pytest.fixture
    def guarded(self, bench):
        bench.write(
            "herald.yaml", "version: 1\nproject: e2e\ntimezone: Atlantic/Azores\ntopics: { tides: {} }\n"
            "environments: { local: { emulator: {}, guard: { require_reviewed_plan: true } } }\n")
        return bench

    @staticmethod
    def apply_reviewed(project, now):
        digest = project.plan(now=now)["digest"]
        return project.herald("apply", "--expect", digest, now=now)

    @pytest.mark.parametrize("command", [["apply", "--due"], ["run", "--once"]])
    def test_sends_what_was_reviewed(self, guarded, command):
        self.apply_reviewed(guarded, BEFORE).expect(0)
        guarded.herald(*command, now=DUE).expect(0, "1 accepted")

    @pytest.mark.parametrize("command", [["apply", "--due"], ["run", "--once"]])
    def test_refuses_what_was_not_reviewed(self, guarded, command):
        guarded.herald("apply", "--yes", "--dangerous-reviewed-plan", now=BEFORE).expect(0)
        guarded.herald(*command, now=BEFORE).expect(0, "Nothing is due.")
        guarded.herald(*command, now=DUE).expect(
            6, "tide is not sent", "without a reviewed plan", "apply --expect DIGEST")
        assert guarded.log.sends() == []

    def test_stays_valid_through_other_applies(self, guarded):
        """Reviewed on Monday and sent on Friday: a review of another campaign in between changes nothing."""
        monday, wednesday, friday = "2037-03-16T12:00:00Z", "2037-03-18T12:00:00Z", DUE
        self.apply_reviewed(guarded, monday).expect(0)
        guarded.campaign("neap", "{ topic: tides }", schedule="2037-03-27 07:30")
        self.apply_reviewed(guarded, wednesday).expect(0)
        guarded.campaign("spring", "{ topic: tides }", schedule="2037-03-28 07:30")
        guarded.herald("apply", "--yes", "--dangerous-reviewed-plan", now=wednesday).expect(0)
        due(guarded, friday).expect(0, "1 accepted")
        due(guarded, "2037-03-27T08:30:00Z").expect(0, "1 accepted")
        due(guarded, "2037-03-28T08:30:00Z").expect(6, "spring is not sent")
        assert titles(guarded) == ["tide", "neap"]

    def test_a_removed_campaign_is_not_sent(self, guarded):
        self.apply_reviewed(guarded, BEFORE).expect(0)
        (guarded.folder / "campaigns/tide.yaml").unlink()
        self.apply_reviewed(guarded, BEFORE).expect(0)
        due(guarded).expect(0, "Nothing is due.")
        assert guarded.log.sends() == []

    def test_a_bypass_sends_what_was_not_reviewed(self, guarded):
        guarded.herald("apply", "--yes", "--dangerous-reviewed-plan", now=BEFORE).expect(0)
        due(guarded, DUE, "--dangerous-reviewed-plan").expect(0, "1 accepted")
        guarded.herald("history", now=DUE).expect(0)

    def test_an_unreviewed_change_ends_the_review(self, guarded):
        self.apply_reviewed(guarded, BEFORE).expect(0)
        guarded.campaign("tide", "{ topic: tides }", schedule="2037-03-20 07:30", title="changed")
        guarded.herald("apply", "--yes", "--dangerous-reviewed-plan", now=BEFORE).expect(0)
        due(guarded).expect(6, "tide is not sent")
        assert guarded.log.sends() == []

    def test_a_later_review_covers_it(self, guarded):
        guarded.herald("apply", "--yes", "--dangerous-reviewed-plan", now=BEFORE).expect(0)
        self.apply_reviewed(guarded, BEFORE).expect(0)
        due(guarded).expect(0, "1 accepted")

    def test_an_edit_after_the_review_is_not_sent(self, guarded):
        self.apply_reviewed(guarded, BEFORE).expect(0)
        guarded.campaign("tide", "{ topic: tides }", schedule="2037-03-20 07:30", title="edited")
        due(guarded).expect(0, "1 accepted")
        assert "edited" not in titles(guarded)
