"""`herald status` and `herald doctor` show the workers that send from a state in PostgreSQL.

The tests write the rows of the fleet, so that each situation is there for as long as a test needs it.
"""

import json
import re
import signal

import jsonschema
import pytest

from herald import ROOT, eventually
from test_postgres_state import E, bench, database, herald  # noqa: F401 (fixtures)

SCHEMA = json.loads((ROOT / "schemas/status.schema.json").read_text())

# 100,000 requests of `call`: 40,000 have recorded outcomes, 5 were left out by the cap.
RECORDED = """
    UPDATE herald.occurrences SET status = 1 WHERE campaign = 'call';
    UPDATE herald.units u SET count = 100000, released = 40000, intended = 59995, accepted = 39900, rejected = 100,
        suppressed = 5
    FROM herald.occurrences o WHERE o.unit = u.id AND o.campaign = 'call';
    INSERT INTO herald.fleet_occurrences (unit, count, omitted, first_unit, due, priority, state, terms)
    SELECT unit, 100000, '', 1000, 0, 0, 2, '{}' FROM herald.occurrences WHERE campaign = 'call';
"""
# Number, whether it is finished, owner, mark and omitted requests of each work unit. The first one leaves out 3 requests
# below its mark, the second one the requests 0, 1,200 and 1,203.
UNITS = [(4, 1, "NULL", 10_000, "07"), (5, 0, "1", 1_203, "01" + 149 * "00" + "09"), (6, 0, "2", 1_000, ""),
         (7, 0, "1", 0, ""), (8, 0, "NULL", 0, ""), (9, 0, "99", 0, "")]
IN_FLIGHT = 10_000 - 3 + 1_203 - 2 + 1_000
SENT, SENDABLE = 40_000 + IN_FLIGHT, 99_995


def sql(database, *statements):  # noqa: F811
    database.psql("SET search_path = herald;" + ";".join(statements))


def worker(number, beat, lease, format="(SELECT format FROM meta)", timeline="fleet_timeline()"):
    """Returns the statements that add a worker; `beat` and `lease` are seconds from now."""
    return (
        "INSERT INTO fleet_workers (id, host, process, format, synchronous, timeline, lease, beat, returned) VALUES ("
        f"{number}, 'news-{number}', {4710 + number}, {format}, 0, {timeline}, "
        f"fleet_clock() + interval '{lease} s', fleet_clock() + interval '{beat} s', 50)",
        "INSERT INTO fleet_slices (worker, asked, height, permits) VALUES ("
        f"{number}, fleet_clock() + interval '{beat} s', 9600, 500)")


@pytest.fixture
def fleet(bench, database):  # noqa: F811
    """A fleet that sends `call`: one worker is well, one is silent after a failover, and one is gone."""
    herald(bench, database, "apply", "--yes", *E).expect(0)
    # A beat in the future is a recent one also on a slow machine.
    sql(database, RECORDED, *worker(1, 5, 14), *worker(2, -60, 3, timeline="fleet_timeline() + 1"),
        *worker(3, -90, -75, format="99"))
    for number, finished, owner, mark, omitted in UNITS:
        sql(database, "INSERT INTO work_units (id, unit, first, count, omitted, finished, owner, released) "
            f"SELECT {1_000 + number}, unit, {number * 10_000}, 10000, decode('{omitted}', 'hex'), {finished}, {owner}, {mark} "
            "FROM occurrences WHERE campaign = 'call'")
    return bench


def status(project, database):  # noqa: F811
    document = json.loads(herald(project, database, "status", "--json", *E).expect(0).out)
    jsonschema.validate(document, SCHEMA)
    return document


def call(project, database):  # noqa: F811
    return next(o for o in status(project, database)["occurrences"] if o["campaign"] == "call")


def checks(project, database):  # noqa: F811
    """Returns the findings of the doctor about workers, of which none is a problem."""
    document = json.loads(herald(project, database, "doctor", "--json", *E).expect(0).out)
    return [(check["verdict"], check["seen"]) for check in document["checks"] if check["check"] == "workers"]


# MARK: status


