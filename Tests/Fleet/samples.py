"""What the state says while a fleet sends: read again and again, because a kill leaves nothing to ask."""

import json
import math
import time
from dataclasses import dataclass, field, replace

# A worker's lease lasts for 15 s from the last renewal, at most 5 s ago; later it may have been taken over.
SOON = 8.0
# Two samples are at most this far apart if the server is up.
INTERVAL = 0.3
# The share of `max_unknown` that is not divided among the workers: what the service may send itself.
OF_THE_SERVICE = 0.1
# Interruptions of a worker that are shorter, or have such breaks between them, cannot end its lease.
HARMLESS, BREAK = 8.0, 6.0

QUESTION = """
SET search_path = herald;
SELECT json_build_object(
    'count', (SELECT count(*) FROM occurrences),
    'open', (SELECT count(*) FROM occurrences WHERE status NOT IN (2, 3, 4)),
    'held', (SELECT count(*) FROM occurrences WHERE hold IS NOT NULL),
    'service', (SELECT holder FROM service),
    'writer', (SELECT holder FROM writer),
    'entrusted', (SELECT count(*) FROM fleet_occurrences),
    'workers', (SELECT coalesce(json_agg(json_build_object(
        'process', w.process, 'permits', coalesce(s.permits, 0) - w.returned,
        'units', (SELECT coalesce(json_agg(json_build_array(u.unit, u.first, u.count)), '[]') FROM work_units u
                  WHERE u.owner = w.id AND u.finished = 0))), '[]')
        FROM fleet_workers w LEFT JOIN fleet_slices s ON s.worker = w.id))
"""


def process_of(holder):
    return json.loads(holder)["process"] if holder else None


@dataclass
class Sample:
    time: float
    count: int
    open: int
    held: int
    entrusted: int
    # Process IDs of those that hold the role of the service, or the lock.
    roles: set
    # By process: permits, and work units as (unit, first, past).
    permits: dict
    units: dict


def take(server, database):
    row = json.loads(server.psql(QUESTION, database))
    workers = row["workers"]
    return Sample(
        time.monotonic(), row["count"], row["open"], row["held"], row["entrusted"],
        {process_of(row["service"]), process_of(row["writer"])} - {None},
        {worker["process"]: worker["permits"] for worker in workers},
        {worker["process"]: {(unit, first, first + count) for unit, first, count in worker["units"]} for worker in workers})


@dataclass
class Interruption:
    """A time during which a process could not do its work; without an end after a kill."""

    process: int
    what: str
    begin: float
    end: float = math.inf
    # It ends the process in order: its requests get an outcome, unless something else interrupts it.
    is_drain: bool = False
    # Of merged interruptions: how many they are, and when the last one began.
    count: int = 1
    last: float = 0.0

    @property
    def is_harmless(self):
        """Whether a worker keeps its lease. An interrupted drain may end the process before its requests have an outcome."""
        return self.end - self.begin < HARMLESS and not (self.is_drain and self.count > 1)


@dataclass
class Source:
    """Something that may make requests unknown: at most `most`, of the parts of lists that it had.

    `parts`: (unit, first, past); None for all.
    """

    what: str
    most: int
    parts: set | None = field(default_factory=set)

    def covers(self, unit, request):
        return self.parts is None or any(unit == of and first <= request < past for of, first, past in self.parts)


def spans(interruptions):
    """Merges the interruptions of one process with short breaks between them."""
    found = []
    for each in sorted(interruptions, key=lambda each: each.begin):
        if found and each.begin - found[-1].end < BREAK:
            first = found[-1]
            found[-1] = Interruption(
                each.process, f"{first.what}, {each.what}", first.begin, max(first.end, each.end),
                first.is_drain or each.is_drain, first.count + 1, each.begin)
        else:
            found.append(replace(each, last=each.begin))
    return found


def sources(interruptions, samples, max_unknown):
    """Returns what the interruptions may have made unknown."""
    found = []
    for process in sorted({each.process for each in interruptions}):
        for span in spans([each for each in interruptions if each.process == process]):
            found += of_span(span, samples, max_unknown)
    return found


def of_span(span, samples, max_unknown):
    # A kill is the last interruption of its process; what the process had shortly after it counts.
    end = min(span.end, span.last + SOON)
    seen = [sample for sample in samples if span.begin - 2 * INTERVAL <= sample.time <= end]
    if not seen and not span.is_harmless:
        return [Source(f"{span.what} (unseen)", max_unknown, None)]
    known = [sample for sample in seen if span.process in sample.permits]
    found = []
    if any(span.process in sample.roles for sample in seen):
        # A process that is no worker may have everything. It ends its sends if the server cannot be reached.
        most = math.ceil(OF_THE_SERVICE * max_unknown) if known else max_unknown
        found.append(Source(f"{span.what} (the service)", most, None))
    if known and not span.is_harmless:
        parts = set().union(*(sample.units[span.process] for sample in known))
        found.append(Source(span.what, min(max_unknown, max(sample.permits[span.process] for sample in known)), parts))
    return found
