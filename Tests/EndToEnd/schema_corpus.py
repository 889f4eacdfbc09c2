"""Generates documents for test_schemas_agree.py: complete documents, and variants with one change each.

A document consists of dictionaries, lists and scalars in YAML spelling. The schemas define the keys and
values. This module does not decide whether a changed document is valid.
"""

import copy
import json
import re
import zlib
from dataclasses import dataclass

MESSAGE = {
    "notification": {"title": "Spring tide", "body": "Stay off the pier.", "image": "https://harbour.example/t.png"},
    "data": {"lot": "0123", "at": "2:45", "beta": "no", "score": "850"},
    "android": {
        "collapse_key": "tide", "priority": "HIGH", "ttl": "3.5s", "restricted_package_name": "example.harbour",
        "data": {"lot": "0124"},
        "notification": {
            "title": "Tide", "body": "Off the pier.", "icon": "wave", "sound": "bell", "tag": "tide",
            "click_action": "OPEN", "channel_id": "warnings", "image": "https://harbour.example/t.png",
            "title_loc_key": "tide_title", "title_loc_args": ["Horta", '"16:42"'],
            "body_loc_key": "tide_body", "body_loc_args": ["Horta"],
            "light_settings": {
                "color": {"red": "1", "green": "0.5"}, "light_on_duration": "0.5s", "light_off_duration": "2s"}},
        "fcm_options": {"analytics_label": "tide-android"}},
    "apns": {
        "headers": {
            "apns-priority": '"10"', "apns-expiration": "2147483647", "apns-collapse-id": "tide",
            "apns-topic": "example.harbour", "apns-id": "eabeae54-14a8-11e5-b60b-1697f925ec7b"},
        "payload": {
            "aps": {
                "alert": {
                    "title": "Tide", "subtitle": "Saturday", "body": "Off the pier.", "launch-image": "wave",
                    "title-loc-key": "TITLE", "title-loc-args": ["Horta"], "loc-key": "BODY", "loc-args": ["Horta"],
                    "subtitle-loc-key": "SUBTITLE", "subtitle-loc-args": ["Horta"]},
                "badge": "3", "sound": {"name": "bell", "critical": "1"}, "category": "TIDE",
                "thread-id": "tides", "content-available": "1", "mutable-content": "1"},
            "tide": {"height": "4.2", "high": "true", "times": ["06:40", "18:55"]}},
        "fcm_options": {"analytics_label": "tide-apple"}},
    "webpush": {
        "headers": {"TTL": "3600", "Urgency": "very-low", "Topic": "tide"},
        "data": {"lot": "0125"},
        "notification": {
            "title": "Tide", "actions": [{"action": "open", "title": "Open"}], "tag": "tide", "renotify": "true",
            "silent": "true"},
        "fcm_options": {"link": "https://harbour.example/tide", "analytics_label": "tide-web"}},
    "fcm_options": {"analytics_label": "tide"},
}
# A minimal message for the project file, where the same definitions apply.
SHORT_MESSAGE = {
    "notification": {"title": "Harbour"}, "data": {"desk": "0123"},
    "android": {"ttl": "60s", "notification": {"title_loc_args": ["Horta"]}},
    "apns": {"payload": {"aps": {"sound": {"critical": "1"}}}},
    "webpush": {"notification": {"actions": [{"action": "open", "title": "Open"}]}}}
# Fields that cannot be combined with the fields of `MESSAGE`.
PREVIEW = {"android_v2": {
    "ttl": "60s",
    "remote_notification": {
        "notification": {"title_loc_key": "tide_title", "title_loc_args": ["Horta"], "id": "7"}, "mutable_content": "true"}}}
LIVE_ACTIVITY = {"apns": {
    "live_activity_token": "b5ae1b5ae1", "headers": {"apns-push-type": "liveactivity"},
    "payload": {"aps": {
        "event": "start", "timestamp": "2120000000", "content-state": {"height": "4.2"}, "stale-date": "2120003600",
        "attributes-type": "Tide", "attributes": {"port": "Horta"}, "relevance-score": "75"}}}}