@pytest.mark.parametrize("columns", ["80", "160"])
def test_status_shows_workers_and_what_they_send(fleet, database, columns):  # noqa: F811
    shown = herald(fleet, database, "status", *E, env={"COLUMNS": columns}).expect(
        0, "Workers", "In progress", f"sending: {SENT:,} of {SENDABLE:,} by 2 workers", f"{IN_FLIGHT:,} in flight", "Lag: ")
    lines = shown.out.splitlines()
    # The columns are as wide as their longest values, and the notes of a worker may follow on another line.
    words = " ".join(shown.out.split())
    assert "Workers host process units beat sends/min permits news-1 4711 2 " in words
    assert re.search(r"news-1 4711 2 \d+ s 9,600 450 news-2 4712 1 \d+ (s|min) 0 450 "
                     r"(no recent beat|lease ended); timeline not confirmed "
                     r"news-3 4713 0 \d+ (s|min) 0 450 lease ended; format 99 [12] workers?: 9,600 sends per minute allowed",
                     words), words
    assert all(len(line) <= int(columns) for line in lines)


def test_the_json_status_has_the_fleet(fleet, database):  # noqa: F811
    found = status(fleet, database)
    first, second, third = found["fleet"]["workers"]
    assert first | {"beat_seconds": 0} == {
        "host": "news-1", "process": 4711, "format": first["format"], "beat_seconds": 0, "lease_ended": False,
        "timeline": "confirmed", "units": 2, "sends_per_minute": 9600, "permits": 450}
    assert second["timeline"] == "awaited" and second["beat_seconds"] >= 60 and second["sends_per_minute"] == 0
    assert third["lease_ended"] and third["format"] == 99
    sending = call(fleet, database)
    assert sending["fleet"] == {
        "sent": SENT, "sendable": SENDABLE, "workers": 2, "units": {"free": 2, "owned": 3, "finished": 1},
        "recalled": False, "problem": None, "held": False}
    assert sending["counts"] == {
        "not_sent": SENDABLE - SENT, "in_flight": IN_FLIGHT, "accepted": 39_900, "rejected": 100, "unknown": 0, "expired": 0,
        "suppressed": 5, "cancelled": 0}
    assert sending["phase"] == "under_way" and sending["unknown"] == []
    assert found["lag_seconds"] >= 0
    assert all("fleet" not in row for row in found["occurrences"] if row["campaign"] != "call")


def test_status_explains_why_the_fleet_does_not_send(fleet, database):  # noqa: F811
    change = "UPDATE fleet_occurrences SET "
    sql(database, change + "until = (extract(epoch FROM clock_timestamp()) * 1000000000)::bigint")
    herald(fleet, database, "status", *E).expect(0, "recalled: workers give it back")
    assert call(fleet, database)["fleet"]["recalled"]
    sql(database, change + "problem = 'refused: 403', recalled = 1")
    herald(fleet, database, "status", *E).expect(0, "problem: refused: 403")
    assert call(fleet, database)["fleet"]["problem"] == "refused: 403"
    sql(database, change + "held = 1")
    herald(fleet, database, "status", *E).expect(0, "\nHeld\n  call/once/1", "held: a worker is gone")
    assert call(fleet, database)["fleet"]["held"]
    sql(database, "DELETE FROM fleet_workers", change + "held = 0, problem = NULL, recalled = 0, until = NULL")
    shown = herald(fleet, database, "status", *E).expect(0, f"waiting for a worker: {SENT:,} of {SENDABLE:,} sent")
    assert "Workers" not in shown.out
    assert call(fleet, database)["fleet"]["units"] == {"free": 5, "owned": 0, "finished": 1}


def test_status_names_possibly_doubled_requests(fleet, database):  # noqa: F811
    assert status(fleet, database)["fleet"]["possibly_doubled"] == []
    sql(database, "INSERT INTO fleet_doubled SELECT unit, n, n * 10, 20 FROM occurrences, generate_series(1, 2) n "
        "WHERE campaign = 'call'")
    herald(fleet, database, "status", *E).expect(0, "Possibly sent by two workers", "  call/once/1  40 requests\n")
    assert status(fleet, database)["fleet"]["possibly_doubled"] == [{"occurrence": "call/once/1", "requests": 40}]


