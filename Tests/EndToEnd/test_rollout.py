"""Rollouts: stages and their order, stops, continuing, ending, and kills, with both stores, under `apply` and `run`."""

import hashlib
import json
import re
from datetime import datetime

import pytest

from herald import Emulator, Project, eventually, token
from services import Service, apply_earlier, moment
from test_postgres_state import IN_POSTGRES, E, database  # noqa: F401

PEOPLE = [token(number) for number in range(1_000)]
STAFF = [token(number, "staff") for number in range(3)]
UNKNOWN = 40
CODE = "THIRD_PARTY_AUTH_ERROR"


def point(registration, campaign="log"):
    """Computes a recipient's point as the documentation describes it."""
    text = "\0".join(["e2e", f"{campaign}#rollout", registration]).encode()
    return int.from_bytes(hashlib.sha256(text).digest()[:8], "big") / 2**64


@pytest.fixture(params=["sqlite", "postgres"])
def project(request, tmp_path):
    project = Project(tmp_path / "project")
    project.env, state = {}, ""
    if request.param == "postgres":
        project.env, state = request.getfixturevalue("database").env, IN_POSTGRES
    project.write(
        "herald.yaml",
        "version: 1\nproject: e2e\ntimezone: UTC\nenvironments:\n"
        f"  bench: {{ emulator: {{}}, max_unknown: {UNKNOWN}{state} }}\n")
    # One of the staff is in both lists.
    project.write("campaigns/audiences.yaml", (
        f"audience: anglers\nregistrations: {project.list('anglers', [*PEOPLE, STAFF[0]])}\n---\n"
        f"audience: staff\nregistrations: {project.list('staff', STAFF)}\ntest: true\n"))
    return project


def write(project, rollout, schedule=None, more=""):
    at = f'schedule: {{ at: "{schedule}", late_after: 12h }}\n' if schedule else ""
    project.write(
        "campaigns/log.yaml",
        "campaign: log\naudience: anglers\nmessage: { notification: { title: Log } }\n"
        f"rollout: {rollout}\n{at}{more}")


def call(project, *arguments, **options):
    return project.herald(*arguments, *E, env=project.env, **options)


def apply(project):
    return call(project, "apply", "--yes")


def serve(project):
    return Service(project, *E, env=project.env)


def sent(project):
    return [entry["body"]["message"]["token"] for entry in project.log.sends()]


def status(project):
    output = call(project, "rollout", "status", "log", "--format", "json").expect(0).out
    [rollout] = json.loads(output)["rollouts"]
    return rollout


def phase(project):
    output = call(project, "status", "--all", "--format", "json").expect(0).out
    return next(row["phase"] for row in json.loads(output)["occurrences"] if row["campaign"] == "log")


def fail(emulator, begin):
    emulator.put("/emulator/v1/faults", {"rules": [
        {"match": {"service": "SEND"}, "when": {"from": begin}, "answer": {"error": CODE}}]})


def repair(emulator):
    emulator.put("/emulator/v1/faults", {"rules": []})


def times(project, stages):
    """Returns the first and the last time of the requests of each stage."""
    found = [[] for _ in stages]
    for entry in project.log.sends():
        text = entry["body"]["message"]["token"]
        number = next(number for number, stage in enumerate(stages) if text in stage)
        found[number].append(datetime.fromisoformat(entry["time"].replace("Z", "+00:00")).timestamp())
    return [(min(each), max(each)) for each in found]


def test_canary_first_then_stages_in_the_order_of_the_hash(project):
    ordered = sorted(PEOPLE, key=point)
    write(project, "{ canary: staff, stages: [20, 10%], pause: 1h }")
    stages = [STAFF, ordered[:20], [t for t in ordered[20:] if point(t) < 0.1], [t for t in ordered if point(t) >= 0.1]]
    with Emulator(project) as emulator:
        emulator.install([*PEOPLE, *STAFF])
        notices = project.plan(*E, env=project.env)["notices"]
        notice = next(notice for notice in notices if notice["notice"] == "rollout")
        assert [stage.get("count") for stage in notice["stages"]] == [len(stage) for stage in stages]
        for form in ("text", "html", "markdown"):
            text = call(project, "plan", "--format", form).expect(0).out
            shown = " ".join(re.sub(r"<[^>]*>", "", text).replace("\\", "").split())
            assert f"staff (canary) 3, 20 20, 10% {len(stages[2])}, rest {len(stages[3])}" in shown, shown
        call(project, "preview", "log").expect(0)
        done = []
        for number, stage in enumerate(stages):
            if number:
                assert status(project)["stage"] == number
            apply(project).expect(0)
            assert sorted(sent(project)[len(done):]) == sorted(stage), number
            done += stage
            # Nothing is sent in the pause, until a person ends it.
            if number < len(stages) - 1:
                apply(project).expect(0)
                call(project, "apply", "--due").expect(0)
                assert len(sent(project)) == len(done)
                call(project, "status").expect(0, f"stage {number + 2} of 4", "Between two stages")
                call(project, "rollout", "continue", "log").expect(0, "continues")
        apply(project).expect(0)
    assert sorted(sent(project)) == sorted([*PEOPLE, *STAFF])
    assert phase(project) == "finished"


