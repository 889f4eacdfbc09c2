"""Decides from the emulator's log who was over the cap, independently of herald.

The judge counts with `zoneinfo`, and reads nothing of herald's state except for the requests that a kill left unknown
and herald's own counts, which must match. Where the log leaves open on which day something happened, for example a
retry after midnight, it accepts both days, and counts how often.
"""

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from datetime import datetime, timezone
from zoneinfo import ZoneInfo

from record import ACCEPTED, REJECTED, UNKNOWN
from world import CAP, QUIET

# The clocks of herald and of the emulator may differ by the time that herald needs to start, and herald begins to
# decide again a second before a day ends.
TOLERANCE = 2
# A week, and the difference of two time zones; earlier messages do not matter.
LONGEST = 9 * 86_400
# Offsets from UTC change only at multiples of a quarter of an hour.
QUARTER = 900


@dataclass
class Rules:
    """What the judge believes; a judge with other rules than Herald's must find violations."""

    day: int = CAP["day"]
    week: int = CAP["week"]
    counts_rejected: bool = False
    counts_unknown: bool = True
    counts_exempt: bool = True
    counts_topics: bool = True
    by_registration: bool = False
    in_zones: bool = True
    first_zone: bool = True
    from_monday: bool = True
    # Whether a message counts for the day in the zone of the list and campaign that sent it.
    by_sender: bool = False
    quiet: tuple = QUIET


MUTANTS = {
    "a day's cap that is lower by one": Rules(day=CAP["day"] - 1),
    "a day's cap that is higher by one": Rules(day=CAP["day"] + 1),
    "a week's cap that is lower by one": Rules(week=CAP["week"] - 1),
    "a week's cap that is higher by one": Rules(week=CAP["week"] + 1),
    "rejected messages count": Rules(counts_rejected=True),
    "unknown messages do not count": Rules(counts_unknown=False),
    "exempt messages do not count": Rules(counts_exempt=False),
    "messages to topics do not count": Rules(counts_topics=False),
    "each registration is a person": Rules(by_registration=True),
    "days are those of UTC": Rules(in_zones=False),
    "the last zone of a person decides": Rules(first_zone=False),
    "weeks begin on Sunday": Rules(from_monday=False),
    "the zone is that of the message's campaign": Rules(by_sender=True),
    "quiet hours end later": Rules(quiet=(QUIET[0], "08:00")),
}


