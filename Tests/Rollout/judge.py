"""Decides from the emulator's log whether a rollout kept its promises, independently of herald."""

from collections import Counter
from dataclasses import dataclass, replace

# The clock of a pause shows whole seconds.
ROUNDING = 1.0


@dataclass(frozen=True)
class Sent:
    """A request in the order of the log."""

    registration: str
    time: float
    status: int


@dataclass(frozen=True)
class Stop:
    """What herald said about the stop, and how many requests the log had then."""

    reason: str
    code: str
    # The position of the stage.
    stage: int
    requests: int
    # When it was noticed.
    time: float


@dataclass(frozen=True)
class Record:
    # The registrations of each stage, computed from the documentation.
    stages: tuple
    sent: tuple
    stops: tuple
    # The times of kills.
    kills: tuple
    unknown: int
    pause: float
    max_unknown: int
    # `stop_when: rejected`, as a share of the answers, and the fewest answers that are judged within a stage.
    share: float
    fewest: int
    code: str
    # Whether a further apply sent something.
    is_ended: bool


def judge(record):
    """Returns the broken promises."""
    return [*twice(record), *missing(record), *overrun(record), *stops(record),
            *(() if record.is_ended else ["a further apply sends"])]


def twice(record):
    times = Counter(sent.registration for sent in record.sent)
    return [f"{name} was addressed {count} times" for name, count in times.items() if count > 1][:5]


def missing(record):
    everyone = {name for stage in record.stages for name in stage}
    addressed = {sent.registration for sent in record.sent}
    left = everyone - addressed
    if strangers := addressed - everyone:
        yield f"{len(strangers)} registrations are in no stage"
    if len(left) > record.unknown:
        yield f"{len(left)} registrations were never addressed, and only {record.unknown} outcomes are unknown"


def overrun(record):
    """Compares neighbouring stages: each ends, and its pause is over, before the next one begins."""
    by_stage = {name: number for number, stage in enumerate(record.stages) for name in stage}
    found = [[] for _ in record.stages]
    for sent in record.sent:
        if sent.registration in by_stage:
            found[by_stage[sent.registration]].append(sent.time)
    # After a stop at the very end of a stage, a person continues with the next one.
    continued = {stop.stage for stop in record.stops}
    for number in range(len(found) - 1):
        earlier = [time for times in found[:number + 1] for time in times]
        later = [time for times in found[number + 1:] for time in times]
        if not earlier or not later:
            continue
        pause = 0 if number in continued or not found[number] else max(0, record.pause - ROUNDING)
        if min(later) < max(earlier) + pause:
            yield (f"stage {number + 2} began {min(later) - max(earlier):.3f} s after the last request of stage {number + 1}, "
                   f"and the pause is {record.pause:.0f} s")


def stops(record):
    if not record.stops:
        yield "the rollout did not stop"
        return
    for stop in record.stops:
        if (stop.reason, stop.code) != ("rejected", record.code):
            yield f"it stopped because of {stop.reason}, {stop.code}"
    first = record.stops[0]
    by_stage = {name: number for number, stage in enumerate(record.stages) for name in stage}
    answers, trip = Counter(), None
    of_stage = [sent for sent in record.sent[:first.requests] if by_stage.get(sent.registration) == first.stage]
    for sent in of_stage:
        answers[sent.status == 200] += 1
        all_answers = sum(answers.values())
        if answers[False] > record.share * all_answers and all_answers >= record.fewest:
            trip = answers[False]
            break
    failures = sum(sent.status != 200 for sent in record.sent[:first.requests])
    if trip is None:
        # The stage ended before: then nothing more of it was left to send.
        trip = failures
    # Each kill in the stage takes away the answers to the requests in flight.
    inside = sum(bool(of_stage) and of_stage[0].time <= kill for kill in record.kills if kill <= first.time)
    most = trip + record.max_unknown * (1 + inside)
    if failures > most:
        yield f"{failures} requests failed before the stop; at most {most} may"


def accepted_wrong(record):
    """Returns the wrong records that the judge would accept."""
    sent = list(record.sent)
    last = next((each for each in reversed(sent) if each.registration in record.stages[-1]), None)
    first = next((each for each in sent if each.registration in record.stages[0]), None)
    if not last or not first:
        return ["the first or the last stage has no request"]
    wrong = {
        "a second request": replace(record, sent=(*sent, replace(first, time=last.time))),
        "a lost registration": replace(
            record, sent=tuple(sent[:-record.unknown - 1]) if record.unknown + 1 < len(sent) else ()),
        "an early request of the last stage": replace(
            record, sent=(replace(last, time=first.time - 1), *(each for each in sent if each is not last))),
        "a late request of the first stage": replace(
            record, sent=(*(each for each in sent if each is not first), replace(first, time=last.time + 1))),
        "no stop": replace(record, stops=()),
        "a stop without a code": replace(record, stops=(replace(record.stops[0], code=None),)) if record.stops else record,
        "a late stop": replace(
            record, max_unknown=0, share=0.0, fewest=0, kills=(),
            stops=(replace(record.stops[0], requests=len(sent)),),
            sent=tuple(replace(each, status=401) for each in sent)) if record.stops else record,
        "a send after the end": replace(record, is_ended=False),
    }
    return [f"the judge accepts {name}" for name, one in wrong.items() if not judge(one)]
