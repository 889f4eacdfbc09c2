"""Checks a run against the emulator's request log on disk and Herald's lists."""

import itertools
import json
import math
import re
import sys
from collections import Counter
from datetime import datetime
from pathlib import Path

import faults

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "EndToEnd"))
from sent_messages import replacement_key, same, with_key  # noqa: E402


# An answer that was sent this many seconds before a kill has been read, even on a busy machine.
READ = 0.5
# Herald notes at most this many requests, and then writes them to a socket together.
SOCKET_WRITE = 16


def check(run, condition, problem):
    if not condition:
        run.result.problems.append(problem)


def seconds(entry):
    return datetime.fromisoformat(entry["time"].replace("Z", "+00:00")).timestamp()


def is_taken(entry):
    """Returns whether FCM performed the request, regardless of its answer."""
    fault = entry.get("fault")
    if fault:
        return fault["effect"].startswith("performed") and fault.get("concealed", entry)["status"] in (200, 0)
    return entry["status"] == 200


def is_refused(entry):
    return entry["status"] in (400, 404)


def target(entry):
    message = entry["body"]["message"]
    return message.get("token") or message.get("topic") or message.get("condition")


# The outcomes of the bytes, and the details that some of them contain.
OUTCOMES = ("intended", "accepted", "rejected", "unknown", "expired", "suppressed", "cancelled", "returned",
            "suppressed", "suppressed", "suppressed", "rejected")
DETAILS = {8: "dead", 9: "cap", 10: "forgotten", 11: "UNREGISTERED"}


def ledger(run):
    """Returns Herald's record: campaign, target, outcome and detail of each request."""
    found = []
    rows = run.project.rows(
        "SELECT campaign, kind, target, count, released, units.id FROM occurrences JOIN units ON unit = units.id", "bench")
    for campaign, kind, name, count, released, unit in rows:
        names = run.campaigns[campaign] if kind == 2 else [name]
        assert len(names) == count, f"{campaign} has {count} requests in the ledger"
        outcomes = b"".join(row[0] for row in run.project.rows(
            f"SELECT outcomes FROM outcome_chunks WHERE unit = {unit} ORDER BY chunk", "bench"))
        details = dict(run.project.rows(f"SELECT request, detail FROM outcome_details WHERE unit = {unit}", "bench"))
        outcomes = outcomes or bytes(count)
        for number, (name, outcome) in enumerate(zip(names, outcomes, strict=True)):
            found.append((campaign, name, OUTCOMES[outcome], details.get(number) or DETAILS.get(outcome, "")))
    return found


def listed_unknown(run):
    """Returns the registrations, topics and conditions that `herald status` lists as unknown."""
    output = run.project.herald("status", "-e", "bench", "--all", "--format", "json").expect(0).out
    names = run.project.fingerprints(run.tokens, "bench")
    found = []
    for occurrence in json.loads(output)["occurrences"]:
        for problem in occurrence.get("unknown", []):
            fingerprint = problem["registration"]
            found.append(names[fingerprint] if fingerprint else run.campaigns[occurrence["campaign"]][0])
    assert len(found) == len(set(found)), "status names a request twice"
    return set(found)


