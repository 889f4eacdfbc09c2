"""Records in which a promise is broken by hand. The judge must find each of them, and nothing in the record without."""

import copy
import json
import sys
import tempfile
from collections import Counter
from pathlib import Path

from judge import Judge
from record import DEAD, Occurrence, Record, read_log
from samples import Source

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "EndToEnd"))
from herald import Log  # noqa: E402

LIST = tuple(f"phone-{number}" for number in range(40))
# What the workers had when they were killed: unit 1 is that of `one`, and unit 2 that of `two`.
SOURCES = [Source("kill of worker 0", 3, {(1, 0, 20)}), Source("kill of worker 1", 2, {(1, 10, 30), (2, 0, 10)})]
# Requests of `one` with another answer than an acceptance.
GONE, LOST, FAILED, REFUSED = 5, (6, 12, 13), 30, 31


def line(name, request, status=200, **more):
    answer = {"name": f"projects/e2e/messages/{name}{request}"} if status == 200 else {}
    return {"path": "/v1/projects/e2e/messages:send", "status": status, "answer": answer, "time": "2037-03-20T08:00:00Z",
            "body": {"message": {"token": LIST[request], "data": {"campaign": name}}}} | more


def lines():
    """Returns the log of a good run: request 5 of both lists is dead, and others failed or were cut off."""
    found = []
    for name in ("one", "two"):
        for request in range(len(LIST)):
            if request == GONE:
                found += [line(name, request, 404)] if name == "one" else []
            elif name == "one" and request == LOST[0]:
                continue
            elif name == "one" and request == FAILED:
                fault = {"effect": "performed", "concealed": {"status": 200}}
                found.append(line(name, request, 503, fault=fault))
            elif name == "one" and request == REFUSED:
                found += [line(name, request, 429, fault={"effect": "withheld"}), line(name, request)]
            else:
                found.append(line(name, request))
    return found


def occurrence(name, changes):
    outcomes = bytearray([1] * len(LIST))
    for request, byte in changes.items():
        outcomes[request] = byte
    names = {1: "accepted", 3: "unknown", 11: "rejected", DEAD: "suppressed"}
    shown = [names[byte] for byte in outcomes]
    unknown = {f"print-{request}" for request, byte in enumerate(outcomes) if byte == 3}
    ids = {request: f"{name}{request}" for request, byte in enumerate(outcomes) if byte == 1}
    return Occurrence(name, LIST, 2, bytes(outcomes), [], dict(Counter(shown)), unknown, True, shown, ids)