def test_simulates_a_rollout(project):
    write(project, "{ canary: staff, stages: [10%], pause: 1h }")
    call(project, "simulate", "--days", "1", "--devices", "50").expect(0)


def stops_and_continues(project, emulator, apply_again):
    """Checks a rollout that stopped under a fault, and lets it continue after the repair."""
    begin = 80
    # 5% of the answers of the stage, and then at most `max_unknown` more.
    assert begin <= len(sent(project)) <= begin + begin * 5 // 100 + 2 + UNKNOWN
    stopped = status(project)
    assert stopped["stop"]["reason"] == "rejected" and stopped["stop"]["code"] == CODE
    call(project, "status").expect(0, "Held", "stage 2 of 3 (50%)", CODE, "rollout continue log")
    count = len(sent(project))
    apply_again()
    assert len(sent(project)) == count
    repair(emulator)
    call(project, "rollout", "continue", "log").expect(0)


def is_sent_once(project):
    return len(sent(project)) == len(set(sent(project))) == len(PEOPLE) + 1


def test_stops_within_max_unknown_and_continues_after_the_repair(project):
    write(project, "{ stages: [1%, 50%], stop_when: { rejected: 5% } }")
    with Emulator(project) as emulator:
        emulator.install([*PEOPLE, *STAFF])
        fail(emulator, 80)
        apply(project).expect(3, "rollout stopped", CODE)
        stops_and_continues(project, emulator, lambda: apply(project).expect(3))
        apply(project).expect(0)
        call(project, "rollout", "continue", "log").expect(1, "no rollout of log is in progress")
    assert is_sent_once(project)


def test_a_small_stage_stops_at_its_end_and_names_the_code(project):
    write(project, "{ canary: staff, stages: [10%], stop_when: { rejected: 5% } }")
    with Emulator(project) as emulator:
        emulator.install([*PEOPLE, *STAFF])
        fail(emulator, 2)
        apply(project).expect(3, "rollout stopped", CODE)
    assert len(sent(project)) == len(STAFF)
    assert status(project)["stop"]["code"] == CODE and status(project)["stage"] == 0


def test_dead_registrations_do_not_count(project):
    write(project, "{ canary: staff, stages: [10%], stop_when: { rejected: 1 } }")
    with Emulator(project) as emulator:
        emulator.install([*PEOPLE[20:], *STAFF])
        # FCM reports 20 of them as unregistered.
        emulator.put("/emulator/v1/faults", {"rules": [
            {"match": {"registration": text}, "answer": {"error": "UNREGISTERED"}} for text in PEOPLE[:20]]})
        apply(project)
    assert sorted(sent(project)) == sorted([*PEOPLE, *STAFF])
    assert phase(project) == "finished"


def test_unknown_outcomes_stop_a_rollout(project):
    write(project, "{ canary: staff, stages: [10%], stop_when: { unknown: 5 } }", more="on_unknown: skip\n")
    with Emulator(project) as emulator:
        emulator.install([*PEOPLE, *STAFF])
        emulator.put("/emulator/v1/faults", {"rules": [
            {"match": {"service": "SEND"}, "when": {"from": 10, "every": 2}, "answer": {"error": "INTERNAL"}}]})
        assert apply(project).code in (3, 4)
    assert status(project)["stop"]["reason"] == "unknown"
    assert len(sent(project)) <= 10 + 2 * 6 + UNKNOWN


def test_a_service_sends_stage_after_stage(project):
    write(project, "{ canary: staff, stages: [5%], pause: 3s }", moment(-2)[0])
    stages = [set(STAFF), {t for t in PEOPLE if point(t) < 0.05}, {t for t in PEOPLE if point(t) >= 0.05}]
    with Emulator(project) as emulator:
        emulator.install([*PEOPLE, *STAFF])
        apply_earlier(project, *E, env=project.env).expect(0)
        with serve(project):
            eventually(lambda: phase(project) == "finished", "the rollout ends", deadline=40)
    assert is_sent_once_with(project, stages)
    found = times(project, stages)
    # The clock of a pause shows whole seconds.
    assert all(begin - end >= 2 for (_, end), (begin, _) in zip(found, found[1:])), found


def is_sent_once_with(project, stages):
    return sorted(sent(project)) == sorted(text for stage in stages for text in stage)


def test_a_service_stops_and_continues(project):
    write(project, "{ stages: [1%, 50%], stop_when: { rejected: 5% } }", moment(-2)[0])
    with Emulator(project) as emulator:
        emulator.install([*PEOPLE, *STAFF])
        fail(emulator, 80)
        apply_earlier(project, *E, env=project.env).expect(0)
        with serve(project):
            eventually(lambda: phase(project) == "held", "the stop")
            stops_and_continues(project, emulator, lambda: None)
            eventually(lambda: phase(project) == "finished", "the rollout ends")
    assert is_sent_once(project)


