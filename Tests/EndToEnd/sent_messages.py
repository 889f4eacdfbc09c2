"""Compares the messages in the emulator's log with the expected ones, as exact values."""

import copy
import hashlib

# The fields by which a repeated message replaces the first one. Herald writes a key there if the author wrote none and
# the platform displays the message (Documentation/Operations/Ledger.md).
REPLACEMENT_FIELDS = (("android", "notification", "tag"), ("apns", "headers", "apns-collapse-id"),
                      ("webpush", "notification", "tag"))


def replacement_key(campaign):
    """Returns the key of the campaign's only occurrence, computed independently of herald."""
    return hashlib.sha256(f"{campaign}/once/1".encode()).hexdigest()[:16]


def with_key(message, sent, key):
    """Returns an expected message with the key in the fields where the sent one has it and the author wrote nothing."""
    message = copy.deepcopy(message)
    for *path, name in REPLACEMENT_FIELDS:
        source, target = sent, message
        for part in path:
            source = source.get(part, {})
            target = target.get(part, {})
        if source.get(name) == key and name not in target:
            place = message
            for part in path:
                place = place.setdefault(part, {})
            place[name] = key
    return message


def same(value, other):
    """Returns whether two JSON values are equal. Numbers are compared by value, and a Boolean is not a number."""
    if isinstance(value, dict) and isinstance(other, dict):
        return value.keys() == other.keys() and all(same(each, other[key]) for key, each in value.items())
    if isinstance(value, list) and isinstance(other, list):
        return len(value) == len(other) and all(map(same, value, other))
    return value == other and isinstance(value, bool) == isinstance(other, bool)


# More rows than this are never between two requests that are sent one after the other.
MOST_WAITING = 10_000


def differences(rows, entries, registration, expected):
    """Yields the differences between the sends in a log and the rows of a list, whose order is almost the same.

    Holds only the rows whose message was not reached yet. `registration`: the name of the column of the
    registrations. `expected` returns the message of a row without its target, and gets the sent one.
    """
    rows, waiting = iter(rows), {}
    for entry in entries:
        sent = dict(entry["body"]["message"])
        target = sent.pop("token")
        while target not in waiting and len(waiting) < MOST_WAITING and (row := next(rows, None)):
            waiting[row[registration]] = row
        if target not in waiting:
            yield f"{target} was sent to twice, or is not in the list"
            return
        wanted = expected(waiting.pop(target), sent)
        if entry["status"] != 200 or entry["body"].keys() != {"message"} or not same(sent, wanted):
            yield f"{target} got status {entry['status']} and\n{entry['body']}, not\n{wanted}"
    missing = [*waiting, *(row[registration] for row in rows)]
    if missing:
        yield f"{len(missing)} rows got nothing, the first {missing[0]}"
