"""Generates campaigns with personal text: a list in one of the formats, messages, `locales` and defaults.

Everything is valid, so that herald must send to each row. What it must send is computed by rendering_reference.py.
"""

import copy
import csv
import gzip
import io
import json
from pathlib import Path

from generator import WORDS, Generator, Plain, written
from herald import token
from rendering_reference import PLACEHOLDER, filled, lookup, merged
from test_lists import zstd

COLUMNS = ["name", "first name", "boat", "порт", "a.b", "Name"]
# Quotation marks, line breaks, other control characters, right-to-left text, characters beyond U+FFFF, parts of
# placeholders and of other languages, and texts that are equal only after normalization.
PIECES = ["Ana", "O'Brien", '"', "\\", "\\u0041", "\\n", "\n", "\r\n", "\r", "\t", ",", ";", "{{name}}", "{{", "}}", "{", "%s",
          "${HOME}", "🌊", "👩‍👧", "𝒳", "\U0010fffd", "مرحبا", "שלום", "\u202e", "\u200f", "\u2028", "\u2029", "\x01", "\b", "\f",
          "\x1b[31m", "\x1f", "\x7f", "\x85", "\ufeff", "\uffff", "</script>", "&amp;", " ", "null", "0", "é", "e\u0301", "Å", "\u212b"]
NUMBERS = ["7", "0123", "-0", "1.0", "0.10", "1e3", "123456789012345678901234567890", "true", "false"]
JSON_NUMBERS = set(NUMBERS) - {"0123"}
TAGS = ["pt", "PT-pt", "pt-BR", "pt-br-x-tide", "zh-Hant-TW", "zh-hant", "zh-Hans", "ar-EG", "de-CH-1901", "de-CH-x-a-b",
        "de", "nl-BE", "en", "en-a-bbb-x-c", "i-klingon", "x-tide", "sr-Latn-RS", "he"]
KEYS = ["pt", "pt-BR", "zh-Hant", "ar", "de-CH", "EN", "i-klingon", "sr-latn"]
# Bytes of a value, so that a message stays below FCM's limit of 4,096 bytes.
LONGEST = 40


def text(chance, pieces=4):
    """Returns a text of at most LONGEST bytes that is not empty."""
    made = "".join(chance.choices(PIECES, k=chance.randint(1, pieces)))
    while len(made.encode()) > LONGEST:
        made = made[:-1]
    return made


# MARK: lists


def csv_bytes(table, chance):
    out = io.StringIO()
    # The csv module puts a carriage return in quotation marks only if a line ends in one.
    more = chance.choice([{"lineterminator": "\r\n"}, {"lineterminator": "\n", "quoting": csv.QUOTE_ALL}])
    writer = csv.DictWriter(out, table[0].keys(), **more)
    writer.writeheader()
    writer.writerows(table)
    return ("\ufeff" * chance.choice([0, 0, 1]) + out.getvalue()).encode()


def ndjson_bytes(table, chance):
    """Writes some values as numbers, and leaves out some missing ones."""
    def member(name, value):
        if value in JSON_NUMBERS and name in COLUMNS:
            return f"{json.dumps(name)}: {value}"
        empty = chance.choice(["null", '""'])
        ascii_only = chance.random() < 0.5
        return f"{json.dumps(name, ensure_ascii=ascii_only)}: {json.dumps(value, ensure_ascii=ascii_only) if value else empty}"

    def line(number, row):
        members = [member(*item) for item in row.items() if item[1] or number == 0 or chance.random() < 0.5]
        return "{" + ",".join(members) + "}\n"

    return "".join(line(number, row) for number, row in enumerate(table)).encode()


def zstd_frames(data):
    return b"".join(zstd(data[place:place + 100_000]) for place in range(0, len(data), 100_000))


FORMATS = {"csv": csv_bytes, "ndjson": ndjson_bytes}
COMPRESSIONS = {"": lambda data: data, ".gz": gzip.compress, ".zst": zstd_frames}


# MARK: campaigns


