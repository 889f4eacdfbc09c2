"""The summary of a run."""

from dataclasses import dataclass, field


@dataclass
class Outcome:
    """What happened in a run, for its summary."""

    seed: int
    problems: list = field(default_factory=list)
    kills: int = 0
    inside: int = 0
    # Processes that ended by themselves.
    ended: int = 0
    seconds: float = 0
    # Seconds from the end of the last fault to the end of the last occurrence.
    rest: float = 0
    sends: int = 0
    unknown: int = 0
    # The requests that the faults may have made unknown, by the permits of their workers.
    may_be_unknown: int = 0
    # Seconds from the first to the last request.
    span: float = 0
    # The longest time in seconds without a request.
    pause: float = 0
    # Requests that were sent twice, as the state says.
    listed_twice: int = 0
    faults: list = field(default_factory=list)
    # The kinds of faults that began before everything had ended.
    played: list = field(default_factory=list)