DEFAULTS = {
    "owner": "duty@harbour.example", "labels": {"team": "harbour", "cost": "850"}, "message": MESSAGE,
    "delivery": {"ttl": "4h", "priority": "high", "collapse": "tide"}, "on_unknown": "stop",
}
PROJECT = {
    "version": "1", "project": "harbour", "timezone": "UTC", "global_holdout": "5%",
    "recall": {"notification": {"title": "Correction", "body": "That was wrong"}},
    "topics": {"tides": {"about": "Tide tables", "reach": "40000"}, "beta": {"test": "true"}, "azores": {}},
    "defaults": DEFAULTS | {"message": SHORT_MESSAGE},
    "sources": {
        "members": {"command": ["./export", "members"], "environment": ["EXPORT_TOKEN"], "format": "csv",
                    "timeout": "5m", "max_drift": "2%"},
        "lapsed": {"postgres": '"${LISTS_URL}"', "query": "SELECT token AS registration FROM anglers", "timeout": "30s"}},
    "environments": {
        "local": {"emulator": {}},
        "stage": {
            "emulator": {}, "lists": {"anglers": "lists/anglers.txt"}, "only": {"labels": {"stage": "ready"}},
            "except": {"names": ["spring-tide"]},
            "defaults": {"owner": "stage@harbour.example", "delivery": {"ttl": "1h"}, "labels": {"team": "stage"}}},
        "bench": {"emulator": {
            "url": '"https://127.0.0.1:9099"', "ca": "ca.pem", "credentials": "keys/harbour.json"}},
        "live": {
            "fcm": {"project_id": "harbour-b5ae1", "sender_id": "1029384756", "credentials": "application-default",
                    "endpoint": '"https://fcm.gateway.example"'},
            "state": {
                "postgres": "postgresql://db.example/herald", "lineage": "b5ae1", "retain": "90d",
                "encryption": {"key": "env:STATE_KEY", "previous": '"command:pass show state"'}},
            "upstream": {"sender_id": "1029384756", "server_key": "env:UPSTREAM_KEY"},
            "protected": "true", "sends": "run",
            "pace": {"sends_per_minute": "600000", "subscriptions_per_second": "3000", "fan_outs": "1",
                     "fan_out_rate": "10000"},
            "guard": {
                "max_recipients": "50000", "max_change": "30%",
                "quiet_hours": {"from": '"22:00"', "to": '"07:00"', "spread": "10m"},
                "per_recipient": {"day": "3", "week": "10"}, "require_reviewed_plan": "false",
                "max_sends_per_run": "1000000", "allow_test": "true",
                "approvals": {
                    "need": "2", "over": "50000", "signers": "approvers/allowed_signers",
                    "revoked": "approvers/revoked_keys", "not_author": "true", "valid": "24h"}},
            "settle": "60s", "max_unknown": "4000",
            "notify": {"webhook": "env:HERALD_WEBHOOK", "secret": "env:HERALD_WEBHOOK_SECRET"}}},
    "rules": {"condition-negation": "off"},
    "x-note": {"any": ["thing"]},
}
CAMPAIGN = {
    "campaign": "spring-tide", "about": "Stay off the pier", "owner": "duty@harbour.example",
    "labels": {"team": "harbour"}, "environments": ["local"],
    "audience": {"condition": "\"'tides' in topics && 'azores' in topics\""},
    "message": MESSAGE,
    "delivery": {"ttl": "4h", "priority": "high", "collapse": "tide"},
    "schedule": {
        "at": "2037-03-20 07:30", "timezone": "UTC", "late": "skip", "late_after": "10m", "jitter": "5m",
        "during_quiet_hours": "send", "reason": "People drown"},
    "priority": "10", "objective": "90% in 2m", "revision": "2", "on_unknown": "retry", "record": "ids", "cap": "exempt",
    "reason": "Storm warnings save lives",
    "acknowledge": {"reach": "120000", "dead": "40%", "change": "600", "reason": "The whole coast"},
    "x-ticket": ["HARBOUR-12"],
}
LIST_CAMPAIGN = {
    "campaign": "catch-log", "audience": "anglers", "exclude": ["staff"], "moved_from": "log", "holdout": "10%",
    "experiment": "invitation",
    "message": {
        "notification": {"title": "Catch log", "body": "Try it"}, "data": {"lot": "0123"},
        "apns": {"payload": {"aps": {"badge": "1", "sound": {"name": "bell", "critical": "1"}}}}},
    "variants": {
        "short": {"weight": "50", "message": {"notification": {"title": "Log"}}}, "long": {"weight": "50"},
        "plain": {"weight": "1"}},
    "recall": {"notification": {"title": "Correction", "body": "That was wrong"}},
    "rollout": {"canary": "staff", "stages": ["1%", "10%", "100%"], "pause": "30m", "stop_when": {"rejected": "5%", "unknown": "10", "held": "true"}},
}
LOCALES_CAMPAIGN = {
    "campaign": "catch-of-the-day", "audience": "anglers",
    "message": {
        "notification": {"title": "A big one", "body": "Look"}, "data": {"lot": "0123"},
        "apns": {"payload": {"aps": {"badge": "1", "sound": {"name": "bell", "critical": "1"}}}}},
    "locales": {
        "pt": {"notification": {"title": "Um grande"}},
        "pt-BR": {"apns": {"payload": {"aps": {"badge": "2", "sound": {"critical": "0"}}}}, "data": {"lot": "0124"}}},
}
ENCRYPTED_CAMPAIGN = {
    "campaign": "own-catch", "audience": {"registrations": {"file": "lists/skippers.csv", "public_key": "key"}},
    "message": {"notification": {"title": "Your catch"}, "data": {"lot": "0123"}},
    "encrypt": {"placeholder": {"title": "Your catch is recorded", "body": "Open the app"}},
}
CORRECTION = {
    "campaign": "catch-correction", "corrects": "catch-log/once/1",
    "message": {"notification": {"title": "Correction", "body": "It was a small one"}},
}
CRON_CAMPAIGN = {
    "campaign": "daily", "audience": {"topic": "tides"}, "message": {"apns": {"payload": {"aps": {"alert": "Tide", "sound": "bell"}}}},
    "schedule": {"cron": '"30 7 * * MON-FRI"', "from": "2037-01-01 00:00", "until": "2037-12-31 00:00"},
}
TIMES_CAMPAIGN = {
    "campaign": "high-tide", "audience": {"registrations": {"file": "lists/pilots.csv", "column": "token"}}, "message": {},
    "schedule": {"at_column": "next_tide"},
}
RULE_CAMPAIGN = {
    "campaign": "monthly", "audience": {"registrations": ["angler:1", "0123"]}, "message": {},
    "schedule": {"rrule": "FREQ=MONTHLY;BYDAY=-1FR", "from": "2037-01-30 18:00", "except": ["2037-02-27 18:00"]},
}
AUDIENCE = {
    "audience": "guests", "about": "Dinner guests", "owner": "club@harbour.example", "labels": {"team": "club"},
    "registrations": ["guest:1", "guest:2"], "subscribe": ["tides", "beta"], "rejoin": "false", "transport": "auto", "test": "true",
    "acknowledge": {"change": "40", "reason": "The season has ended"}, "columns": {"name": {"default": "angler"}},
}
FILE_AUDIENCE = {
    "audience": "skippers",
    "registrations": {
        "file": "lists/skippers.csv", "kind": "token", "column": "registration", "identity": "user",
        "locale": "language", "timezone": "zone", "public_key": "key", "covariate": "bookings",
        "read": "at_apply"},
}
SOURCE_AUDIENCE = {
    "audience": "members", "registrations": {"source": "export", "kind": "token", "column": "token", "identity": "user"},
}
UNION_AUDIENCE = {"audience": "crew", "union": ["anglers"], "except": ["staff"]}
COMMON_AUDIENCE = {"audience": "regulars", "all_of": ["anglers"], "subscribe": ["tides"]}
PHONES = {
    "devices": "pier", "about": "Two phones and a browser", "phones": [
        {"name": "ana", "platform": "android", "registration": "ana:1", "online": "true", "foreground": "false",
         "doze": "false", "force_stopped": "false", "topics": ["tides", "azores"]},
        {"name": "bo", "platform": "apple", "registration": "bo:1"}],
}
MESSAGES = {
    "messages": {
        "harbour": SHORT_MESSAGE | {
            "fcm_options": {"analytics_label": "tide"}, "owner": "duty@harbour.example", "labels": {"team": "harbour"},
            "delivery": {"ttl": "4h", "priority": "high", "collapse": "tide"}, "on_unknown": "stop"}},
    "about": "What the harbour office tells",
}
EXTENDING_CAMPAIGN = {
    "campaign": "fog", "extends": "harbour", "audience": {"topic": "tides"}, "message": {"data": {"lot": "0123"}},
}
REMOVED = {
    "removed": {"audience": "anglers-of-old", "members": "unsubscribe"},
    "acknowledge": {"change": "1200", "reason": "The pier is gone"},
}
UPSTREAM_RULE = {
    "upstream": "answer", "about": "What anglers answer",
    "match": {"category": "com.example.harbour", "data": {"action": "answer"}},
    "subscribe": ["tides"], "unsubscribe": ["azores"], "opt_out": "false", "event": "answered", "campaign": "question",
    "append": "answers.csv",
    "reply": {"notification": {"title": "Thank you", "body": "It counts."}, "data": {"lot": "7"}, "android": {"ttl": "3600s"}},
}
CAMPAIGNS = {
    "spring": CAMPAIGN, "log": LIST_CAMPAIGN, "catch": LOCALES_CAMPAIGN, "daily": CRON_CAMPAIGN, "monthly": RULE_CAMPAIGN, "high-tide": TIMES_CAMPAIGN,
    "own-catch": ENCRYPTED_CAMPAIGN,
    "group": {"campaign": "group", "audience": {"group": "the-pier"}, "message": {}, "delivery": {"expires": "2037-03-20 18:00"}},
    "preview": {"campaign": "preview", "audience": {"topic": "tides"}, "message": PREVIEW},
    "activity": {"campaign": "activity", "audience": {"topic": "tides"}, "message": LIVE_ACTIVITY},
    "file": {"campaign": "file", "audience": {"registrations": "lists/anglers.txt"}, "message": {}},
    "fog": EXTENDING_CAMPAIGN, "messages": MESSAGES,
    "guests": AUDIENCE, "skippers": FILE_AUDIENCE, "members": SOURCE_AUDIENCE, "crew": UNION_AUDIENCE,
    "regulars": COMMON_AUDIENCE, "phones": PHONES, "removed": REMOVED,
    "answer": UPSTREAM_RULE,
    "correction": CORRECTION,
}
# Values on which the rest of a document depends: a list's columns depend on the extension of its file name, a source is
# declared in the project file, and an answered campaign in another file.
FIXED = {
    ("skippers", ("registrations", "file")), ("members", ("registrations", "source")), ("spring", ("environments",)),
    ("spring", ("environments", 0)), ("answer", ("campaign",))}

