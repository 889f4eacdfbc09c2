"""Reads a Dockerfile into its stages and instructions."""

import json
import re
from dataclasses import dataclass, field

KNOWN = {"FROM", "RUN", "COPY", "WORKDIR", "USER", "VOLUME", "EXPOSE", "HEALTHCHECK", "ENTRYPOINT", "CMD", "ENV", "LABEL"}


@dataclass
class Stage:
    image: str
    name: str
    instructions: list = field(default_factory=list)

    def all(self, word):
        return [text for name, text in self.instructions if name == word]


def stages(text):
    """Returns the stages of a Dockerfile. Raises ValueError for what no builder accepts."""
    found = []
    for line in joined(text):
        word, _, rest = line.partition(" ")
        if word not in KNOWN:
            raise ValueError(f"unknown instruction {word}")
        if word == "FROM":
            match = re.fullmatch(r"(\S+)(?: AS (\S+))?", rest.strip())
            if not match:
                raise ValueError(f"invalid FROM: {rest}")
            found.append(Stage(match[1], match[2] or ""))
        elif not found:
            raise ValueError(f"{word} before FROM")
        else:
            found[-1].instructions.append((word, rest.strip()))
    return found


def joined(text):
    """Yields logical lines, without comments; a backslash continues a line."""
    line = ""
    for part in text.splitlines():
        if part.lstrip().startswith("#") or (not line and not part.strip()):
            continue
        line += part.strip()
        if line.endswith("\\"):
            line = line[:-1]
            continue
        yield line
        line = ""
    if line:
        raise ValueError("the last line continues")


def words(text):
    """Returns the words of an instruction in exec form, after its options."""
    array = text[text.index("["):]
    value = json.loads(array)
    if not value or not all(isinstance(word, str) for word in value):
        raise ValueError(f"not in exec form: {text}")
    return value