class World:
    """A good run, which a change makes a bad one."""

    def __init__(self):
        self.lines = lines()
        self.one = occurrence("one", {GONE: 11, FAILED: 3} | dict.fromkeys(LOST, 3))
        self.two = occurrence("two", {GONE: DEAD})
        self.record = Record(
            {"one": self.one, "two": self.two}, [], copy.deepcopy(SOURCES), {"one": 1, "two": 2}, 10, 9,
            {f"print-{request}": text for request, text in enumerate(LIST)}, {}, True, Counter(complete=2))

    def set(self, one, request, byte, name):
        """Changes an outcome in the tables and in all views."""
        outcomes = bytearray(one.outcomes)
        outcomes[request] = byte
        one.outcomes, one.shown[request] = bytes(outcomes), name
        one.counts = dict(Counter(one.shown))
        one.ids.pop(request, None)
        if name == "unknown":
            one.unknown.add(f"print-{request}")
        else:
            one.unknown.discard(f"print-{request}")

    def drop(self, name, request):
        self.lines = [each for each in self.lines if each["body"] != line(name, request)["body"]]

    def problems(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "requests.ndjson"
            path.write_text("".join(json.dumps(each) + "\n" for each in self.lines))
            self.record.strangers = read_log(Log(path), self.record.occurrences, {"slow": 1})
        return Judge(self.record).judge()


def stranger(world):
    world.lines.append(line("one", 1))
    world.lines[-1]["body"]["message"]["token"] = "phone-99"


def unknown(world, one, *requests):
    for request in requests:
        world.set(one, request, 3, "unknown")


def late_refusal(world):
    """The request that was refused for quota is sent a third time."""
    world.lines.append(line("one", REFUSED))


# A change of the good run, and a part of what the judge must say.
WRONG = {
    "a request is missing in the log": (lambda w: w.drop("two", 7), "lost"),
    "a request is missing, and not sent in the state": (
        lambda w: (w.drop("two", 7), w.set(w.two, 7, 0, "intended")), "lost"),
    "a request is accepted twice": (lambda w: w.lines.append(line("two", 7)), "doubled"),
    "a request is sent again after a 503": (
        lambda w: (w.lines.append(line("one", FAILED)), w.set(w.one, FAILED, 1, "accepted")), "doubled"),
    "a request is sent again after its acceptance, and refused": (lambda w: w.lines.append(line("two", 7, 429)), "doubled"),
    "a refused request is sent twice": (late_refusal, "doubled"),
    "a request that is recorded as unknown was not cut off": (lambda w: unknown(w, w.two, 20), "without a cause"),
    "a worker's unit has more unknown requests than it had permits": (
        lambda w: unknown(w, w.one, 1, 2, 3), "at most 3"),
    "two workers together have more unknown requests than permits": (
        lambda w: unknown(w, w.one, 14, 15, 16), "more than 5"),
    "a unit of another occurrence has too many": (lambda w: unknown(w, w.two, 1, 2, 3), "at most 2"),
    "a request is recorded as accepted that FCM refused": (
        lambda w: w.set(w.one, GONE, 1, "accepted"), "recorded as accepted"),
    "a request is recorded as accepted that was never sent": (
        lambda w: w.set(w.one, LOST[0], 1, "accepted"), "recorded as accepted"),
    "a request is recorded as rejected that FCM accepted": (
        lambda w: w.set(w.two, 7, 11, "rejected"), "recorded as rejected"),
    "a request is left out as dead that is alive": (
        lambda w: (w.drop("two", 7), w.set(w.two, 7, DEAD, "suppressed")), "recorded as suppressed"),
    "a request is not sent in the state, but in the log": (
        lambda w: w.set(w.two, 7, 0, "intended"), "recorded as intended"),
    "requests are named as possibly doubled": (lambda w: w.two.doubled.append((0, 10)), "without a failover"),
    "an occurrence is cancelled": (lambda w: setattr(w.two, "status", 3), "than finished"),
    "`status` has other counts": (lambda w: w.two.counts.update(accepted=38), "status has other counts"),
    "`status` lists one unknown request less": (lambda w: w.one.unknown.pop(), "status lists other unknown"),
    "`status` lists another unknown request": (
        lambda w: (w.one.unknown.remove("print-6"), w.one.unknown.add("print-7")), "status lists other unknown"),
    "`history` shows another outcome": (lambda w: w.two.shown.__setitem__(7, "unknown"), "history shows other"),
    "`history` shows fewer requests": (lambda w: w.two.shown.pop(), "history shows other"),
    "an acceptance has no message ID": (lambda w: w.two.ids.pop(7), "without a message ID"),
    "an acceptance has another message ID": (lambda w: w.two.ids.update({7: "two8"}), "did not return"),
    "a registration outside of the list gets a message": (stranger, "outside of the list"),
    "more requests are open than `max_unknown` allows": (
        lambda w: [each.update(fault={"rule": "slow", "effect": "performed"}) for each in w.lines[8:25]],
        "requests at the same time"),
    "more permits are granted than `max_unknown`": (lambda w: setattr(w.record, "permits", 11), "permits are granted"),
    "a work unit is left": (lambda w: w.record.leftovers.update(work_units=1), "rows of the fleet"),
    "the history's chain is broken": (lambda w: setattr(w.record, "is_history_intact", False), "chain"),
    "a run has no end": (lambda w: w.record.runs.update(running=1), "without an end"),
}


def hunt():
    """Returns the wrong records that the judge accepts, and whatever it finds in the good one."""
    missed = [f"the good run: {problem}" for problem in World().problems()]
    for name, (change, part) in WRONG.items():
        world = World()
        change(world)
        found = world.problems()
        if not any(part in problem for problem in found):
            missed.append(f"{name}: {found}")
    return missed