# Valid and invalid author-defined names.
NAMES = ['"a b"', '"q\\u00e9"', '""', "q" * 300, "from", "froms", "message_type", "google.a", "agoogle.b", "gcm.notification.a"]
# Plain scalars that YAML 1.1 or 1.2 does not read as text, or that look like such scalars.
TRAPS = ["0123", "2:45", "no", "850", "0", "-7", "1.5", "1e3", "true", "~", "2037-03-20", "2037-03-20 07:30", '""']
# Plain scalars that YAML 1.2 reads as numbers, which loses their spelling.
RESPELT = {"0123", "1e3"}


def yaml(value, indent=""):
    """Returns YAML in block style. Scalars are written unchanged."""
    if isinstance(value, dict) and value:
        return "".join(f"\n{indent}{key}:{yaml(item, indent + '  ')}" for key, item in value.items())
    if isinstance(value, list) and value:
        return "".join(f"\n{indent}- {yaml(item, indent + '  ').lstrip()}" for item in value)
    return " " + ({dict: "{}", list: "[]"}.get(type(value)) or value)


def default_path(path):
    """Returns the path of the default that a null at this path removes."""
    if path[0] != "messages" or len(path) < 3:
        return path
    return path[2:] if path[2] in DEFAULTS else ("message", *path[2:])


