"""Decides whether a record of messages, acknowledgements and an inbox keeps every promise of `herald listen`."""

from collections import Counter
from copy import deepcopy
from dataclasses import dataclass, field


@dataclass
class Record:
    """What happened, in the order in which it happened at the component."""

    # The messages of devices, by ID.
    messages: dict = field(default_factory=dict)
    # Of (connection, ID): what was sent, and what was acknowledged.
    sent: list = field(default_factory=list)
    acknowledged: list = field(default_factory=list)
    # Of (IDs that were acknowledged so far, IDs that the inbox contained), after each kill.
    kills: list = field(default_factory=list)
    # The rows of the inbox at the end.
    inbox: list = field(default_factory=list)


def judge(record):
    """The broken promises, as text."""
    problems = []
    stored = Counter(row["id"] for row in record.inbox)
    problems += [f"{name} is stored {count} times" for name, count in stored.items() if count > 1]
    for row in record.inbox:
        message = record.messages.get(row["id"])
        if message is None:
            problems.append(f"{row['id']} is stored and was never sent")
        elif (row["from"], row["category"], row["data"]) != (message["from"], message["category"], message["data"]):
            problems.append(f"{row['id']} is stored with other content")
    for number, (acknowledged, found) in enumerate(record.kills, 1):
        missing = set(acknowledged) - set(found)
        if missing:
            problems.append(f"after kill {number}, {sorted(missing)[:3]} were acknowledged and not stored")
    sent = set(record.sent)
    for connection, name in record.acknowledged:
        if (connection, name) not in sent:
            problems.append(f"{name} was acknowledged on {connection}, which did not deliver it")
        if name not in stored:
            problems.append(f"{name} was acknowledged and is not stored")
    missing = set(record.messages) - {name for _, name in record.acknowledged}
    if missing:
        problems.append(f"{len(missing)} messages were never acknowledged, such as {sorted(missing)[:3]}")
    return problems


def wrong_records(record):
    """Records with one broken promise each, with the name of the promise."""
    def changed(change):
        copy = deepcopy(record)
        change(copy)
        return copy

    first = next(iter(record.messages))
    another = record.sent[0][0] + "-another"
    yield "stored twice", changed(lambda it: it.inbox.append(it.inbox[0]))
    yield "not stored", changed(lambda it: it.inbox.remove(next(row for row in it.inbox if row["id"] == first)))
    yield "other content", changed(lambda it: it.inbox[0]["data"].update(answer="another"))
    yield "never sent", changed(lambda it: it.inbox.append(it.inbox[0] | {"id": "m-never"}))
    yield "another connection", changed(lambda it: it.acknowledged.append((another, first)))
    yield "never acknowledged", changed(lambda it: setattr(
        it, "acknowledged", [pair for pair in it.acknowledged if pair[1] != first]))
    yield "acknowledged before it was stored", changed(lambda it: it.kills.append(([first], [])))