class Calendar:
    """Local days and times of day; offsets are cached."""

    def __init__(self):
        self.offsets = {}

    def local(self, zone, seconds):
        key = zone, int(seconds // QUARTER)
        offset = self.offsets.get(key)
        if offset is None:
            moment = datetime.fromtimestamp(key[1] * QUARTER, timezone.utc).astimezone(ZoneInfo(zone))
            offset = self.offsets[key] = moment.utcoffset().total_seconds()
        return seconds + offset

    def day(self, zone, seconds):
        """Returns days since 1970-01-01."""
        return int(self.local(zone, seconds) // 86_400)

    def is_quiet(self, zone, seconds, hours):
        begin, end = (int(text[:2]) * 3_600 + int(text[3:]) * 60 for text in hours)
        time = self.local(zone, seconds) % 86_400
        return time >= begin or time < end


@dataclass(slots=True)
class Message:
    """What one occurrence sent to one person: when, according to its first and its last attempt."""

    first: float
    last: float
    occurrence: str
    order: float
    # The person's zone when it was sent; empty for a topic.
    zone: str = ""
    # Runs in which it may have overlapped with other sends, because no cap limits it; None if it is capped.
    overlaps: frozenset | None = None


@dataclass
class Findings:
    violations: list = field(default_factory=list)
    figures: Counter = field(default_factory=Counter)


class Judge:
    def __init__(self, world, record, rules=None, sample=1):
        self.world, self.record, self.rules = world, record, rules or Rules()
        self.sample = sample
        self.calendar = Calendar()
        self.messages = defaultdict(list)
        self.findings = Findings()

    def judge(self):
        """Returns the violations and figures."""
        lists = []
        for occurrence in self.record.occurrences.values():
            if occurrence.campaign.is_topic:
                self.note_topic(occurrence)
            else:
                lists.append(occurrence)
                for row in self.rows(occurrence):
                    self.note(occurrence, *row)
        for occurrence in lists:
            for row in self.rows(occurrence):
                self.decide(occurrence, *row)
        return self.findings

    def found(self, what, occurrence, person, *details):
        self.findings.figures[what] += 1
        self.findings.violations.append(f"{what}: {occurrence.name}, person {person} {' '.join(map(str, details))}")

    def rows(self, occurrence):
        """Returns the people of an occurrence's list with their registrations and zones."""
        people = {}
        for person, (registration, zone) in self.world.rows_of(occurrence.campaign.audience, occurrence.half):
            key = registration if self.rules.by_registration else person.number
            if person.number % self.sample == 0:
                people.setdefault(key, (person, []))[1].append(registration)
        return [(key, registrations, self.zone(occurrence.campaign, person))
                for key, (person, registrations) in people.items()]

    def zone(self, campaign, person):
        if not self.rules.in_zones:
            return "UTC"
        if campaign.audience in self.world.ZONED:
            zones = [zone for _, zone in person.rows if zone]
            if zones:
                return zones[0 if self.rules.first_zone else -1]
        return campaign.named_zone

    # Messages

    def counts(self, kind):
        return (kind == ACCEPTED or kind == UNKNOWN and self.rules.counts_unknown
                or kind == REJECTED and self.rules.counts_rejected)

    def note(self, occurrence, person, registrations, zone):
        campaign = occurrence.campaign
        if campaign.is_exempt and not self.rules.counts_exempt:
            return
        counted = [sent for text in registrations if (sent := occurrence.sent.get(text))
                   and self.counts(UNKNOWN if text in occurrence.cut_off else sent.kind)]
        first = min((sent.first for sent in counted), default=None)
        last = max((sent.last for sent in counted), default=None)
        if self.rules.counts_unknown and any(
                text in occurrence.cut_off and text not in occurrence.sent for text in registrations):
            for launch in occurrence.launches:
                if launch.is_killed:
                    first, last = min(first or launch.start, launch.start), max(last or launch.end, launch.end)
        if first is not None:
            overlaps = frozenset(id(launch) for launch in occurrence.launches) if campaign.is_exempt else None
            self.messages[person].append(
                Message(first, last, occurrence.name, occurrence.order_at(first), zone, overlaps))

    def note_topic(self, occurrence):
        """A topic's message counts for the members that Herald joined; whether for dead ones is left open."""
        if not self.rules.counts_topics:
            return
        for sent in occurrence.sent.values():
            if not self.counts(sent.kind):
                continue
            overlaps = frozenset(id(launch) for launch in occurrence.launches)
            reached = {}
            for registration in self.world.members:
                person = self.world.owners[registration]
                key = registration if self.rules.by_registration else person.number
                is_dead = self.record.dead.get(registration, float("inf")) < sent.first
                reached[key] = reached.get(key, True) and is_dead
            for key, is_dead in reached.items():
                order = float("inf") if is_dead else occurrence.order_at(sent.first)
                self.messages[key].append(Message(sent.first, sent.last, occurrence.name, order, overlaps=overlaps))

    # Decisions

    def spans(self, zone, begin, end):
        """Returns the local days of a period with the tolerance."""
        return range(self.calendar.day(zone, begin - TOLERANCE), self.calendar.day(zone, end + TOLERANCE) + 1)

    def week(self, day):
        # 1970-01-01 was a Thursday.
        return (day + (3 if self.rules.from_monday else 4)) // 7

    def tally(self, occurrence, order, person, zone, day):
        """Returns the least and the greatest numbers of messages of a day and of its week before the decision.

        `order`: that of the occurrence in the run of the decision.
        """
        least, most = [0, 0], [0, 0]
        ids = {id(launch) for launch in occurrence.launches}
        begin = occurrence.launches[0].start - LONGEST
        for message in self.messages[person]:
            if message.last < begin or message.occurrence == occurrence.name:
                continue
            overlaps = message.overlaps is not None and not ids.isdisjoint(message.overlaps)
            before = message.order < order
            if not before and not overlaps:
                continue
            is_sure = before and not overlaps
            own = self.rules.by_sender and message.zone or zone
            days = self.spans(own, message.first, message.last)
            weeks = range(self.week(days[0]), self.week(days[-1]) + 1)
            for place, (units, now) in enumerate(((days, day), (weeks, self.week(day)))):
                if now in units:
                    most[place] += 1
                    least[place] += is_sure and len(units) == 1
        return least, most

    def is_reached(self, numbers):
        return numbers[0] >= self.rules.day or numbers[1] >= self.rules.week

    def decide(self, occurrence, person, registrations, zone):
        """Compares one decision of herald with the numbers of messages."""
        sent = [text for text in registrations if text in occurrence.sent or text in occurrence.cut_off]
        figures = self.findings.figures
        begin = occurrence.launches[0].start
        alive = [text for text in registrations if self.record.dead.get(text, float("inf")) >= begin]
        for text in sent:
            self.check_quiet(occurrence, text, person)
        if sent:
            times = [occurrence.sent[text].first for text in sent if text in occurrence.sent]
            figures["addressed"] += 1
            figures["crossed"] += self.has_crossed(occurrence, sent, zone)
            if times and not occurrence.campaign.is_exempt:
                order = occurrence.order_at(min(times))
                tallies = [self.tally(occurrence, order, person, zone, day)
                           for day in self.spans(zone, min(times), min(times))]
                figures["open"] += any(self.is_reached(most) and not self.is_reached(least) for least, most in tallies)
                if all(self.is_reached(least) for least, _ in tallies):
                    self.found("over the cap", occurrence, person, zone, min(times), tallies)
            rest = [text for text in alive if text not in sent]
            # Without a message so far, the cap is decided again if a day ends or a run is killed.
            got = any(text in occurrence.cut_off or self.counts(occurrence.sent[text].kind) for text in sent)
            if rest and got and not occurrence.is_incomplete:
                self.found("addressed on some devices only", occurrence, person, len(rest))
        elif alive and not occurrence.is_incomplete:
            figures["suppressed"] += 1
            if occurrence.campaign.is_exempt:
                self.found("suppressed although exempt", occurrence, person)
                return
            tallies = [self.tally(occurrence, order, person, zone, day)
                       for launch, order in self.decisions(occurrence, self.world.owners[registrations[0]])
                       for day in self.spans(zone, launch.start, launch.end)]
            figures["open"] += any(self.is_reached(most) and not self.is_reached(least) for least, most in tallies)
            if not any(self.is_reached(most) for _, most in tallies):
                self.found("suppressed under the cap", occurrence, person, zone, tallies)

    def has_crossed(self, occurrence, sent, zone):
        """Returns whether a day began for a person between the start of the run and the first request."""
        times = [occurrence.sent[text].first for text in sent if text in occurrence.sent]
        if not times:
            return False
        start = max(launch.start for launch in occurrence.launches if launch.start <= min(times) + TOLERANCE)
        return self.calendar.day(zone, start) < self.calendar.day(zone, min(times))

    def check_quiet(self, occurrence, registration, person):
        campaign, sent = occurrence.campaign, occurrence.sent.get(registration)
        if campaign.is_loud or sent is None:
            return
        zone = self.quiet_zone(campaign, self.world.owners[registration])
        for time in (sent.first, sent.last):
            self.findings.figures["outside quiet hours"] += 1
            if self.calendar.is_quiet(zone, time, self.rules.quiet):
                self.found("sent in quiet hours", occurrence, person, zone, time)

    def quiet_zone(self, campaign, owner):
        return campaign.audience in self.world.ZONED and owner.zone or campaign.named_zone

    def decisions(self, occurrence, owner):
        """Yields the runs in which the caps of a person were decided, with the order of the occurrence in each.

        If the person's night held the request in a run, there was no decision in it.
        """
        zone = self.quiet_zone(occurrence.campaign, owner)
        for launch, order in zip(occurrence.launches, occurrence.orders):
            if occurrence.campaign.is_loud or not all(
                    self.calendar.is_quiet(zone, time, QUIET)
                    for time in (launch.start - TOLERANCE, launch.end + TOLERANCE)):
                yield launch, order


# The whole record

def count_mismatches(world, record):
    """Yields the differences between the log and herald's own counts of each occurrence."""
    for occurrence in record.occurrences.values():
        if occurrence.campaign.is_topic or occurrence.campaign.expires:
            continue
        counts = occurrence.status.get("counts")
        if counts is None:
            yield f"{occurrence.name}: herald has no counts"
            continue
        rows = world.rows_of(occurrence.campaign.audience, occurrence.half)
        deaths = [record.dead.get(text, float("inf")) for _, (text, _) in rows
                  if text not in occurrence.sent and text not in occurrence.cut_off]
        first, last = occurrence.launches[0], occurrence.launches[-1]
        dead = sum(1 for death in deaths if death < first.start)
        # Other sends found these dead before or after their caps were decided.
        later = sum(1 for death in deaths if first.start <= death < last.end)
        kinds = Counter(UNKNOWN if text in occurrence.cut_off else sent.kind for text, sent in occurrence.sent.items())
        unsent = occurrence.cut_off - set(occurrence.sent)
        # If only refused registrations are under the cap, the wrong-list check stops the send.
        held = counts["not_sent"] if occurrence.status["phase"] == "held" else 0
        left = len(rows) - len(occurrence.sent) - len(unsent) - held
        wanted = {
            "accepted": kinds[ACCEPTED], "rejected": kinds[REJECTED],
            "unknown": kinds[UNKNOWN] + len(unsent), "suppressed": left}
        found = {name: counts[name] for name in wanted}
        # Some of those that were held may be dead.
        capped = range(left - dead - later, left - dead + held + 1)
        if wanted != found or occurrence.status["capped"] not in capped:
            yield (f"{occurrence.name}: the log has {wanted} and {left - dead} capped; "
                   f"herald says {found} and {occurrence.status['capped']} capped")


def missing(world, record):
    """Yields the campaigns that were not due as often as their schedules say."""
    due = Counter(occurrence.campaign.name for occurrence in record.occurrences.values())
    for campaign in world.campaigns:
        wanted = world.times(campaign, record.end)
        if due[campaign.name] != wanted:
            yield f"{campaign.name} was due {due[campaign.name]} times, not {wanted}"
    if record.strangers:
        yield f"{record.strangers} sends belong to no occurrence that was due"