@dataclass(frozen=True)
class Case:
    schema: str
    name: str
    text: str
    project: str = ""  # the project file for a campaign
    place: tuple = ()  # the changed key and its definition
    change: str = ""  # the kind of change


class Variants:
    """One document, and every document that differs from it in one place."""

    def __init__(self, kind, name, document, schema, samples, seen):
        self.kind, self.name, self.document, self.root = kind, name, document, schema
        self.samples, self.seen = samples, seen
        self.cases = []
        self.place = (name,)

    def all(self):
        self.add((), self.document, "as it is", "none")
        self.mapping((), self.document, self.resolve(self.root, self.document))
        return self.cases

    # Schema of a place

    def resolve(self, schema, value):
        """Returns the part of a schema that describes values like this one."""
        if "$ref" in schema:
            name = schema["$ref"].rsplit("/", 1)[1]
            return self.resolve(self.root["definitions"][name] | {"definition": name}, value)
        if "if" in schema:
            key = schema["if"].get("required", [None])[0]
            return self.resolve(schema["then"] if key in value else schema["else"], value)
        if "properties" not in schema and "allOf" in schema:
            return self.resolve(schema["allOf"][0], value)
        if "anyOf" in schema:
            kind = {dict: "object", list: "array"}.get(type(value), "string")
            parts = [self.resolve(part, value) for part in schema["anyOf"]]
            return next((part for part in parts if kind in part.get("type", "string")), {})
        return schema

    # Changes

    def add(self, path, document, what, change):
        label = f"{self.name} {'.'.join(map(str, path))}: {what}"
        text = yaml(document).lstrip("\n") + "\n"
        self.cases.append(Case(self.kind, label, text, self.project(path, what), self.place, change))

    def project(self, path, what):
        """Adds a project whose defaults set the value that a null removes."""
        return "defaults" if what == "~" and path and default_path(path)[0] in DEFAULTS else "plain"

    def replace(self, path, value, change, what=None):
        if value == "~" and default_path(path)[0] in DEFAULTS and not self.has_default(path):
            return
        document = copy.deepcopy(self.document)
        place = document
        for step in path[:-1]:
            place = place[step]
        place[path[-1]] = value
        self.add(path, document, what or value, change)

    def edit(self, path, key, edit, what, change):
        """Adds a document with other entries in a mapping; `key` is the changed key."""
        document = copy.deepcopy(self.document)
        place = document
        for step in path:
            place = place[step]
        entries = edit(list(place.items()))
        place.clear()
        place.update(entries)
        mapping, self.place = self.place, (*self.place, key)
        self.add(path, document, what, change)
        self.place = mapping

    def mapping(self, path, value, schema):
        is_named = isinstance(schema.get("additionalProperties"), dict)
        place = self.place = (self.kind, schema.get("definition"))
        is_new = place not in self.seen
        is_closed = schema.get("additionalProperties") is False and is_new
        self.seen.add(place)
        for key in value:
            self.edit(path, key, lambda items: [i for i in items if i[0] != key], f"without {key}", "without")
            if is_closed:
                wrong = key + "q" if len(self.cases) % 2 else key.swapcase()
                self.edit(path, key, lambda items: [(wrong if k == key else k, v) for k, v in items], wrong, "misspelt")
        if is_closed:
            self.edit(path, "x-mine", lambda items: [*items, ("x-mine", {"any": ["thing"]})], "with x-mine", "with")
            self.edit(path, "mine", lambda items: [*items, ("mine", "thing")], "with mine", "with")
        for key in schema.get("properties", {}):
            sample = self.samples.get((schema.get("definition"), key))
            if is_new and key not in value and sample is not None:
                self.edit(path, key, lambda items: [*items, (key, sample)], f"with {key}", "with")
        if is_named:
            for name in NAMES:
                item = next(iter(value.values()))
                self.edit(path, name, lambda items: [*items, (name, item)], f"with the name {name[:20]}", "with")
        for key, item in value.items():
            inner = schema.get("properties", {}).get(key)
            if inner is None and isinstance(schema.get("additionalProperties"), dict):
                inner = schema["additionalProperties"]
            if inner is not None and not key.startswith("x-"):
                self.value((*path, key), item, inner, (self.kind, schema.get("definition"), key))

    def value(self, path, value, described, place):
        """Changes a value; `place` is the key of a definition. Scalars are tried only at its first occurrence."""
        schema = self.resolve(described, value)
        is_new = place not in self.seen and (self.name, path) not in FIXED
        self.seen.add(place)
        self.place = place
        if is_new:
            self.kinds(path, value)
        if isinstance(value, dict):
            self.mapping(path, value, schema)
        elif isinstance(value, list):
            self.replace(path, [], "empty")
            self.value((*path, 0), value[0], schema["items"], (*place, 0))
        elif is_new:
            self.scalars(path, value, schema)
        if is_new:
            self.place = place
            self.examples(path, described)

    def examples(self, path, described):
        for number, example in enumerate(described.get("examples", [])):
            self.replace(path, json.dumps(example), "example", f"example {number}")

    def scalars(self, path, value, schema):
        if "enum" in schema:
            self.choice(path, schema["enum"])
        elif "pattern" in schema or set(schema.get("type", [])) - {"string", "number", "boolean", "null"}:
            self.scalar(path, value, schema)
        else:
            for trap in TRAPS if len(path) < 3 else self.some_traps():
                self.replace(path, trap, "lookalike")

    def some_traps(self, count=3):
        """Returns a different selection of traps for each place."""
        return [TRAPS[(len(self.cases) + 5 * number) % len(TRAPS)] for number in range(count)]

    def kinds(self, path, value):
        for kind, other in ((list, "[a]"), (dict, "{ a: b }"), (str, "some text"), (None, "~")):
            if not isinstance(value, kind or ()):
                is_default = other == "~" and default_path(path)[0] in DEFAULTS
                self.replace(path, other, "null" if is_default else "kind")

    def has_default(self, path):
        place = DEFAULTS
        for step in default_path(path):
            place = place.get(step) if isinstance(place, dict) else None
        return place is not None

    def choice(self, path, values):
        for value in values:
            if isinstance(value, str):
                self.replace(path, json.dumps(value), "choice")
                self.replace(path, json.dumps(value + "q"), "other choice")
                self.replace(path, value.upper(), "upper case")
        for trap in TRAPS:
            if trap not in RESPELT:
                self.replace(path, trap, "lookalike")

    def scalar(self, path, value, schema):
        text = value.strip('"')
        is_integer = schema["type"] == ["integer", "string"]
        for trap in self.some_traps(7):
            # An integer may have leading zeros.
            if trap not in RESPELT or trap == "0123" and is_integer:
                self.replace(path, trap, "lookalike")
        for trap in self.some_traps():
            if not trap.startswith('"'):
                self.replace(path, f'"{trap}"', "quoted")
        if not is_integer:
            for other in (text.upper(), text[:-1], text + " ", " " + text, text + "\u00e9", text * 20, text + text[-1]):
                self.replace(path, json.dumps(other, ensure_ascii=False), "other text")
        for limit, step in (("minimum", -1), ("maximum", 1)):
            if limit in schema:
                for number in (schema[limit], schema[limit] + step):
                    self.replace(path, str(number), f"{limit} {number}")
                    self.replace(path, f'"{number}"', "quoted")
        if "\\$\\{" in schema.get("pattern", ""):
            for variable in ('"${HERALD_A}"', '"a${HERALD_A}b"', '"$${HERALD_A}"', "${HERALD_A}${HERALD_B}"):
                self.replace(path, variable, "variable")