def judge(run):
    """Appends every violation to the result's problems."""
    sends = run.log.sends()
    taken = Counter(target(entry) for entry in sends if is_taken(entry))
    refused = {target(entry) for entry in sends if is_refused(entry)}
    recorded = ledger(run)
    unknown = listed_unknown(run)
    kept = {name for _, name, outcome, _ in recorded if outcome == "unknown"} ^ unknown
    check(run, not kept, f"status and ledger list different unknown requests: {len(kept)}, {sorted(kept)[:3]}")
    cut_off = {name for _, name, outcome, detail in recorded if outcome == "unknown" and detail == "cut off"}
    repeated = {name for _, name, _, detail in recorded if "repeated after " in detail}
    everybody = [name for names in run.campaigns.values() for name in names]
    result = run.result
    result.unknown, result.cut_off, result.sends = len(unknown), len(cut_off), len(sends)
    result.repeated = sum(taken[name] > 1 for name in unknown | repeated)

    lost = set(everybody) - set(taken) - refused - unknown
    check(run, not lost, f"lost silently: {len(lost)}, {sorted(lost)[:3]}")
    twice = {name for name, times in taken.items() if times > 1} - unknown - repeated
    check(run, not twice, f"accepted twice and not listed: {len(twice)}, {sorted(twice)[:3]}")
    times = [seconds(entry) for entry in sends]
    check(run, len(sends) >= faults.SENDS and max(times) - min(times) >= faults.SECONDS, "too short to prove anything")
    check(run, set(taken) <= set(everybody), "a registration outside of the lists was addressed")
    claimed = {name for _, name, outcome, _ in recorded if outcome == "accepted"} - set(taken)
    check(run, not claimed, f"recorded as accepted, but never accepted: {len(claimed)}, {sorted(claimed)[:3]}")
    claimed = {name for _, name, outcome, _ in recorded if outcome == "rejected"} - refused
    check(run, not claimed, f"recorded as rejected, but never rejected: {len(claimed)}, {sorted(claimed)[:3]}")
    others = Counter(outcome for _, _, outcome, _ in recorded) - Counter(
        accepted=len(recorded), rejected=len(recorded), unknown=len(recorded))
    check(run, not others and len(recorded) == len(everybody), f"the ledger has requests without a final outcome: {dict(others)}")
    judge_text(run, sends)
    judge_bound(run, cut_off)
    judge_repeats(run, sends)
    judge_reasons(run, sends, unknown - cut_off)
    listed = {fingerprint for output in run.outputs for fingerprint in re.findall(
        r"^  unknown   \S+  ([0-9a-f]{16})  cut off", output, re.MULTILINE)}
    names = run.project.fingerprints(run.tokens, "bench")
    kept = {name for name in cut_off if name in run.tokens} - {names[fingerprint] for fingerprint in listed}
    check(run, not kept, f"interrupted, but not listed by any apply: {len(kept)}")
    check(run, not run.layer or {"W", "C"} & run.layer.seen, "the state's files were not written through the layer")
    if run.keeps_ids:
        judge_ids(run, sends, recorded)
    judge_memberships(run)
    judge_rest(run)
    count_inside(run)


def judge_text(run, sends):
    """Checks the whole message of each request to a registration, also after a kill."""
    key, wrong = replacement_key("call"), set()
    for entry in sends:
        message = dict(entry["body"]["message"])
        name = message.pop("token", None)
        if name in run.tokens_set and not same(message, with_key(run.expected(name), message, key)):
            wrong.add(name)
    check(run, not wrong, f"sent with another text: {len(wrong)}, {sorted(wrong)[:3]}")


def answer_time(run, entry):
    """Returns when the emulator sent the answer: the log has the time before the rule's delay."""
    rules = {rule["id"]: rule.get("delivery", {}) for rule in run.script["rules"]}
    delivery = rules[entry["fault"]["rule"]] if "fault" in entry else {}
    return math.inf if delivery.get("never") else seconds(entry) + delivery.get("delay_milliseconds", 0) / 1_000


def unread(run, number, cut_off):
    """Returns the targets of the requests that the emulator received, but whose answers Herald may not have read when
    it was killed.

    While a second apply takes over, requests that arrive after the kill are its own, unless they are listed.
    """
    death = run.deaths[number]
    found = set()
    for entry in run.log.requests()[:run.marks[number]]:
        if entry["path"].endswith("/messages:send") and answer_time(run, entry) > death - READ:
            if seconds(entry) <= death or target(entry) in cut_off:
                found.add(target(entry))
    return found


def judge_bound(run, cut_off):
    """Checks how many requests the kills made unknown.

    After a power failure, that are the requests below the mark without a synced outcome. After a kill, Herald's
    unsynced notes exclude the requests that were not written and those whose answer was read.
    """
    allowed = 2 * run.spec.parallelism
    limits = [allowed if run.layer else min(allowed, len(unread(run, number, cut_off)) + SOCKET_WRITE)
              for number in range(len(run.deaths))]
    check(run, len(cut_off) <= sum(limits),
          f"{len(cut_off)} unknown after {len(limits)} kills, more than the maximum of {' + '.join(map(str, limits))}")


