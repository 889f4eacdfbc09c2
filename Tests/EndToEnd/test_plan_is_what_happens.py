"""For generated projects, the requests of the plan equal the requests in the emulator's log."""

import json
import random
import re
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta, timezone

import pytest

from generator import Generator
from herald import SOAK, Emulator, Project

PROJECTS = 24 if SOAK == 1 else 200 * SOAK
WORKERS = 2
EXPIRATION = re.compile(r"moment of sending \+ (\d+) s")


def test_planned_requests_equal_logged_requests(tmp_path):
    """Runs two rounds for each project. Each worker has a separate emulator."""
    with ThreadPoolExecutor(WORKERS) as pool:
        shares = [range(first, PROJECTS, WORKERS) for first in range(WORKERS)]
        results = list(pool.map(lambda share: play(tmp_path / f"worker-{share[0]}", share), shares))
    problems = [problem for _, found in results for problem in found]
    assert not problems, f"{len(problems)} of {PROJECTS} projects; the first:\n" + "\n".join(problems[:3])
    sends, batches = (sum(numbers) for numbers in zip(*[counts for counts, _ in results]))
    assert sends > 10 * PROJECTS and batches > PROJECTS, "the projects do too little to prove anything"


def play(folder, numbers):
    counts, problems = [0, 0], []
    host = Project(folder / "emulator" / "project")
    with Emulator(host) as emulator:
        for number in numbers:
            generator = Generator(number, random.Random(number), folder / f"project-{number}", emulator.url)
            emulator.install(generator.known)
            try:
                now = datetime.now(timezone.utc)
                generator.begin(now)
                play_round(generator, emulator, host.log, now, None, counts)
                # Sends scheduled for two days later are due then.
                now = (now + timedelta(days=2, minutes=4)).replace(microsecond=0)
                generator.change(now)
                play_round(generator, emulator, host.log, now, now.strftime("%Y-%m-%dT%H:%M:%SZ"), counts)
            except AssertionError as error:
                problems.append(f"project {number} in {generator.folder}: {error}")
    return counts, problems


def play_round(generator, emulator, log, now, fixed, counts):
    project, begin = generator.project, len(log.bytes())
    plan = project.plan("-e", "bench", "--full", now=fixed)
    assert len(log.bytes()) == begin, "a plan sends nothing"
    names = project.fingerprints(generator.known + generator.strange, "bench")
    result = project.apply("-e", "bench", now=fixed)
    assert result.code in (0, 3), result
    entries = log.changes(begin)
    send_time = now if fixed else None
    assert_equal_in_order([expanded(request, names) for request in plan["requests"]], entries, send_time)
    if generator.number % 4 == 0:
        project.apply("-e", "bench", now=fixed).expect(0, "No changes.")
        assert len(log.changes(begin)) == len(entries)
    assert_matches_the_generator(generator, emulator, entries, now)
    counts[0] += sum(e["path"].endswith(":send") for e in entries)
    counts[1] += sum("/iid/" in e["path"] for e in entries)


def expanded(request, names):
    """Expands one entry of the plan into its requests, each with a path and a body."""
    body = request["body"]
    if "registrations" not in request:
        return [(request["path"], body)]
    found = request["registrations"]["fingerprints"]
    assert len(found) == request["registrations"]["count"]
    if "registration_tokens" in body:
        assert body["registration_tokens"] == ["{registrations}"]
        return [(request["path"], body | {"registration_tokens": [names[f] for f in found]})]
    message = body["message"]
    assert message["token"] == "{registration}"
    return [
        (request["path"], body | {"message": message | {"token": names[f]}})
        for f in found]


def assert_equal_in_order(planned, entries, send_time):
    """Compares in the plan's order; the single sends of one list may arrive in any order.

    Later groups may skip registrations that FCM reported as dead in an earlier group.
    """
    position, dead = 0, set()
    for group in planned:
        happened, wanted = [], None
        for expected in (group, [entry for entry in group if registration(entry[1]) not in dead]):
            logged = entries[position:position + len(expected)]
            wanted = sorted(canonical(path, body) for path, body in expected)
            happened = sorted(canonical(e["path"], computed(e, group[0][1], send_time)) for e in logged)
            if happened == wanted:
                break
        assert happened == wanted
        assert {entry["method"] for entry in logged} <= {"POST"}
        position += len(logged)
        dead |= {registration(entry["body"]) for entry in logged if entry["status"] == 404}
    assert entries[position:] == [], "requests that are not in the plan"


def registration(body):
    """Returns the registration of a single send, or None for any other request."""
    return body.get("message", {}).get("token")


