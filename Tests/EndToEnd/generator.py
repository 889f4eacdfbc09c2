"""Generates projects that herald accepts, and computes the expected result of each project.

The expected sends and subscriptions are computed from the generated values, never from herald's output.
"""

import json
import unicodedata
from datetime import datetime, timedelta, timezone
from zoneinfo import ZoneInfo

from herald import Project, token

ZONES = ["UTC", "Atlantic/Azores", "Asia/Kathmandu", "America/St_Johns", "Pacific/Chatham", "Europe/Berlin"]
TOPICS = ["tides", "azores", "a", "news-2037_x", "100%25~.ok", "-", "T" * 60, "beta", "no", "0123"]
WORDS = [
    "Spring tide", "$GOOG up 1.43%", "100 %", "it's", 'say "hi"', "back\\slash", "naïve façade", "日本語の通知",
    "🌊🐟", "e\u0301 combined", "مرحبا", "{name}", "${HOME}", "$${X}", "a: b # c", "- not a list", "<b>&amp;</b>",
    "null", "~", "true", "0x1F", "1e3", "line\nbreak", "tab\there", " spaces ", "\u2028", "\u202eevil", "\x1b[31m",
    "{registration}", "\u00a0", "\ufeff", "'", "", "%s %d %@", "\x7f", "moment of sending + 5 s",
]
PLAIN = ["850", "2:45", "3.21.15", "0123", "+1.43%", "1e400", "0x1F", "no", "true", "1_000", "12345678901234567890", "-0"]
LABEL = "abzAZ09-_.~%"


class Plain(str):
    """Text that is written without quotation marks."""


def written(value, indent=0):
    """Returns the YAML of a value. Strings are double-quoted, and every special character is escaped."""
    pad = "  " * indent
    if isinstance(value, dict):
        if not value:
            return " {}\n"
        return "\n" + "".join(f"{pad}{quoted(k)}:{written(v, indent + 1)}" for k, v in value.items())
    if isinstance(value, list):
        return " " + flow(value) + "\n"
    return f" {flow(value)}\n"


def flow(value):
    if isinstance(value, list):
        return "[" + ", ".join(map(flow, value)) + "]"
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{quoted(k)}: {flow(v)}" for k, v in value.items()) + " }"
    if isinstance(value, Plain):
        return str(value)
    return quoted(value) if isinstance(value, str) else json.dumps(value)


def quoted(text):
    def one(character):
        if character in '"\\':
            return "\\" + character
        if character == " " or unicodedata.category(character)[0] not in "CZ":
            return character
        return f"\\U{ord(character):08x}"

    return '"' + "".join(map(one, text)) + '"'