class Samples(Variants):
    """Records an example value for each key of each mapping."""

    def mapping(self, path, value, schema):
        for key, item in value.items():
            self.samples.setdefault((schema.get("definition"), key), item)
        super().mapping(path, value, schema)


def spelt(value):
    """Returns a JSON value with its scalars in quotation marks, as the documents here have them."""
    if isinstance(value, dict):
        return {key: spelt(item) for key, item in value.items()}
    return [spelt(item) for item in value] if isinstance(value, list) else json.dumps(value)


def of_schema(schema, root):
    """Returns an example value for a schema. Nested mappings include their required keys."""
    if schema.get("examples"):
        return spelt(schema["examples"][0])
    for part in schema.get("allOf", []) + schema.get("anyOf", []):
        return of_schema(part, root)
    for name in references(schema) if "$ref" in schema else []:
        return completed({}, root["definitions"][name], root)
    if "enum" in schema:
        return json.dumps(schema["enum"][0])
    types = schema.get("type", "string")
    kind = types if isinstance(types, str) else types[0]
    if kind == "array":
        return [of_schema(schema["items"], root)]
    return {"object": {"a": "b"}, "boolean": "true"}.get(kind) or str(schema.get("minimum", "text"))


def completed(value, definition, root):
    """Adds the keys that a mapping requires."""
    for key in needed(value, definition):
        if key not in value:
            return completed(value | {key: of_schema(definition["properties"][key], root)}, definition, root)
    return value


