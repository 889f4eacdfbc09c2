"""`sends: run`: an apply records and hands over, and a service sends. `apply --wait` follows it.

Sends are read only from the emulator's log.
"""

import json
import os
import shutil
import signal

import pytest

from herald import Emulator, Project, eventually, token

NOW = "2037-03-20T08:00:00Z"
SOON = "2037-03-20T08:01:00Z"
PEOPLE = [token(n) for n in range(6)]


def settings(project, more="", guard="{}"):
    project.write(
        "herald.yaml", "version: 1\nproject: e2e\ntimezone: UTC\ntopics: { tides: { reach: 5 }, winds: { reach: 5 } }\n"
        f"environments: {{ local: {{ emulator: {{}}, sends: run, guard: {guard}{more} }} }}\n")


@pytest.fixture
def bench(tmp_path):
    project = Project(tmp_path / "project")
    settings(project)
    project.devices(PEOPLE)
    project.campaign("tide", "{ topic: tides }")
    return project


def due(project, *arguments, now=SOON):
    return project.herald("apply", "--due", *arguments, now=now)


def flat(text):
    return " ".join(text.split())


def scheduled(project):
    return project.rows("SELECT count(*) FROM occurrences WHERE status = 0")[0][0]


def test_an_apply_hands_over_and_a_due_run_sends(bench):
    bench.herald("plan", now=NOW).expect(
        0, "Handed over to the service", "is handed over to the service, which sends it to topic tides",
        "This environment has `sends: run`: an apply sends nothing.", "`herald apply --due` (from a timer)")
    [action] = bench.plan(now=NOW)["campaigns"]
    assert (action["action"], action["due"], action["requests"]) == ("hand_over", NOW, 1)
    bench.apply(now=NOW).expect(0, "Applied: 1 handed over to the service.")
    assert bench.log.sends() == []
    bench.apply(now=SOON).expect(0, "No changes.")
    assert bench.log.sends() == []
    due(bench).expect(0, "1 accepted")
    due(bench).expect(0, "Nothing is due.")
    bench.apply(now=SOON).expect(0, "No changes.")
    assert bench.log.accepted() == {"tides": 1}


def test_a_revision_raised_after_its_time_is_due_at_the_apply(bench):
    bench.campaign("tide", "{ topic: tides }", schedule="2037-03-19 08:00")
    bench.apply(now=NOW).expect(3, "too late")
    with open(bench.folder / "campaigns/tide.yaml", "a") as file:
        file.write("revision: 2\n")
    bench.apply(now=NOW).expect(0, "Applied: 1 handed over to the service.")
    bench.apply(now=SOON).expect(0, "No changes.")
    due(bench).expect(0, "1 accepted")
    assert bench.log.accepted() == {"tides": 1}
    assert bench.rows("SELECT due FROM occurrences WHERE revision = 2") == [(2121148800,)]  # NOW


def test_the_digest_is_that_of_an_environment_whose_apply_sends(bench):
    handed = bench.plan(now=NOW)["digest"]
    path = bench.folder / "herald.yaml"
    path.write_text(path.read_text().replace("sends: run", "sends: apply"))
    assert bench.plan(now=NOW)["digest"] == handed


def test_an_apply_changes_memberships_and_stores_lists(bench):
    path = bench.list("crew", PEOPLE[:3])
    bench.write("campaigns/crew.yaml", f"audience: crew\nregistrations: {path}\nsubscribe: [winds]\n")
    bench.campaign("call", f"{{ registrations: {path} }}")
    bench.apply(now=NOW).expect(0, "3 joined", "2 handed over to the service")
    assert bench.log.sends() == []
    bench.list("crew", PEOPLE[3:])
    due(bench).expect(0, "4 accepted")
    assert bench.log.accepted() == dict.fromkeys(PEOPLE[:3], 1) | {"tides": 1}
    assert bench.rows("SELECT count(*) FROM lists") == [(0,)]


def test_guards_and_confirmation_are_those_of_the_apply(bench):
    bench.herald("apply", "--no-input", now=NOW).expect(64)
    settings(bench, guard="{ max_recipients: 4 }")
    bench.apply(now=NOW).expect(6, "max-recipients")
    settings(bench, guard="{ max_sends_per_run: 0 }")
    bench.apply(now=NOW).expect(6, "max-sends-per-run")
    due(bench).expect(1)
    assert bench.log.requests() == []


def test_a_pause_holds_what_is_handed_over(bench):
    bench.herald("pause", now=NOW).expect(0)
    bench.apply(now=NOW).expect(0, "1 handed over to the service")
    due(bench).expect(3, "paused")
    bench.herald("resume", now=SOON).expect(0)
    due(bench).expect(0, "1 accepted")