def test_a_status_without_a_fleet_names_none(bench, database):  # noqa: F811
    herald(bench, database, "apply", "--yes", *E).expect(0)
    assert status(bench, database)["fleet"] == {"workers": [], "possibly_doubled": []}
    shown = herald(bench, database, "status", *E).expect(0)
    assert "Workers" not in shown.out and "Lag" not in shown.out
    assert checks(bench, database) == []


# MARK: status --watch


def test_watch_measures_rates(fleet, database):  # noqa: F811
    with fleet.start("status", "--watch", *E, env=database.env) as watch:
        eventually(lambda: "sending:" in watch.texts()[0], "the first reading")
        first = watch.texts()[0].split("\n--- ")[0]
        assert "Rate:" not in first and " per minute\n" not in first.split("In progress")[1]
        sql(database, "UPDATE work_units SET released = 6000 WHERE id = 1006")
        pattern = re.compile(r"Rate: ([\d,]+) requests per minute\n")
        rates = eventually(lambda: [r for r in pattern.findall(watch.texts()[0]) if r != "0"], "a rate")
        # 5,000 requests in at least one interval and at most ten seconds, or a little more on a slow machine.
        assert 0 < int(rates[0].replace(",", "")) <= 150_000
        assert re.search(rf"sending: {SENT + 5_000:,} of {SENDABLE:,} by 2 workers, [\d,]+ per minute\n", watch.texts()[0])
        # The occurrence leaves the fleet, and its last requests still count.
        readings = watch.texts()[0].count("\n--- ")
        sql(database, "DELETE FROM work_units", "DELETE FROM fleet_occurrences",
            "UPDATE occurrences SET status = 2 WHERE campaign = 'call'",
            "UPDATE units u SET released = 100000, intended = 0, accepted = 99895 FROM occurrences o "
            "WHERE o.unit = u.id AND o.campaign = 'call'")
        eventually(lambda: watch.texts()[0].count("\n--- ") > readings + 1, "another reading")
        last = watch.texts()[0].split("\n--- ")[readings + 2 - 1]
        assert "sending:" not in last and int(pattern.findall(last)[0].replace(",", "")) > 0, last
        watch.signal(signal.SIGINT)
        assert watch.finish().code == 130
    assert "Stopped watching." in watch.texts()[1]


def test_watch_survives_lost_connections(fleet, database):  # noqa: F811
    with fleet.start("status", "--watch", *E, env=database.env) as watch:
        eventually(lambda: "sending:" in watch.texts()[0], "the first reading")
        for _ in range(3):
            database.psql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() "
                          "AND pid <> pg_backend_pid()")
            readings = watch.texts()[0].count("sending:")
            eventually(lambda: watch.texts()[0].count("sending:") > readings, "a reading after the loss")
        watch.signal(signal.SIGTERM)
        assert watch.finish().code == 130


def test_watch_is_for_people(fleet, database):  # noqa: F811
    for arguments in (["--json"], ["--format", "json"]):
        herald(fleet, database, "status", "--watch", *arguments, *E).expect(64, "--watch cannot be combined with")
    herald(fleet, database, "status", "--watch", "nothing", *E).expect(64, "there is no campaign `nothing`")


# MARK: doctor


def test_the_doctor_warns_of_silent_and_different_workers(fleet, database):  # noqa: F811
    found = checks(fleet, database)
    assert [verdict for verdict, _ in found] == ["warning"] * 3
    silence, timeline, format = [seen for _, seen in found]
    assert silence.startswith("no beat for more than 7 s: process 4712 on news-2 (")
    assert "process 4713 on news-3 (" in silence and "news-1" not in silence
    assert timeline.endswith(": process 4712 on news-2")
    assert format.endswith(": process 4713 on news-3 (format 99)")
    herald(fleet, database, "doctor", *E).expect(0, "warning  workers", "run the same version of Herald on all machines")


def test_the_doctor_finds_healthy_workers(fleet, database):  # noqa: F811
    sql(database, "DELETE FROM fleet_workers WHERE id > 1",
        "UPDATE fleet_workers SET beat = fleet_clock() + interval '5 s', lease = fleet_clock() + interval '14 s'")
    assert checks(fleet, database) == [("ok", "1 worker is registered; the last beat is at most 7 s old")]