class Generator:
    """One project with its registrations and its two rounds."""

    def __init__(self, number, chance, folder, url):
        self.number, self.chance, self.folder = number, chance, folder
        self.zone = chance.choice(ZONES)
        self.topics = chance.sample(TOPICS, chance.randint(1, len(TOPICS)))
        self.known = [token(n, f"p{number}") for n in range(chance.choice([1, 4, 12, 30]))]
        # No device has these registrations. FCM has no record of the first ones and rejects the format of the last
        # ones.
        self.strange = [token(n, f"gone{number}") for n in range(3)] + [token(number, "odd") + "/+=@"]
        header = f"timezone: {self.zone}\nenvironments: {{ bench: {{ emulator: {{ url: \"{url}\" }} }} }}\n"
        if chance.random() < 0.5:
            header += "defaults:" + written({"delivery": self.delivery()}, 1)
        registry = "".join(f"  {quoted(t)}: {{ reach: {chance.randint(0, 9999)} }}\n" for t in self.topics)
        self.project = Project(folder)
        self.project.write("herald.yaml", f"version: 1\nproject: p{number}\n{header}topics:\n{registry}")
        self.lists = {f"list-{n}": self.members() for n in range(chance.randint(1, 3))}
        self.inline = {name: chance.random() < 0.3 for name in self.lists}
        self.subscribed = {name: self.some(self.topics, 0) for name in self.lists if chance.random() < 0.7}
        self.campaigns = {}
        self.done = set()

    def some(self, values, least=1):
        return self.chance.sample(values, self.chance.randint(min(least, len(values)), len(values)))

    def members(self):
        return self.some(self.known) + self.some(self.strange, 0)

    # MARK: rounds

    def begin(self, now):
        for n in range(self.chance.randint(1, 5)):
            self.campaigns[f"c{n}.{self.number}"] = self.campaign(now)
        self.write()

    def change(self, now):
        """Makes the second round: changes lists and memberships, and adds and removes campaigns."""
        for name in self.lists:
            if self.chance.random() < 0.6:
                self.lists[name] = self.members()
            if name in self.subscribed and self.chance.random() < 0.5:
                self.subscribed[name] = self.some(self.topics, 0)
        for name in list(self.campaigns):
            if self.chance.random() < 0.3:
                del self.campaigns[name]
            elif self.chance.random() < 0.3:
                self.campaigns[name]["message"] = self.message()
        self.campaigns[f"late.{self.number}"] = self.campaign(now)
        self.write()

    def write(self):
        for path in (self.folder / "campaigns").glob("*.yaml"):
            path.unlink()
        documents = []
        for name, members in self.lists.items():
            source = members if self.inline[name] else self.project.list(name, members)
            document = {"audience": name, "registrations": source}
            if name in self.subscribed:
                document["subscribe"] = [self.prefixed(t) for t in self.subscribed[name]]
            documents.append(document)
        for name, campaign in self.campaigns.items():
            keys = ("audience", "message", "delivery", "schedule")
            documents.append({"campaign": name} | {k: campaign[k] for k in keys if k in campaign})
        self.chance.shuffle(documents)
        texts = [written(document).lstrip("\n") for document in documents]
        half = self.chance.randint(0, len(texts))
        for name, part in (("a", texts[:half]), ("b", texts[half:])):
            if part:
                self.project.write(f"campaigns/{name}.yaml", "---\n".join(part))

    # MARK: expected results

    def expected_sends(self, now):
        """Returns the campaigns that send to each target at this time, each once."""
        expected = []
        for name, campaign in self.campaigns.items():
            if name in self.done or not self.is_due(campaign, now):
                continue
            self.done.add(name)
            expected += [(target, name) for target in self.targets(campaign["audience"])]
        return expected

    @staticmethod
    def is_due(campaign, now):
        return "at" not in campaign or timedelta(0) <= now - campaign["at"] <= timedelta(minutes=10)

    def targets(self, audience):
        if isinstance(audience, str):
            return self.lists[audience]
        kind, value = next(iter(audience.items()))
        return [value.removeprefix("/topics/")] if kind == "topic" else [value]

    def expected_topics(self):
        """Returns for each known registration the topics to which the audiences subscribe it."""
        wanted = {registration: set() for registration in self.known}
        for name, topics in self.subscribed.items():
            for registration in set(self.lists[name]) & set(self.known):
                wanted[registration] |= set(topics)
        return wanted

    # MARK: values

    def campaign(self, now):
        campaign = {"audience": self.audience(), "message": self.message()}
        if self.chance.random() < 0.6:
            campaign["delivery"] = self.delivery()
        if self.chance.random() < 0.4:
            ago = self.chance.choice([timedelta(minutes=3), -timedelta(days=2), -timedelta(days=400)])
            local = (now - ago).astimezone(ZoneInfo(self.zone)).replace(second=0, microsecond=0)
            campaign["at"] = local.astimezone(timezone.utc)
            campaign["schedule"] = {"at": local.strftime(self.chance.choice(["%Y-%m-%d %H:%M", "%Y-%m-%dT%H:%M:%S"]))}
            self.let_live(campaign)
        return campaign

    @staticmethod
    def let_live(campaign):
        """Makes a campaign that was due four minutes ago still valid: a lifetime counts from the due time."""
        message = campaign["message"]
        # Set it even if the project's defaults have a shorter lifetime.
        campaign["delivery"] = (campaign.get("delivery") or {}) | {"ttl": "12h"}
        for part, key, long in (
                (message.get("android"), "ttl", "86400s"),
                ((message.get("webpush") or {}).get("headers"), "TTL", "86400"),
                ((message.get("apns") or {}).get("headers"), "apns-expiration", "1604750400")):
            if part and key in part:
                part[key] = long

    def prefixed(self, topic):
        return ("/topics/" if self.chance.random() < 0.2 else "") + topic

    def audience(self):
        kind = self.chance.choice(["topic", "condition", "list", "list"])
        if kind == "topic":
            return {"topic": self.prefixed(self.chance.choice(self.topics))}
        if kind == "condition":
            return {"condition": self.short_condition()}
        return self.chance.choice(list(self.lists))

    def short_condition(self):
        """Returns a condition with fewer than six mentions. FCM rejects six, even if they repeat topics."""
        while True:
            text = self.condition(self.chance.sample(self.topics, min(5, len(self.topics))), 3)
            if text.count("topics") <= 5:
                return text

    def condition(self, topics, depth):
        parts = []
        for _ in range(self.chance.randint(1, 3)):
            inner = depth > 0 and self.chance.random() < 0.4
            space = self.chance.choice(["", " ", "  "])
            parts.append(f"({self.condition(topics, depth - 1)}{space})" if inner else f"{space}'{self.chance.choice(topics)}' in  topics")
        operator = self.chance.choice([" && ", "||", " || "])
        return operator.join(parts)

    def delivery(self):
        chance = self.chance
        delivery = {
            "ttl": chance.choice(["0", "90s", "12h", "28d", "1h30m", "2419200s"]),
            "priority": chance.choice(["high", "normal"]),
            "collapse": chance.choice(["k", "spring-tide", "X" * 32])}
        return {key: delivery[key] for key in self.some(list(delivery))}

    def text(self):
        return " ".join(self.chance.choices(WORDS, k=self.chance.randint(1, 4)))

    def data(self):
        keys = self.chance.sample(["score", "a.b", "ключ", "no", "0", "with space", "x-y", "$", "{registration}"], 3)
        return {k: self.text() if self.chance.random() < 0.5 else Plain(self.chance.choice(PLAIN)) for k in keys}

    def free(self, depth=2):
        chance = self.chance
        leaves = [self.text(), chance.randint(-2**63, 2**63 - 1), chance.random() * 1e6, 0.1, 1e21, True, False, None]
        if depth == 0 or chance.random() < 0.4:
            return chance.choice(leaves)
        if chance.random() < 0.4:
            return [self.free(depth - 1) for _ in range(chance.randint(0, 3))]
        return {self.text() + str(n): self.free(depth - 1) for n in range(chance.randint(0, 3))}

    def text_or(self, **fields):
        return self.text() if self.chance.random() < 0.5 else self.part(**fields)

    def label(self):
        return "".join(self.chance.choices(LABEL, k=self.chance.randint(1, 50)))

    def part(self, **fields):
        """Returns a random subset of the fields. Only chosen fields are generated."""
        return {key: make() for key, make in fields.items() if self.chance.random() < 0.4}

    def part_of(self, fields):
        return {key: value for key, value in fields.items() if self.chance.random() < 0.4}

    def flag(self):
        return self.chance.choice([True, False])

    def image(self):
        return self.chance.choice(["http://a", "https://ä.example/🌊?x=%20"])

    def android_notification(self):
        text, flag, chance = self.text, self.flag, self.chance
        localized = {"title_loc_key": text(), "title_loc_args": [text(), text()], "body_loc_key": text()}
        light = {"color": {"red": 1, "green": 0.5}, "light_on_duration": "0.5s", "light_off_duration": "2s"}
        return self.part(
            title=text, body=text, icon=text, sound=text, tag=text, click_action=text, channel_id=text,
            image=self.image, ticker=text, color=lambda: "#1f6fEB", sticky=flag, local_only=flag,
            event_time=lambda: "2037-03-20T17:20:00.5+01:00", default_sound=flag,
            notification_priority=lambda: "PRIORITY_HIGH", visibility=lambda: "SECRET",
            notification_count=lambda: chance.choice([0, 2**31 - 1]), proxy=lambda: "DENY",
            vibrate_timings=lambda: ["0s", "0.25s"], light_settings=lambda: light,
        ) | (localized if chance.random() < 0.3 else {})

    def message(self):
        return self.corrected(self.fields())

    @staticmethod
    def corrected(made):
        """Avoids what FCM rejects: a payload for Apple without `aps`, and priority 10 on Apple platforms for messages
        that show nothing."""
        apns = made.get("apns", {})
        if "payload" in apns and not apns["payload"].get("aps"):
            apns["payload"]["aps"] = {"content-available": 1}
        aps = apns.get("payload", {}).get("aps", {})
        shows = made.get("notification") or any(
            aps.get(key) not in (None, {}) for key in ("alert", "badge", "sound"))
        if not shows and apns.get("headers", {}).get("apns-priority") == "10":
            apns["headers"]["apns-priority"] = "5"
        return made

    def fields(self):
        text, chance = self.text, self.chance
        options = lambda: self.part(analytics_label=self.label)
        link = lambda: "https://" + chance.choice(["example.com/?q=%20&x=1", "ä.example/🌊", "["])
        return self.part(
            notification=lambda: self.part(title=text, body=text, image=self.image),
            data=self.data,
            android=lambda: self.part(
                collapse_key=text, priority=lambda: chance.choice(["normal", "high", "NORMAL", "HIGH"]),
                ttl=lambda: chance.choice(["0s", "3.5s", "2419200s", "1.000000001s"]),
                restricted_package_name=lambda: "com.example.app_2", data=self.data,
                notification=self.android_notification, direct_boot_ok=self.flag,
                bandwidth_constrained_ok=self.flag, restricted_satellite_ok=self.flag,
                fcm_options=options),
            apns=lambda: self.part(
                headers=lambda: {key.replace("_", "-"): value for key, value in self.part(
                    apns_priority=lambda: chance.choice(["1", "5", "10"]),
                    apns_expiration=lambda: chance.choice(["0", "1604750400"]),
                    apns_collapse_id=lambda: "é" * chance.randint(1, 32),
                    apns_push_type=lambda: chance.choice(["alert", "voip"]),
                    apns_topic=lambda: "com.example.App",
                    apns_id=lambda: "eabeae54-14a8-11e5-b60b-1697f925ec7b").items()},
                payload=lambda: self.part(
                    aps=lambda: self.part(
                        alert=lambda: self.text_or(title=text, subtitle=text, body=text),
                        sound=lambda: chance.choice([text(), {"name": text(), "critical": 1, "volume": 0.5}]),
                        badge=lambda: chance.choice([0, 7, 2**31 - 1]),
                        category=text) | self.part_of({
                            "content-available": 1, "interruption-level": "passive", "relevance-score": 0.25,
                            "thread-id": text(), "url-args": [text()]}),
                    custom=self.free, release=lambda: "4.2"),
                fcm_options=lambda: self.part(analytics_label=self.label, image=self.image)),
            webpush=lambda: self.part(
                headers=lambda: self.part(
                    TTL=lambda: chance.choice(["0", "86400"]),
                    Urgency=lambda: chance.choice(["very-low", "low", "normal", "high"]),
                    Topic=lambda: chance.choice(["t", "Y" * 32])),
                data=self.data, notification=lambda: self.part_of({
                    "title": text(), "x": self.free(), "data": self.free(), "dir": "rtl", "silent": True,
                    "timestamp": 8_640_000_000_000_000, "actions": [{"action": text(), "title": text(), "z": self.free()}]}),
                fcm_options=lambda: self.part(link=link, analytics_label=self.label)),
            fcm_options=options)