def test_the_lifetime_begins_with_the_hand_over(bench):
    path = bench.folder / "campaigns/tide.yaml"
    path.write_text(path.read_text() + "delivery: { ttl: 30s }\n")
    bench.apply(now=NOW).expect(0, "1 handed over to the service")
    due(bench).expect(3, "expired")
    assert bench.log.sends() == []


def test_an_edit_replaces_what_is_not_sent_yet(bench):
    bench.apply(now=NOW).expect(0)
    bench.campaign("tide", "{ topic: tides }", title="edited")
    bench.apply(now=NOW).expect(0)
    due(bench).expect(0, "1 accepted")
    [entry] = bench.log.sends()
    assert entry["body"]["message"]["notification"]["title"] == "edited"


def test_removing_the_campaign_cancels_what_is_not_sent_yet(bench):
    bench.apply(now=NOW).expect(0)
    (bench.folder / "campaigns/tide.yaml").unlink()
    bench.apply(now=NOW).expect(0)
    due(bench).expect(0, "Nothing is due.")
    assert bench.log.sends() == []


def test_refuses_what_no_service_can_send(bench):
    bench.write("campaigns/live.yaml", "campaign: live\naudience: { topic: tides }\nmessage:\n"
                "  apns: { live_activity_token: sekrit-activity, payload: { aps: { timestamp: 1, event: end } } }\n")
    bench.herald("plan", now=NOW).expect(65, "cannot send campaign live", "live_activity_token")
    assert bench.log.requests() == []


def test_a_running_service_sends_what_is_handed_over(bench):
    with Emulator(bench), bench.start("run") as service:
        # There is no state before the first apply.
        service.finish().expect(1)
    bench.campaign("later", "{ topic: winds }", schedule="2037-03-20 08:00")
    (bench.folder / "campaigns/tide.yaml").rename(bench.folder / "tide.yaml")
    with Emulator(bench):
        bench.apply().expect(0)
        with bench.start("run") as service:
            eventually(lambda: "Waiting." in "".join(service.texts()), "the service waits")
            (bench.folder / "tide.yaml").rename(bench.folder / "campaigns/tide.yaml")
            bench.apply().expect(0, "1 handed over to the service")
            eventually(lambda: bench.log.accepted() == {"tides": 1}, "the send")


class TestWait:
    """`apply --wait`"""

    @pytest.fixture
    def served(self, bench):
        """The project with an emulator and a service. The service has nothing to do yet."""
        bench.campaign("later", "{ topic: winds }", schedule="2037-03-20 08:00")
        (bench.folder / "campaigns/tide.yaml").rename(bench.folder / "tide.yaml")
        with Emulator(bench):
            bench.apply().expect(0)
            with bench.start("run") as service:
                eventually(lambda: "Waiting." in "".join(service.texts()), "the service waits")
                (bench.folder / "tide.yaml").rename(bench.folder / "campaigns/tide.yaml")
                yield bench

    def test_reports_what_the_service_sent(self, served):
        path = served.list("crew", PEOPLE[:3])
        served.campaign("call", f"{{ registrations: {path} }}")
        served.apply("--wait").expect(0, "Waiting for the service to end 2 sends.", "Applied: 4 accepted.")
        assert served.log.accepted() == dict.fromkeys(PEOPLE[:3], 1) | {"tides": 1}

    def test_exits_like_an_apply_that_sends(self, served):
        path = served.list("gone", [token(7, "gone")])
        served.campaign("call", f"{{ registrations: {path} }}")
        result = served.apply("--wait").expect(3, "1 accepted", "1 rejected", "send without a live recipient")
        assert "handed over" not in result.out.splitlines()[-1]

    def test_ends_at_a_pause(self, served):
        served.herald("pause").expect(0)
        served.apply("--wait").expect(3, "tide/once/1 until `herald resume`", "1 paused")
        assert served.log.sends() == []

    def test_writes_the_result_as_an_event(self, served):
        lines = [json.loads(line) for line in served.apply("--wait", "--json").expect(0).out.splitlines()]
        assert lines[-1]["event"] == "result"
        assert (lines[-1]["counts"]["accepted"], lines[-1]["handed_over"]) == (1, [])
        assert [line["occurrence"] for line in lines if line["event"] == "sending"] == ["tide/once/1"]

    def test_ctrl_c_ends_only_the_wait(self, bench):
        with bench.start("apply", "--yes", "--wait") as apply:
            eventually(lambda: "Waiting for the service" in "".join(apply.texts()), "the wait")
            apply.signal(signal.SIGINT).finish().expect(
                130, "Stopped waiting. The service continues.", "1 handed over to the service")
        assert scheduled(bench) == 1
        bench.herald("run", "--once").expect(0, "1 accepted")

    def test_waits_again_for_what_an_earlier_apply_handed_over(self, bench):
        with Emulator(bench):
            bench.apply().expect(0, "1 handed over to the service")
            with bench.start("apply", "--yes", "--wait") as apply:
                eventually(lambda: "Waiting for the service" in "".join(apply.texts()), "the wait")
                bench.herald("run", "--once").expect(0, "1 accepted")
                apply.finish().expect(0, "Applied: 1 accepted.")

    def test_changes_nothing_where_the_apply_sends(self, bench):
        path = bench.folder / "herald.yaml"
        path.write_text(path.read_text().replace("sends: run", "sends: apply"))
        bench.apply("--wait", now=NOW).expect(0, "Applied: 1 accepted.")

    @pytest.mark.parametrize("option", ["--due", "--dry-run"])
    def test_excludes_options_that_hand_nothing_over(self, bench, option):
        bench.apply("--wait", option, now=NOW).expect(64, "--wait")