def needed(value, definition):
    yield from definition.get("required", [])
    for part in definition.get("allOf", []):
        # In a mapping that null may remove, a group applies only if there is a mapping.
        group = part.get("oneOf") or part.get("then", {}).get("oneOf", [])
        if group and not any(kind["required"][0] in value for kind in group):
            yield group[0]["required"][0]
        (key,) = part.get("if", {}).get("required", [None])
        one_of = part.get("if", {}).get("properties", {}).get(key, {}).get("enum")
        if key in value and (one_of is None or value[key].strip('"') in one_of):
            yield from part["then"]["required"]


def references(schema):
    """Returns the names of the definitions that a property refers to."""
    if "$ref" in schema:
        return [schema["$ref"].rsplit("/", 1)[1]]
    parts = schema.get("allOf", []) + schema.get("anyOf", []) + ([schema["items"]] if "items" in schema else [])
    return [name for part in parts for name in references(part)]


def uncovered_fields(root, name, known, met):
    """Yields the fields that no document above has, each in a message with its required fields."""
    if name in met:
        return
    met.add(name)
    definition = root["definitions"][name]
    for key, described in definition["properties"].items():
        if (name, key) not in known:
            yield key, completed({key: of_schema(described, root)}, definition, root)
        for inner in references(described):
            is_list = "array" in described.get("type", [])
            for path, value in uncovered_fields(root, inner, known, met):
                yield f"{key}.{path}", completed({key: [value] if is_list else value}, definition, root)