def judge_repeats(run, sends):
    """Checks that a message that FCM may have taken is repeated only if the repeat replaces it on every platform.

    Without `on_unknown`, no such request of another message follows a first one, even if Herald lists it.
    """
    perhaps_taken, repeated = set(), set()
    for entry in sends:
        name = target(entry)
        if name in perhaps_taken:
            repeated.add(name)
        if is_taken(entry) or entry["status"] >= 500:
            perhaps_taken.add(name)
    if run.is_displayed:
        repeated -= set(run.campaigns["call"])
    check(run, not repeated, f"repeated against the policy: {len(repeated)}, {sorted(repeated)[:3]}")


def judge_reasons(run, sends, unknown):
    """Checks that a fault caused every unknown outcome that no kill caused.

    Over HTTP/2, a fault that reports "not processed" is no cause. A reset connection is a cause for all requests
    in flight.
    """
    faulty = [entry for entry in sends if "fault" in entry and entry["status"] in (0, 200, 500, 503)]
    rules = Counter(entry["fault"]["rule"] for entry in faulty)
    is_shared = run.spec.transport == "tls-h2"
    silent = {target(entry) for entry in faulty if not (is_shared and entry["fault"]["rule"].startswith("not done"))}
    unexplained = unknown - silent
    most = rules["lost"] * run.spec.parallelism if is_shared else 0
    check(run, len(unexplained) <= most, f"unknown without a cause: {len(unexplained)}, {sorted(unexplained)[:3]}; "
          f"resets explain at most {most}")


def judge_version(run):
    """Checks that HTTP/2 was used: rejected requests were retried at once, and no outcome is unknown."""
    refused = {target(entry) for entry in run.log.sends() if "fault" in entry and entry["fault"]["effect"] == "withheld"}
    assert len(refused) > 5 and refused <= {target(entry) for entry in run.log.sends() if is_taken(entry)}
    assert not [name for _, name, outcome, _ in ledger(run) if outcome != "accepted"], "this was not HTTP/2"


def judge_ids(run, sends, recorded):
    """Checks that with `record: ids`, the message ID of each accepted send is recorded as FCM returned it."""
    given = {}
    for entry in sends:
        if entry["status"] == 200 and entry["answer"]:
            given.setdefault(target(entry), set()).add(entry["answer"]["name"].split("/")[-1])
    names = run.project.fingerprints(run.tokens, "bench")
    kept = {}
    for number in itertools.count(1):
        result = run.project.herald("history", number, "--ids", "-e", "bench")
        if "there is no run" in result.err:
            break
        if result.code == 0:
            kept |= {names[who]: name.split("/")[-1] for who, name in map(str.split, result.out.splitlines())}
    accepted = {name for campaign, name, outcome, _ in recorded if campaign == "call" and outcome == "accepted"}
    wrong = {name for name, number in kept.items() if number not in given.get(name, ())}
    check(run, not wrong, f"IDs that FCM never returned: {len(wrong)}, {sorted(wrong)[:3]}")
    check(run, set(kept) == accepted, f"accepted without an ID: {len(accepted - set(kept))}; "
          f"IDs of requests that were not accepted: {len(set(kept) - accepted)}")


def judge_memberships(run):
    for topic, (_, members) in run.memberships.items():
        page = run.control.get(f"/emulator/v1/memberships?topic={topic}&limit=1000")
        found = {entry["registration"] for entry in page["memberships"]}
        check(run, found == set(members),
              f"topic {topic}: {len(set(members) - found)} are missing, {len(found - set(members))} should not be there")


def judge_rest(run):
    """Checks that a further apply sends nothing."""
    before = run.log.bytes()
    code = run.apply().code
    check(run, run.log.requests(len(before)) == [], "a further apply made requests to FCM")
    check(run, code in (0, 4), f"a further apply exits with {code}: {run.outputs[-1]}")


def count_inside(run):
    """Counts the kills that have requests before and after them."""
    total = len(run.log.requests())
    run.result.inside = sum(0 < mark < total for mark in run.marks)