class TestLists:
    """`--lists`: lists with `read: at_send`, without the project's files."""

    @pytest.fixture
    def called(self, bench):
        bench.write("campaigns/call.yaml", "campaign: call\naudience: { registrations: { file: lists/crew.csv, "
                    "column: phone, read: at_send } }\nmessage: { notification: { title: 'Hi {{name}}' } }\n")
        bench.apply(now=NOW).expect(0, "2 handed over to the service")
        return bench

    @pytest.fixture
    def folder(self, tmp_path):
        (tmp_path / "elsewhere/lists").mkdir(parents=True)
        return tmp_path / "elsewhere"

    @staticmethod
    def rows(folder, tokens):
        (folder / "lists/crew.csv").write_text("name,phone\n" + "".join(f"Ann,{text}\n" for text in tokens))

    def test_reads_the_lists_below_the_directory(self, called, folder):
        self.rows(folder, PEOPLE[1:4])
        called.write("lists/crew.csv", f"name,phone\nBo,{PEOPLE[0]}\n")
        due(called, "--lists", folder).expect(0, "4 accepted")
        assert called.log.accepted() == dict.fromkeys(PEOPLE[1:4], 1) | {"tides": 1}
        titles = {entry["body"]["message"]["notification"]["title"] for entry in called.log.sends()}
        assert titles == {"tide", "Hi Ann"}

    def test_names_what_it_cannot_read_and_sends_the_rest(self, called, folder):
        due(called).expect(6, "call is not sent", "--lists DIR", "1 accepted")
        assert called.log.accepted() == {"tides": 1}
        due(called, "--lists", folder).expect(3, "lists/crew.csv")
        self.rows(folder, PEOPLE[:2])
        called.herald("run", "--once", "--lists", folder, now=SOON).expect(0, "2 accepted")

    def test_follows_no_link_out_of_the_directory(self, called, folder, tmp_path):
        (tmp_path / "crew.csv").write_text(f"name,phone\nAnn,{PEOPLE[0]}\n")
        (folder / "lists/crew.csv").symlink_to(tmp_path / "crew.csv")
        due(called, "--lists", folder).expect(3, "lists/crew.csv", "1 accepted")
        assert called.log.accepted() == {"tides": 1}

    def test_reads_only_regular_files(self, called, folder):
        os.mkfifo(folder / "lists/crew.csv")
        due(called, "--lists", folder).expect(3, "lists/crew.csv", "1 accepted")
        assert called.log.accepted() == {"tides": 1}

    def test_asks_the_guards_when_it_reads(self, bench, folder):
        settings(bench, guard="{ max_recipients: 5 }")
        bench.write("campaigns/call.yaml", "campaign: call\naudience: { registrations: { file: lists/crew.csv, "
                    "column: phone, read: at_send } }\nmessage: { notification: { title: Hi } }\n")
        bench.apply(now=NOW).expect(0)
        self.rows(folder, PEOPLE)
        due(bench, "--lists", folder).expect(6, "max-recipients", "1 accepted")
        self.rows(folder, PEOPLE[:5])
        due(bench, "--lists", folder).expect(0, "5 accepted")

    def test_needs_a_directory(self, called, tmp_path):
        due(called, "--lists", tmp_path / "none").expect(64, "--lists is not a directory")
        called.apply("--lists", tmp_path, now=NOW).expect(64, "--lists requires --due")


