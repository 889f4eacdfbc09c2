"""What each run of a rollout must send, if quiet hours hold people and a cap leaves people out.

The model knows only the lists: it computes with hashlib and `zoneinfo`.
"""

import random
from collections import defaultdict
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from herald import token
from test_rollout import point


@dataclass(frozen=True)
class Person:
    name: str
    zone: str
    devices: tuple

    def local(self, instant):
        return instant.astimezone(ZoneInfo(self.zone))

    def is_quiet(self, instant):
        hour = self.local(instant).hour
        return hour >= 22 or hour < 7


@dataclass
class Model:
    """What each run must send: stage after stage, without people who are over the cap or in quiet hours.

    A stage ends when nothing of it is left except for people in quiet hours. They get the message with a later stage. A
    stage of which nothing was sent waits for them.
    """

    canary: list
    people: list
    pause: timedelta
    begins: datetime
    shares: tuple = (0.1, 0.5, 1)
    stage: int = 0
    sent_in_stage: int = 0
    # The devices with an outcome, and those of them that the cap left out.
    done: set = field(default_factory=set)
    capped: set = field(default_factory=set)
    contacts: dict = field(default_factory=lambda: defaultdict(list))
    reached: set = field(default_factory=set)

    def stage_of(self, person):
        if person in self.canary:
            return 0
        return 1 + next(n for n, bound in enumerate(self.shares) if point(person.name) < bound)

    def contact(self, people, now):
        """Notes a message of another campaign, which its own cap may have left out."""
        for person in people:
            if not self.is_over(person, now):
                self.contacts[person].append(person.local(now).date())

    def is_over(self, person, now):
        return person.local(now).date() in self.contacts[person]

    def run(self, now):
        """Returns the registrations that a run at this time must address, stage by stage."""
        found = []
        while self.begins <= now:
            addressed, waits = self.address(now)
            found.append(addressed)
            self.sent_in_stage += len(addressed)
            if self.stage == len(self.shares) or waits and not self.sent_in_stage:
                break
            self.begins = now + self.pause if self.sent_in_stage else now
            self.stage, self.sent_in_stage = self.stage + 1, 0
        return found

    def address(self, now):
        addressed, waits = set(), False
        for person in [*self.canary, *self.people]:
            rest = set(person.devices) - self.done
            if not rest or self.stage_of(person) > self.stage:
                continue
            if person.is_quiet(now):
                waits = True
                continue
            self.done |= rest
            if person not in self.reached and self.is_over(person, now):
                self.capped |= rest
                continue
            if person not in self.reached:
                self.reached.add(person)
                self.contacts[person].append(person.local(now).date())
            addressed |= rest
        return addressed, waits

    def owners(self):
        return {text: person for person in [*self.canary, *self.people] for text in person.devices}


def crowd(count, zones=("UTC",), family="crowd", most=2):
    """Returns people with up to `most` devices each."""
    generator, people = random.Random(25), []
    for number in range(count):
        devices = tuple(token(most * number + n, family) for n in range(generator.randint(1, most)))
        people.append(Person(f"{family}-{number}", zones[number % len(zones)], devices))
    return people


STAFF = crowd(3, family="staff", most=1)
