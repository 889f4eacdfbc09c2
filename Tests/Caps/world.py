"""People with their devices and time zones, lists of them, and 40 campaigns in 30 days."""

import json
import random
import sys
from dataclasses import dataclass, field
from datetime import datetime, timedelta, timezone
from pathlib import Path
from zoneinfo import ZoneInfo

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "EndToEnd"))
from herald import token  # noqa: E402

# A Saturday. In the 30 days, clocks change in Lord Howe, Casablanca, Europe and America.
START = datetime(2036, 10, 4, 9, 30, tzinfo=timezone.utc)
DAYS = 30
ZONES = (
    "Atlantic/Azores", "Europe/Berlin", "Africa/Casablanca", "Asia/Kolkata", "Asia/Kathmandu", "Asia/Tehran",
    "Australia/Lord_Howe", "Pacific/Apia", "Pacific/Chatham", "America/Los_Angeles", "America/St_Johns",
    "Pacific/Kiritimati")
PROJECT_ZONE = "Europe/Lisbon"
CAP = {"day": 1, "week": 3}
QUIET = ("22:00", "07:00")
CAMPAIGNS = 40
# The numbers of the campaigns to topics, and of those that repeat what may have failed, at least 10 s later.
TOPICS, RETRIED = (17, 29), (14,)
# People with 1 to 4 devices, of a hundred: 2.4 devices on average.
DEVICES = (20, 40, 20, 20)
# Shares of people: without a zone; whose rows name different zones; whose first rows name none.
ZONELESS, CONFLICTING, LATER = 0.2, 0.05, 0.05


@dataclass(slots=True, eq=False)
class Person:
    number: int
    # The registration and the zone of each row.
    rows: list
    # Whether only the lists of the first half, or those of the second, contain the person.
    joins: bool = False
    leaves: bool = False

    @property
    def name(self):
        return f"p{self.number}"

    @property
    def zone(self):
        """Returns the zone of the first row that names one; empty without one."""
        return next((zone for _, zone in self.rows if zone), "")


@dataclass
class Campaign:
    name: str
    # A list's name, or a topic in quotation marks.
    audience: str
    schedule: str
    # The schedule's time zone; None if it does not name one.
    zone: str | None = None
    is_exempt: bool = False
    policy: str = "skip"
    # Whether quiet hours do not hold it.
    is_loud: bool = False
    more: str = ""
    # Seconds between the due time and the run.
    wait: int = 0
    # The minimum duration of the send in seconds, by delayed answers.
    lasts: int = 0
    is_killed: bool = False
    expires: bool = False
    revision: int = 1

    @property
    def is_topic(self):
        return self.audience.startswith("'")

    @property
    def named_zone(self):
        return self.zone or PROJECT_ZONE