class TestRunner:
    """An apply warns if nothing seems to send what it leaves in the state."""

    WARNING = "no process that sends from this state was seen yet"

    def test_warns_until_a_process_was_seen(self, bench):
        bench.apply(now=NOW).expect(0, self.WARNING, "`herald run` as a service", "`herald apply --due` from a cron job")
        due(bench).expect(0, "1 accepted")
        bench.campaign("later", "{ topic: winds }", schedule="2037-03-21 08:00")
        assert self.WARNING not in flat(bench.apply(now=SOON).expect(0).err)

    def test_warns_of_a_process_that_was_not_seen_for_long(self, bench):
        bench.apply(now=NOW).expect(0)
        due(bench).expect(0)
        bench.campaign("later", "{ topic: winds }", schedule="2037-03-30 08:00")
        bench.apply(now="2037-03-23T08:00:00Z").expect(0, "was seen 3 days ago")

    def test_warns_in_an_environment_whose_apply_sends(self, bench):
        path = bench.folder / "herald.yaml"
        path.write_text(path.read_text().replace("sends: run", "sends: apply"))
        assert "was seen" not in flat(bench.apply(now=NOW).expect(0).err)
        bench.campaign("later", "{ topic: winds }", schedule="2037-03-21 08:00")
        bench.apply(now=NOW).expect(0, f"1 send is scheduled, and {self.WARNING}")

    def test_warns_of_lists_that_no_service_reads(self, bench, tmp_path):
        bench.apply(now=NOW).expect(0)
        due(bench).expect(0)
        bench.write("campaigns/call.yaml", "campaign: call\naudience: { registrations: { file: later.txt, "
                    "read: at_send } }\nmessage: { notification: { title: Hi } }\n")
        bench.apply(now=SOON).expect(0, "the list of call is read when the send begins", "--lists DIR")
        due(bench, "--lists", tmp_path).expect(3)
        bench.campaign("more", "{ topic: winds }")
        assert "--lists DIR" not in bench.apply(now=SOON).expect(0).err

    def test_status_shows_when_it_was_seen(self, bench):
        bench.apply(now=NOW).expect(0)
        assert "Runner" not in bench.herald("status", now=NOW).expect(0).out
        due(bench, now=NOW).expect(0)
        bench.herald("status", now=SOON).expect(0, "Runner: `herald apply --due` on ", "last seen 1 min ago")
        [runner] = json.loads(bench.herald("status", "--format", "json", now=SOON).expect(0).out)["runners"]
        assert (runner["command"], runner["last_seen"], runner["reads_lists"]) == ("herald apply --due", NOW, False)

    def test_a_service_is_seen_while_it_waits(self, bench):
        bench.campaign("tide", "{ topic: tides }", schedule="2037-03-21 08:00")
        with Emulator(bench):
            bench.apply().expect(0)
            with bench.start("run") as service:
                def seen():
                    runners = json.loads(bench.herald("status", "--format", "json").expect(0).out)["runners"]
                    return [runner["process"] for runner in runners]

                eventually(lambda: seen() == [service.process.pid], "the service is seen")


class TestReviewed:
    """`require_reviewed_plan` in an environment with `sends: run`."""

    def test_only_a_reviewed_plan_is_handed_over(self, bench):
        settings(bench, guard="{ require_reviewed_plan: true }")
        bench.apply(now=NOW).expect(6, "reviewed-plan")
        due(bench).expect(1)
        bench.herald("apply", "--expect", bench.plan(now=NOW)["digest"], now=NOW).expect(0, "1 handed over to the service")
        due(bench).expect(0, "1 accepted")

    def test_what_was_not_reviewed_is_not_sent(self, bench):
        settings(bench, guard="{ require_reviewed_plan: true }")
        bench.herald("apply", "--yes", "--dangerous-reviewed-plan", now=NOW).expect(0)
        due(bench).expect(6, "tide is not sent", "without a reviewed plan")
        bench.herald("run", "--once", now=SOON).expect(6, "tide is not sent")
        assert bench.log.sends() == []
        bench.herald("apply", "--expect", bench.plan(now=SOON)["digest"], now=SOON).expect(0)
        due(bench).expect(0, "1 accepted")


def test_the_service_needs_no_files(bench):
    bench.apply(now=NOW).expect(0)
    shutil.rmtree(bench.folder / "campaigns")
    (bench.folder / "herald.yaml").unlink()
    bench.herald("run", "--once", "--state", bench.folder / ".herald/local.sqlite", now=SOON).expect(0, "1 accepted")
