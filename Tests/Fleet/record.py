"""What is left of a run, as plain data: the requests in the emulator's log, and what the state says about them."""

import json
import sys
from collections import Counter
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

import samples

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "EndToEnd"))
from herald import fingerprint  # noqa: E402

# The outcomes of the bytes, and the details that some of them contain (StoredOutcome).
OUTCOMES = ("intended", "accepted", "rejected", "unknown", "expired", "suppressed", "cancelled", "returned",
            "suppressed", "suppressed", "suppressed", "rejected")
DEAD = 8


@dataclass
class Request:
    """A line of the log."""

    status: int
    # Whether FCM performed it, regardless of its answer.
    is_taken: bool
    message: str | None
    # When it arrived and when it was answered, in seconds since 1970.
    begin: float
    end: float

    @property
    def may_be_taken(self):
        """Whether its sender cannot exclude that FCM performed it."""
        return self.is_taken or self.status == 0 or self.status >= 500


@dataclass
class Occurrence:
    name: str
    registrations: tuple
    status: int
    # A byte for each registration.
    outcomes: bytes
    # (first, past) of requests that the state names as possibly doubled.
    doubled: list
    # What `herald status` says: counts, and the fingerprints of unknown requests.
    counts: dict
    unknown: set
    keeps_ids: bool
    # What `herald history` shows: outcomes in the order of the list, and message IDs by request.
    shown: list = field(default_factory=list)
    ids: dict = field(default_factory=dict)
    # By request, its lines of the log in their order.
    requests: dict = field(default_factory=dict)

    def outcome(self, request):
        return OUTCOMES[self.outcomes[request]]

    def is_named(self, request):
        return any(first <= request < past for first, past in self.doubled)


@dataclass
class Record:
    occurrences: dict
    # Requests of the log to a registration outside of its campaign's list.
    strangers: list
    sources: list
    # The numbers of the occurrences in the tables, which the sources use.
    units: dict
    max_unknown: int
    # The most permits that all workers had together.
    permits: int
    # By fingerprint as in `herald status`, the registrations whose outcome is unknown.
    names: dict
    # Rows of the fleet that must not be left when the last worker has ended.
    leftovers: dict
    # `chain` of `herald history`, and the states of its runs.
    is_history_intact: bool
    runs: Counter


# MARK: The log


def is_taken(entry):
    fault = entry.get("fault")
    if fault:
        return fault["effect"].startswith("performed") and fault.get("concealed", entry)["status"] in (200, 0)
    return entry["status"] == 200


def seconds(entry):
    return datetime.fromisoformat(entry["time"].replace("Z", "+00:00")).timestamp()


def read_log(log, occurrences, delays):
    """Adds the requests to their occurrences, and returns those that belong to none.

    `delays`: by rule of the fault script, the seconds from a request to its answer.
    """
    numbers = {name: {text: number for number, text in enumerate(one.registrations)} for name, one in occurrences.items()}
    strangers = []
    for entry in log.each_send():
        message = entry["body"]["message"]
        name, text = message.get("data", {}).get("campaign"), message.get("token")
        number = numbers.get(name, {}).get(text)
        if number is None:
            strangers.append((name, text))
            continue
        given, begin = entry["answer"] or {}, seconds(entry)
        end = begin + delays.get(entry.get("fault", {}).get("rule"), 0)
        occurrences[name].requests.setdefault(number, []).append(
            Request(entry["status"], is_taken(entry), given.get("name", "").rsplit("/", 1)[-1] or None, begin, end))
    return strangers


def times(record):
    """Returns when the requests arrived, in order."""
    return sorted(each.begin for one in record.occurrences.values() for sent in one.requests.values() for each in sent)


# MARK: The state