@dataclass
class World:
    seed: int
    count: int
    days: int
    # Whether quiet hours are those of the recipients: every list may then have a `timezone` column.
    by_recipient: bool
    people: list = field(default_factory=list)
    campaigns: list = field(default_factory=list)
    # Of each list, before and after its edit.
    rows: dict = field(default_factory=dict)

    def __post_init__(self):
        self.chance = random.Random(f"caps {self.seed} {self.count}")
        self.make_people()
        self.make_campaigns()

    # People and lists

    def make_people(self):
        chance, number = self.chance, 0
        for index in range(self.count):
            devices = chance.choices((1, 2, 3, 4), DEVICES)[0]
            zone = "" if chance.random() < ZONELESS else chance.choice(ZONES)
            rows = [[token(number + n), zone] for n in range(devices)]
            if zone and devices > 1 and chance.random() < CONFLICTING:
                rows[-1][1] = chance.choice([other for other in ZONES if other != zone])
            elif zone and devices > 1 and chance.random() < LATER:
                rows[0][1] = ""
            number += devices
            person = Person(index, [tuple(row) for row in rows])
            draw = chance.random()
            person.joins, person.leaves = draw < 0.05, draw > 0.95
            self.people.append(person)
        self.registrations = number
        self.owners = {text: person for person in self.people for text, _ in person.rows}
        # All lists have their rows in this order, so that the same row of a person is always the first one.
        order = [(person, place) for person in self.people for place in range(len(person.rows))]
        chance.shuffle(order)
        seen = {}
        self.order = []
        for person, _ in order:
            place = seen[person.number] = seen.get(person.number, -1) + 1
            self.order.append((person, person.rows[place]))
        self.members = {row[0] for person, row in self.order if person.number % 12 == 5}

    # By the number of the person.
    SELECTIONS = {
        "all": lambda n: True,
        "half": lambda n: n % 2 == 0,
        "third": lambda n: n % 3 == 1,
        "quarter": lambda n: n % 4 == 3,
        # Without a `timezone` column, although other lists have the zones of these people.
        "mixed": lambda n: n % 5 == 2,
        # Without a `timezone` column, and only people without a zone.
        "plain": lambda n: n % 3 != 0,
    }
    ZONED = ("all", "half", "third", "quarter")

    def rows_of(self, name, half):
        """Returns the people and rows of a list in its order. `half`: 0 at first, 1 after its edit."""
        if (name, half) not in self.rows:
            chosen = self.SELECTIONS[name]
            self.rows[name, half] = [
                (person, row) for person, row in self.order
                if chosen(person.number) and not (person.leaves if half else person.joins)
                and (name != "plain" or not person.zone)]
        return self.rows[name, half]

    # Campaigns

    def make_campaigns(self):
        self.special()
        chance = self.chance
        lists = ["all", "half", "third", "quarter", "quarter", "mixed", "plain"]
        while len(self.campaigns) < CAMPAIGNS:
            number = len(self.campaigns)
            audience = lists[number % len(lists)]
            is_topic = number in TOPICS
            if is_topic:
                audience = "'tides'"
            zone = chance.choice([*ZONES, None, None])
            hour, minute = chance.randrange(24), chance.choice((3, 17, 22, 38, 41, 56))
            if is_topic:
                # A fan-out in quiet hours is held, and every list may need it to come first.
                hour = 8 + number % 5
            is_exempt = not is_topic and number % 9 == 4
            campaign = Campaign(
                f"c{number:02}", audience, "", zone, is_exempt=is_exempt,
                policy="retry" if number in RETRIED else "skip", is_loud=self.is_loud(audience, number))
            if number % 6 == 1 and not is_exempt:
                weekday = chance.choice(("TUE", "WED", "THU", "FRI", "SAT", "SUN"))
                campaign.schedule = f'cron: "{minute} {hour} * * {weekday}"'
            else:
                campaign.schedule = f'at: "{self.day(chance)} {hour:02}:{minute:02}"'
            self.campaigns.append(campaign)
        # Sent again by its second revision.
        self.resent = next(c for c in self.campaigns if c.audience == "quarter" and c.schedule.startswith("at")
                           and not c.is_exempt)
        self.resent.schedule = f'at: "{(START + timedelta(days=min(3, self.days // 3))):%Y-%m-%d} 12:03"'

    def edit(self, now):
        """Sends a campaign again, on the next day. The lists are edited when they are written."""
        self.resent.revision = 2
        self.resent.schedule = f'at: "{now + timedelta(days=1):%Y-%m-%d} 12:03"'

    def is_loud(self, audience, number):
        """Without quiet hours by recipient, Herald refuses lists with a `timezone` column that wait for them.

        With them, each such send takes a run for each morning in the world, so only some wait.
        """
        return audience in self.ZONED and (not self.by_recipient or number % 4 > 0)

    def day(self, chance):
        """Returns a date that is no Monday: on Mondays, when a week has begun, are the special campaigns."""
        while True:
            date = START + timedelta(days=chance.randrange(1, self.days))
            if date.weekday() or self.days < 7:
                return f"{date:%Y-%m-%d}"

    def special(self):
        """Adds sends during which a day or quiet hours begin, that are killed, and whose message expires."""
        mondays = [START + timedelta(days=n) for n in range(1, self.days) if (START + timedelta(days=n)).weekday() == 0]
        at = [f"{day:%Y-%m-%d}" for day in mondays]
        found = [
            Campaign("s-midnight", "all", f'at: "{at[0]} 23:59"', "Europe/Berlin", is_loud=True, wait=57, lasts=6),
            Campaign("s-killed", "half", f'at: "{at[0]} 10:07"', "Asia/Kolkata", is_loud=True, lasts=5, is_killed=True)]
        if len(at) > 3:
            found += [
                Campaign("s-kolkata", "all", f'at: "{at[1]} 23:59"', "Asia/Kolkata", is_loud=True, wait=57, lasts=6),
                Campaign("s-evening", "mixed", f'at: "{at[2]} 21:59"', "Africa/Casablanca", wait=57, lasts=6),
                Campaign("s-killed-2", "all", f'at: "{at[3]} 10:07"', "Australia/Lord_Howe", is_loud=self.is_loud("all", 4),
                         lasts=6, is_killed=True),
                Campaign("s-expiring", "third", f'at: "{at[2]} 12:07"', "Europe/Berlin", is_loud=True, wait=57, lasts=6,
                         expires=True, more=f'delivery: {{ expires: "{at[2]} 12:08" }}\n')]
        self.campaigns += found

    def times(self, campaign, end):
        """Returns how often a campaign is due before the end, by the calendar of its zone."""
        zone = ZoneInfo(campaign.named_zone)
        kind, _, text = campaign.schedule.partition(": ")
        text = text.strip('"')
        if kind == "at":
            moments = [datetime.fromisoformat(text)]
        else:
            minute, hour, _, _, weekday = text.split()
            dates = [START.date() + timedelta(days=n) for n in range(-2, self.days + 4)]
            moments = [datetime(date.year, date.month, date.day, int(hour), int(minute)) for date in dates
                       if f"{date:%a}".upper() == weekday]
        found = [moment.replace(tzinfo=zone) for moment in moments]
        return sum(START < moment and self.released(campaign, moment) < end for moment in found) + campaign.revision - 1

    def released(self, campaign, moment):
        """Returns a local time, or the end of quiet hours if they hold it, without the spread.

        It is never night for all recipients in the lists with their zones.
        """
        if campaign.audience in self.ZONED:
            return moment
        if not campaign.is_loud and (moment.hour >= 22 or moment.hour < 7):
            day = moment.date() + timedelta(days=moment.hour >= 22)
            return datetime(day.year, day.month, day.day, 7, tzinfo=moment.tzinfo)
        return moment

    # Files

    def write(self, project, half):
        """Writes the project's files. `half`: 1 after the edit of the lists."""
        cap = f"{{ day: {CAP['day']}, week: {CAP['week']} }}"
        project.write(
            "herald.yaml", f"version: 1\nproject: e2e\ntimezone: {PROJECT_ZONE}\ntopics: {{ tides: {{}} }}\n"
            "rules: { inconsistent-person: off, too-many-collapse-keys: off }\n"
            "environments:\n  local:\n    emulator: {}\n    pace: { sends_per_minute: 60000000 }\n"
            f"    guard: {{ per_recipient: {cap}, quiet_hours: {{ from: '{QUIET[0]}', to: '{QUIET[1]}' }} }}\n")
        for name in self.SELECTIONS:
            is_zoned = name in self.ZONED
            rows = (f"{text},{person.name},{zone}\n" if is_zoned else f"{text},{person.name}\n"
                    for person, (text, zone) in self.rows_of(name, half))
            project.write(f"lists/{name}.csv", ("token,person,zone\n" if is_zoned else "token,person\n") + "".join(rows))
            zone = ", timezone: zone" if is_zoned else ""
            project.write(f"campaigns/{name}.yaml", f"audience: {name}\nregistrations: {{ file: lists/{name}.csv, "
                          f"column: token, identity: person{zone} }}\n")
        project.write("lists/members.txt", "".join(f"{text}\n" for text in sorted(self.members)))
        project.write("campaigns/members.yaml",
                      "audience: members\nregistrations: lists/members.txt\nsubscribe: [tides]\n")
        for campaign in self.campaigns:
            project.write(f"campaigns/{campaign.name}.yaml", self.document(campaign))

    def document(self, campaign):
        audience = f"{{ topic: {campaign.audience.strip(chr(39))} }}" if campaign.is_topic else campaign.audience
        schedule = campaign.schedule
        if campaign.zone:
            schedule += f", timezone: {campaign.zone}"
        if campaign.is_loud:
            schedule += ", during_quiet_hours: send, reason: Test"
        exempt = "cap: exempt\nreason: Storms\n" if campaign.is_exempt else ""
        policy = "" if campaign.is_topic else f"on_unknown: {campaign.policy}\n"
        return (f"campaign: {campaign.name}\nrevision: {campaign.revision}\naudience: {audience}\n"
                f"message: {{ notification: {{ title: {json.dumps(campaign.name)} }} }}\n"
                f"schedule: {{ {schedule} }}\n{policy}{exempt}{campaign.more}")