def computed(entry, planned, send_time):
    """Returns the logged body. A correct computed time is replaced by the plan's placeholder."""
    body = json.loads(json.dumps(entry["body"]))
    at = ("message", "apns", "headers")
    words = EXPIRATION.fullmatch(found(planned, at).get("apns-expiration", ""))
    if words:
        sent = send_time or datetime.fromisoformat(entry["time"])
        headers = found(body, at)
        expiration = int(headers.get("apns-expiration", 0))
        if abs(expiration - int(words[1]) - sent.timestamp()) <= 5:
            headers["apns-expiration"] = words[0]
    return body


def found(value, path):
    for key in path:
        value = value.get(key, {}) if isinstance(value, dict) else {}
    return value


def canonical(path, body):
    return path + " " + json.dumps(body, sort_keys=True)


def assert_matches_the_generator(generator, emulator, entries, now):
    """Compares the log with the generator's expectation, because plan and apply could share an error.

    Registrations that FCM reported as dead in any round may be skipped.
    """
    dead = {registration(e["body"]) for e in entries if e["status"] == 404}
    generator.dead = getattr(generator, "dead", set()) | dead
    messages = [e["body"]["message"] for e in entries if e["path"] == f"/v1/projects/p{generator.number}/messages:send"]
    expected = generator.expected_sends(now)
    targets = [m.get("token") or m.get("topic") or m.get("condition") for m in messages]
    missing = Counter(target for target, _ in expected) - Counter(targets)
    assert set(missing) <= generator.dead, "a live device gets nothing"
    assert Counter(targets) <= Counter(target for target, _ in expected), "more sends than declared"
    for target, campaign in expected:
        if target in missing:
            continue
        written = generator.campaigns[campaign]["message"]
        assert any(
            target in (m.get("token"), m.get("topic"), m.get("condition")) and holds(m, written)
            for m in messages), f"no message like {campaign} was sent to its target: {written}"
    wanted = generator.expected_topics()
    assert {registration: emulator.topics(registration) for registration in wanted} == wanted


def holds(value, part):
    """Returns whether the message contains all author-defined values unchanged."""
    if isinstance(part, dict) and isinstance(value, dict):
        return all(key in value and holds(value[key], part[key]) for key in part)
    if isinstance(part, str):
        return value == str(part)
    return type(value) in (type(part), int, float) and value == part


@pytest.mark.parametrize("number", ["1e400", "-1e400", "1" + "0" * 400])
def test_never_alters_a_number_that_json_cannot_represent(project, number):
    """In a free-form part of the message, the number is refused and never replaced by null."""
    project.write("campaigns/c.yaml", f"campaign: c\naudience: {{ topic: t }}\nmessage: {{ webpush: {{ notification: {{ n: {number} }} }} }}\n")
    project.write("herald.yaml", "version: 1\nproject: e2e\ntopics: { t: {} }\n")
    result = project.apply()
    sent = [e["body"]["message"]["webpush"]["notification"]["n"] for e in project.log.sends()]
    assert result.code == 65 and sent == [], f"sent {sent}\n{result}"


@pytest.mark.parametrize("number", ["1.0", "1e5", "-0.0", "0.1", "1e21", "123456789.125", "-9223372036854775808"])
def test_next_apply_recognizes_a_number_in_a_free_form_part(project, number):
    project.write("herald.yaml", "version: 1\nproject: e2e\ntopics: { t: {} }\n")
    project.write("campaigns/c.yaml", f"campaign: c\naudience: {{ topic: t }}\nmessage: {{ webpush: {{ notification: {{ n: {number} }} }} }}\n")
    project.apply().expect(0, "1 accepted")
    assert [e["body"]["message"]["webpush"]["notification"]["n"] for e in project.log.sends()] == [float(number)]
    project.apply().expect(0, "No changes.")


def test_two_plans_of_the_same_files_are_identical(project):
    """This includes the recorded definition, which is read back from the state."""
    fields = "{ " + ", ".join(f"key{n}: {n}" for n in range(12)) + " }"
    project.write("herald.yaml", "version: 1\nproject: e2e\ntopics: { t: {} }\n")
    project.write("campaigns/c.yaml", f"campaign: c\naudience: {{ topic: t }}\nmessage: {{ data: {fields} }}\n")
    project.apply().expect(0, "1 accepted")
    project.write("campaigns/c.yaml", "campaign: c\naudience: { topic: t }\nmessage: {}\n")
    for form in ("json", "text"):
        texts = {project.herald("plan", "--format", form, now="2037-01-01T00:00:00Z").out for _ in range(4)}
        assert len(texts) == 1
