"""Compares the emulator's log with the state, and names every promise that was not kept."""

from collections import Counter
from itertools import accumulate, combinations, zip_longest

from record import DEAD, OUTCOMES

# The outcomes of a request when its occurrence has ended; a suppressed one must be dead.
FINAL = {"accepted", "rejected", "unknown", "suppressed"}
FINISHED = 2


def some(requests):
    """Returns how many there are, and the first ones."""
    found = sorted(requests)
    return f"{len(found)}, for example {found[:3]}"


class Judge:
    def __init__(self, record):
        self.record = record
        self.problems = []
        # Registrations that FCM reported as unregistered to any campaign.
        self.dead = {one.registrations[request] for one in record.occurrences.values()
                     for request, sent in one.requests.items() if any(each.status == 404 for each in sent)}

    def check(self, bad, problem):
        if bad:
            self.problems.append(f"{problem}: {some(bad)}")

    def judge(self):
        """Returns the problems."""
        for one in self.record.occurrences.values():
            self.judge_log(one)
            self.judge_outcomes(one)
            self.judge_views(one)
        self.judge_unknown()
        self.judge_rest()
        return self.problems

    # MARK: The log against the state

    def judge_log(self, one):
        """Nothing is lost, and nothing is doubled but what the state names."""
        taken = {request for request, sent in one.requests.items() if any(each.is_taken for each in sent)}
        everything = range(len(one.registrations))
        self.check([request for request in everything
                    if request not in taken and one.outcome(request) not in ("unknown", "rejected", "suppressed")],
                   f"{one.name}: lost, neither accepted nor listed")
        self.judge_doubled(one)

    def judge_doubled(self, one):
        """Nothing is doubled but what the state names."""
        repeated = repeats(one)
        self.check([request for request in repeated if one.outcome(request) != "unknown" and not one.is_named(request)],
                   f"{one.name}: doubled and not listed")

    def judge_outcomes(self, one):
        """What is recorded happened, and what happened is recorded."""
        bad = {}
        for request in range(len(one.registrations)):
            sent, outcome = one.requests.get(request, []), one.outcome(request)
            is_taken = any(each.is_taken for each in sent)
            wrong = {
                "accepted": not is_taken,
                "rejected": is_taken or not any(each.status in (400, 404) for each in sent),
                "suppressed": one.outcomes[request] != DEAD or one.registrations[request] not in self.dead or is_taken,
            }.get(outcome, outcome not in FINAL)
            if wrong:
                bad.setdefault(outcome, []).append(request)
        for outcome, requests in bad.items():
            self.check(requests, f"{one.name}: recorded as {outcome}, but the log differs")
        # No server has failed over, so no worker can have found its unit taken.
        self.check(one.doubled, f"{one.name}: named as possibly doubled without a failover")

    # MARK: The views of the state

    def judge_views(self, one):
        """`status` and `history` show what the tables contain."""
        names = [OUTCOMES[byte] for byte in one.outcomes]
        counts = Counter(names)
        self.check([] if one.status == FINISHED else [one.status], f"{one.name}: ended with another status than finished")
        shown = Counter({name: count for name, count in one.counts.items() if count})
        self.check((shown - counts) + (counts - shown), f"{one.name}: status has other counts than the tables, {dict(counts)}")
        self.check([request for request, pair in enumerate(zip_longest(names, one.shown)) if pair[0] != pair[1]],
                   f"{one.name}: history shows other outcomes than the tables")
        unknown = Counter(self.record.names.get(name, "another registration") for name in one.unknown)
        kept = Counter(one.registrations[request] for request, name in enumerate(names) if name == "unknown")
        self.check((unknown - kept) + (kept - unknown), f"{one.name}: status lists other unknown requests than the tables")
        if one.keeps_ids:
            self.judge_ids(one, names)

    def judge_ids(self, one, names):
        given = {request: {each.message for each in sent if each.message} for request, sent in one.requests.items()}
        accepted = {request for request, name in enumerate(names) if name == "accepted"}
        self.check(accepted - one.ids.keys(), f"{one.name}: accepted without a message ID")
        self.check({request for request, name in one.ids.items() if request not in accepted or name not in given.get(request, ())},
                   f"{one.name}: message IDs that FCM did not return")

    # MARK: The unknown requests

    def judge_unknown(self):
        """Each unknown request has a cause, and no cause has more of them than its worker had permits."""
        causes = Counter()
        sources = self.record.sources
        without = []
        for one, request in unexplained(self.record):
            unit = self.record.units[one.name]
            if cause := frozenset(number for number, source in enumerate(sources) if source.covers(unit, request)):
                causes[cause] += 1
            else:
                without.append((one.name, request))
        self.check(without, "unknown without a cause")
        self.problems += overfull(causes, sources)
        most, limit = most_open(self.record), self.record.max_unknown
        for what, count in (("requests at the same time are not answered", most), ("permits are granted", self.record.permits)):
            if count > limit:
                self.problems.append(f"{count} {what}, more than max_unknown, {limit}")

    # MARK: What is left

    def judge_rest(self):
        record = self.record
        self.check(record.strangers, "requests to registrations outside of the list")
        self.check([f"{count} in {table}" for table, count in record.leftovers.items()], "rows of the fleet are left")
        self.check([] if record.is_history_intact else ["chain"], "the history's chain is broken")
        self.check([status for status in record.runs if status == "running"], "runs without an end")


def repeats(one):
    """Returns the requests that were sent again although FCM may have performed them."""
    found = set()
    for request, sent in one.requests.items():
        if len(sent) > 1 and any(each.may_be_taken for each in sent[:-1]):
            found.add(request)
    return found


def most_open(record):
    """Returns the most requests that FCM had received and not answered at the same time.

    A worker needs a permit for each of them. The permits of a killed worker are given to others when its requests are
    unknown, which is after their answers.
    """
    events = sorted(event for one in record.occurrences.values() for sent in one.requests.values() for each in sent
                    for event in ((each.begin, 1), (each.end, -1)))
    return max(accumulate(change for _, change in events), default=0)


def unexplained(record):
    """Returns the unknown requests that no answer of the log explains, with their occurrences."""
    return [(one, request) for one in record.occurrences.values() for request in range(len(one.registrations))
            if one.outcome(request) == "unknown" and not any(each.status >= 500 for each in one.requests.get(request, ()))]


def overfull(causes, sources):
    """Returns the sets of sources with more unknown requests than they may have together.

    `causes`: the number of requests by the sources that may have made them unknown. A division among the sources exists
    if and only if no set of them has too many (Hall's theorem).
    """
    used = sorted(set().union(*causes))
    for size in range(1, len(used) + 1):
        for chosen in map(set, combinations(used, size)):
            count = sum(number for cause, number in causes.items() if cause <= chosen)
            most = sum(sources[number].most for number in chosen)
            if count > most:
                names = "; ".join(f"{sources[number].what} at most {sources[number].most}" for number in sorted(chosen))
                return [f"{count} unknown requests, more than {most}: {names}"]
    return []