def names(cases):
    """Returns everything in the documents that could be the name of a topic or an audience."""
    words = set()
    for case in cases:
        for word in re.findall(r'(?:[a-z_]+|-|0): "?([A-Za-z0-9_.~%-]{1,300})"?$|- "?([A-Za-z0-9_.~%-]+)"?$', case.text, re.M):
            words.update(filter(None, word))
    return sorted(words)


def sample(cases):
    """Returns all complete documents and a third of the kinds of change and keys, the same cases in each run."""
    chosen = {}
    for case in cases:
        rank = zlib.crc32(case.name.encode())
        if rank <= chosen.setdefault((case.place, case.change), (rank, case))[0]:
            chosen[case.place, case.change] = rank, case
    return [
        case for case in cases
        for rank, first in [chosen[case.place, case.change]]
        if first is case and (rank % 3 == 0 or case.name.endswith(" : as it is"))]


def corpus(schemas):
    """Returns all cases, without duplicate texts."""
    documents = [("project", "herald.yaml", PROJECT)]
    documents += [("campaign", name, document) for name, document in CAMPAIGNS.items()]
    samples, seen, cases = {}, set(), []
    for kind, name, document in documents:
        Samples(kind, name, document, schemas[kind], samples, set()).all()
    (message,) = references(schemas["campaign"]["definitions"]["a-campaign"]["properties"]["message"])
    for path, fields in uncovered_fields(schemas["campaign"], message, set(samples), set()):
        document = {"campaign": "only", "audience": {"topic": "tides"}, "message": fields}
        documents.append(("campaign", f"only-{path}", document))
    for kind, name, document in documents:
        cases += Variants(kind, name, document, schemas[kind], samples, seen).all()
    different = {}
    for case in cases:
        different.setdefault((case.schema, case.text, case.project), case)
    return list(different.values())