class Reader:
    def __init__(self, run):
        self.run = run

    def rows(self, sql):
        """Returns the rows as dictionaries; bytes are hexadecimal."""
        text = self.run.server.psql(
            f"SET search_path = herald; SELECT coalesce(json_agg(row_to_json(q)), '[]') FROM ({sql}) q", self.run.database)
        return json.loads(text)

    def outcomes(self, unit, count):
        """Returns a byte for each request: those of `outcome_final`, replaced by those of `outcome_log`."""
        found = bytearray(count)
        for row in self.rows(f"SELECT chunk * block AS first, encode(outcomes, 'hex') AS bytes FROM outcome_final "
                             f"JOIN units ON units.id = unit WHERE unit = {unit}"):
            part = bytes.fromhex(row["bytes"])
            found[row["first"]:row["first"] + len(part)] = part
        for row in self.rows(f"SELECT first, encode(outcomes, 'hex') AS bytes FROM outcome_log WHERE unit = {unit} ORDER BY number"):
            unpack(bytes.fromhex(row["bytes"]), row["first"], found)
        assert len(found) == count
        return bytes(found)

    def occurrences(self):
        """Returns the occurrences by campaign, and their numbers in the tables."""
        status = json.loads(self.run.herald("status", "--all", "--format", "json").expect(0).out)
        shown = {each["campaign"]: each for each in status["occurrences"]}
        lists = {campaign.name: campaign for campaign in self.run.drawing.campaigns}
        found, units = {}, {}
        for row in self.rows("SELECT campaign, status, unit, count FROM occurrences LEFT JOIN units ON units.id = unit"):
            name, unit = row["campaign"], row["unit"] or 0
            said = shown.get(name, {})
            doubled = self.rows(f"SELECT first, count FROM fleet_doubled WHERE unit = {unit}")
            found[name] = Occurrence(
                name, lists[name].registrations, row["status"], self.outcomes(unit, row["count"] or 0),
                [(each["first"], each["first"] + each["count"]) for each in doubled],
                said.get("counts", {}), {each["registration"] for each in said.get("unknown", [])},
                lists[name].keeps_ids)
            units[name] = unit
        return found, units

    def add_history(self, occurrences, runs):
        """Adds what `herald history` shows for each request. A run shows its occurrences with the work of all runs."""
        missing = set(occurrences)
        list_ = f"campaigns/{self.run.drawing.campaigns[0].name}.csv"
        for number in runs:
            if not missing:
                break
            result = self.run.herald("history", number, "--join", list_, "--columns", "row", "--format", "ndjson")
            found = set()
            for line in result.out.splitlines():
                row = json.loads(line)
                name = row["occurrence"].split("/")[0]
                found.add(name)
                if name in missing:
                    occurrences[name].shown.append(row["outcome"])
                    if row["message"]:
                        occurrences[name].ids[row["request"] - 1] = row["message"].rsplit("/", 1)[-1]
            missing -= found

    def names(self, occurrences):
        key = bytes.fromhex(self.rows("SELECT encode(fingerprint_key, 'hex') AS key FROM meta")[0]["key"])
        return {fingerprint(key, text).hex()[:16]: text for one in occurrences.values()
                for text, byte in zip(one.registrations, one.outcomes) if OUTCOMES[byte] == "unknown"}

    def read(self):
        occurrences, units = self.occurrences()
        drawing, taken = self.run.drawing, self.run.samples
        delays = {rule["id"]: rule.get("delivery", {}).get("delay_milliseconds", 0) / 1_000 for rule in drawing.script["rules"]}
        strangers = read_log(self.run.log, occurrences, delays)
        history = json.loads(self.run.herald("history", "--limit", "1000", "--format", "json").expect(0).out)
        self.add_history(occurrences, [each["run"] for each in history["runs"]])
        # The attempts are dropped with their partition, an hour later.
        # The row of a killed worker stays until its lease has ended.
        killed = ", ".join(["0", *(str(running.process.pid) for running in self.run.expected)])
        tables = {"fleet_workers": f"process NOT IN ({killed})", "fleet_occurrences": "true", "work_units": "true"}
        return Record(
            occurrences, strangers, samples.sources(self.run.interruptions, taken, drawing.max_unknown), units,
            drawing.max_unknown, max(sum(sample.permits.values()) for sample in taken), self.names(occurrences),
            {table: count for table, condition in tables.items()
             if (count := self.rows(f"SELECT count(*) FROM {table} WHERE {condition}")[0]["count"])},
            history["chain"]["intact"], Counter(each["status"] for each in history["runs"]))


def unpack(data, first, found):
    """Writes a block of outcomes (OutcomeBlock): gaps and runs, with the outcome in the lowest four bits of a run."""
    numbers, number, shift = [], 0, 0
    for byte in data:
        number |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            numbers.append(number)
            number = shift = 0
    place = first
    for gap, run in zip(numbers[::2], numbers[1::2], strict=True):
        place += gap
        found[place:place + (run >> 4)] = bytes([run & 15]) * (run >> 4)
        place += run >> 4
