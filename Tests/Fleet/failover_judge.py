"""Judges what failovers left: the promises of the record, and whether each failover was the one that the test wanted."""

import json
from bisect import bisect_left
from collections import Counter
from dataclasses import replace

from judge import Judge, repeats
from record import OUTCOMES, Reader, Record, read_log, seconds
from samples import Source

# The share of the failovers that may end with a held occurrence.
HELD = 0.1
# A primary that was killed during sends had one in the last seconds before.
RECENT = 2.0
# The outcomes of requests that a held occurrence did not send.
UNSENT = {"intended", "returned"}
UNKNOWN = OUTCOMES.index("unknown")


class FailoverReader(Reader):
    """Reads what a world with its failovers left."""

    def read(self, failovers):
        world, load = self.run, self.run.load
        occurrences, units = self.occurrences()
        strangers = read_log(world.log, occurrences, {world.RULE: load.latency / 1_000})
        history = json.loads(world.herald("history", "--limit", "1000", "--format", "json").expect(0).out)
        self.add_history(occurrences, [each["run"] for each in history["runs"]])
        # Rows of `attempt_log` stay until their partition is dropped.
        tables = ("fleet_workers", "fleet_occurrences", "work_units")
        leftovers = {table: count for table in tables if (count := self.rows(f"SELECT count(*) FROM {table}")[0]["count"])}
        return Record(
            occurrences=occurrences, strangers=strangers, units=units, names=self.names(occurrences), leftovers=leftovers,
            # A failover that cuts off all workers leaves at most `max_unknown` requests unknown.
            sources=[Source(f"{failovers} failovers", failovers * load.max_unknown, None)],
            max_unknown=load.max_unknown, permits=0,
            is_history_intact=history["chain"]["intact"], runs=Counter(each["status"] for each in history["runs"]))


class FailoverJudge(Judge):
    """`held`: the failovers after which occurrences were held, by the name of the occurrence.

    `stopping`: the names of the occurrences that stop at an unknown request.
    """

    def __init__(self, record, held, stopping=()):
        super().__init__(record)
        self.held, self.stopping = held, stopping

    def stopped(self):
        """Returns the names of the occurrences that stopped at an unknown request and are not held."""
        return [one.name for one in self.record.occurrences.values()
                if one.name in self.stopping and one.name not in self.held and UNKNOWN in one.outcomes]

    def judge(self):
        stopped = self.stopped()
        for one in self.record.occurrences.values():
            if one.name in self.held:
                self.judge_held(one)
            elif one.name in stopped:
                self.judge_stopped(one)
            else:
                self.judge_log(one)
                self.judge_outcomes(one)
                self.judge_views(one)
        self.judge_unknown()
        self.judge_rest()
        return self.problems

    def judge_outcomes(self, one):
        """What is recorded happened, and what happened is recorded. Requests may be named as possibly doubled."""
        super().judge_outcomes(replace(one, doubled=[]))

    def judge_held(self, one):
        """The state names the occurrence as held, so that any of its requests may be missing or doubled."""
        outcomes = (UNKNOWN if OUTCOMES[byte] in UNSENT else byte for byte in one.outcomes)
        self.judge_outcomes(replace(one, outcomes=bytes(outcomes)))

    def judge_stopped(self, one):
        """The rest of the list is not sent, and no request that was sent looks unsent: a person may resume it."""
        sent = [request for request, all_ in one.requests.items() if any(each.may_be_taken for each in all_)]
        self.check([request for request in sent if one.outcome(request) in UNSENT], f"{one.name}: sent, but it looks unsent")
        self.judge_doubled(one)
        self.judge_held(one)

    def doubles(self):
        """Returns the requests that were sent twice, and those that the state names as possibly doubled."""
        found = named = 0
        for one in self.record.occurrences.values():
            found += len(repeats(one))
            named += sum(past - first for first, past in one.doubled)
        return found, named

    def counts(self):
        return Counter(OUTCOMES[byte] for one in self.record.occurrences.values() for byte in one.outcomes)


def times_of(log):
    """Returns the times of all sends in order, as seconds since 1970."""
    return sorted(map(seconds, log.each_send()))


def pause(times, kill):
    """Returns the longest time without a send in the minute after a kill, and how recent the last send before it was."""
    place = bisect_left(times, kill)
    around = times[max(0, place - 1):bisect_left(times, kill + 60)]
    gaps = [after - before for before, after in zip(around, around[1:])]
    return max(gaps, default=60.0), kill - times[place - 1] if place else 60.0