def test_a_service_continues_while_it_sends_another_campaign(project):
    crew = [token(number, "crew") for number in range(1_000)]
    write(project, "{ canary: staff, stages: [2%], pause: 1h }", moment(-2)[0])
    project.write(
        "campaigns/slow.yaml",
        f"campaign: slow\naudience: {{ registrations: {project.list('crew', crew)} }}\nmessage: {{}}\n"
        f'schedule: {{ at: "{moment(-2)[0]}", late_after: 12h }}\n')
    text = (project.folder / "herald.yaml").read_text()
    project.write("herald.yaml", text.replace("max_unknown", "pace: { sends_per_minute: 1200 }, max_unknown"))
    first = {t for t in PEOPLE if point(t) < 0.02}
    with Emulator(project) as emulator:
        emulator.install([*PEOPLE, *STAFF, *crew])
        apply_earlier(project, *E, env=project.env).expect(0)
        with serve(project):
            eventually(lambda: set(STAFF) <= set(sent(project)), "the canary")
            eventually(lambda: status(project)["stage"] == 1, "the pause")
            call(project, "rollout", "continue", "log").expect(0)
            eventually(lambda: first & set(sent(project)), "the next stage")
            assert set(crew) - set(sent(project)), "the other campaign had ended"


def test_a_person_ends_a_rollout_under_run(project):
    write(project, "{ canary: staff, stages: [10%], pause: 1h }", moment(-2)[0])
    with Emulator(project) as emulator:
        emulator.install([*PEOPLE, *STAFF])
        apply_earlier(project, *E, env=project.env).expect(0)
        with serve(project):
            eventually(lambda: set(STAFF) <= set(sent(project)), "the canary")
            eventually(lambda: status(project)["stage"] == 1, "the pause")
            call(project, "rollout", "abort", "log").expect(0, "ends")
            eventually(lambda: phase(project) == "cancelled", "the end")
    assert sorted(sent(project)) == sorted(STAFF)


def test_abort_cancels_the_rest(project):
    write(project, "{ canary: staff, stages: [10%], pause: 1h }")
    with Emulator(project) as emulator:
        emulator.install([*PEOPLE, *STAFF])
        apply(project).expect(0)
        call(project, "rollout", "abort", "log").expect(0, "ends")
        apply(project)
        assert sorted(sent(project)) == sorted(STAFF)
        output = call(project, "status", "--all", "--format", "json").expect(0).out
        [row] = json.loads(output)["occurrences"]
        assert row["phase"] == "cancelled" and row["counts"]["cancelled"] == len(PEOPLE), row
        call(project, "rollout", "continue", "log").expect(1)


@pytest.mark.parametrize("after", [1, 3, 40, 104, 300, 990])
def test_killed_in_every_stage_sends_to_no_one_twice_and_overruns_no_stage(project, after):
    write(project, "{ canary: staff, stages: [5%, 30%] }")
    bounds = [set(STAFF), {t for t in PEOPLE if point(t) < 0.05}, {t for t in PEOPLE if 0.05 <= point(t) < 0.3}]
    with Emulator(project) as emulator:
        emulator.install([*PEOPLE, *STAFF])
        emulator.put("/emulator/v1/faults", {"rules": [{"delivery": {"delay_milliseconds": 5}}]})
        with project.start("apply", "--yes", *E, env=project.env) as running:
            eventually(lambda: project.log.count() >= after or running.process.poll() is not None, f"{after} sends")
            if running.process.poll() is None:
                running.kill()
        project.log.settle()
        repair(emulator)
        code = apply(project).code
        assert code in (0, 4)
    order = sent(project)
    assert len(order) == len(set(order))
    # Every stage is over before the next one begins.
    stages = [next((n for n, part in enumerate(bounds) if text in part), len(bounds)) for text in order]
    assert stages == sorted(stages)
    assert len(order) >= len(PEOPLE) + len(STAFF) - UNKNOWN


@pytest.mark.parametrize(("rollout", "words"), [
    ("{ canary: anglers, stages: [1%] }", "the canary is not a test audience"),
    ("{ canary: nowhere, stages: [1%] }", "nowhere"),
    ("{ stages: [10%, 1%] }", "not larger than the previous one"),
    ("{ stages: [0%] }", "the first stage has no recipients")])
def test_bad_rollouts_are_refused(tmp_path, rollout, words):
    project = Project(tmp_path / "project")
    project.write("campaigns/audiences.yaml", f"audience: anglers\nregistrations: {project.list('anglers', PEOPLE[:5])}\n")
    write(project, rollout)
    project.herald("validate").expect(65, words, "campaigns/log.yaml:4:")