class PersonalCampaign(Generator):
    """A campaign to a list with columns."""

    def __init__(self, number, chance, count):
        self.number, self.chance = number, chance
        self.name = f"personal-{number}"
        self.registration = chance.choice(["registration", "device token"])
        self.locale = chance.choice(["locale", "sprache"])
        self.columns = chance.sample([*COLUMNS, self.registration, self.locale, "unused"], len(COLUMNS) + 3)
        self.content = self.fitting({})
        self.locales = self.patches() if chance.random() < 0.7 else None
        self.defaults = {name: text(chance) for name in COLUMNS if chance.random() < 0.4}
        if self.locales is not None and chance.random() < 0.3:
            self.defaults[self.locale] = chance.choice([tag for tag in TAGS if self.key(tag)] or ["en"])
        self.table = [self.row(number) for number in range(count)]
        self.form, self.compression = chance.choice(list(FORMATS)), chance.choice(list(COMPRESSIONS))

    # MARK: values

    def text(self):
        """Returns a text of a message, with placeholders in two of three cases."""
        words = self.chance.choices(WORDS, k=self.chance.randint(1, 3))
        for _ in range(self.chance.choice([0, 1, 2])):
            space = " " * self.chance.choice([0, 0, 1, 3])
            name = self.chance.choice(COLUMNS)
            words.insert(self.chance.randint(0, len(words)), f"{{{{{space}{name}{space}}}}}")
        return self.chance.choice(["", " "]).join(words)

    def fitting(self, base):
        """Returns a message or a patch that is valid and small enough when it is merged over a base."""
        while True:
            made = self.corrected(self.fields())
            for key in list(base):
                if self.chance.random() < 0.1:
                    # Removes the inherited value.
                    made[key] = None
            whole = merged(base, made)
            longest = json.dumps(filled(whole, dict.fromkeys(COLUMNS, "w" * LONGEST)), ensure_ascii=False)
            if self.corrected(copy.deepcopy(whole)) == whole and len(longest.encode()) < 3_500:
                return made

    def patches(self):
        keys = self.chance.sample(KEYS, self.chance.randint(1, len(KEYS)))
        patches = {key: self.fitting(self.content) if self.chance.random() < 0.9 else {} for key in keys}
        return patches | ({"*": {}} if self.chance.random() < 0.5 else {})

    def key(self, tag):
        return lookup(tag, tuple(self.locales))

    def row(self, number):
        """Returns a row. A column that its text uses has a value or a default."""
        used = self.content
        tag = self.chance.choice(TAGS + [""])
        if self.locales is not None:
            default = self.defaults.get(self.locale, "")
            while "*" not in self.locales and not self.key(tag or default):
                tag = self.chance.choice(TAGS)
            key = self.key(tag or default)
            used = merged(used, self.locales[key]) if key else used
        needed = set(PLACEHOLDER.findall(json.dumps(used, ensure_ascii=False))) - self.defaults.keys()
        values = {name: self.value() if name in needed or self.chance.random() < 0.6 else "" for name in COLUMNS}
        values |= {self.registration: token(number, f"row{self.number}"), self.locale: tag, "unused": "x"}
        return {name: values[name] for name in self.columns}

    def value(self):
        return self.chance.choice(NUMBERS) if self.chance.random() < 0.2 else text(self.chance)

    # MARK: files

    def write(self, project, originals):
        """Writes the documents and the list, and returns the path of the list before its compression."""
        original = Path(originals) / f"{self.name}.{self.form}"
        original.write_bytes(FORMATS[self.form](self.table, self.chance))
        file = f"lists/{self.name}.{self.form}{self.chance.choice(['', self.compression])}"
        (project.folder / "lists").mkdir(exist_ok=True)
        (project.folder / file).write_bytes(COMPRESSIONS[self.compression](original.read_bytes()))
        described = {"file": file, "column": self.registration, "locale": self.locale}
        audience = {"audience": self.name, "registrations": described}
        if self.defaults:
            audience["columns"] = {name: {"default": value} for name, value in self.defaults.items()}
        campaign = {"campaign": self.name, "audience": self.name, "message": self.content}
        if self.locales is not None:
            campaign["locales"] = self.locales
        documents = [written(document).lstrip("\n") for document in (audience, campaign)]
        project.write(f"campaigns/{self.name}.yaml", "---\n".join(documents))
        return original
