"""Compiles the module Statistics with Intervals.swift, also with a deliberate fault, and evaluates looks with it."""

import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
MODULE = ROOT / "Sources/Engine/Statistics"
SETTINGS = ["-swift-version", "6", "-package-name", "herald", "-O", "-wmo",
            *(word for name in ("ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility")
              for word in ("-enable-upcoming-feature", name))]

# The columns that the program prints for each arm, before the verdict.
COLUMNS = ("estimate", "size", "p", "adjusted", "lower", "upper", "fixed_lower", "fixed_upper", "shown_lower",
           "shown_upper", "value")
VERDICTS = ("ratioMismatch", "tooEarly", "better", "worse", "noDifference", "undecided")


@dataclass
class Answers:
    """What the program printed: one row per look, in the order of the looks."""

    # (looks, 3): the sequential and the chi-square p value of the arms' sizes, and CUPED's theta.
    head: np.ndarray
    # (looks, arms - 1, columns).
    numbers: np.ndarray
    # (looks, arms - 1): indices of VERDICTS.
    verdicts: np.ndarray

    def column(self, name):
        return self.numbers[:, :, COLUMNS.index(name)]

    def is_verdict(self, *names):
        return np.isin(self.verdicts, [VERDICTS.index(name) for name in names])


class Program:
    def __init__(self, folder, edits=()):
        """`edits`: pairs of a file, a text that it contains once, and the text that replaces it."""
        sources = Path(folder) / "Statistics"
        shutil.copytree(MODULE, sources)
        for name, old, new in edits:
            text = (sources / name).read_text()
            if text.count(old) != 1:
                raise SystemExit(f"run.py: {name} does not contain this text once, so the fault cannot be made: {old}")
            (sources / name).write_text(text.replace(old, new))
        self.binary = Path(folder) / "intervals"
        module = Path(folder) / "Statistics.swiftmodule"
        library = Path(folder) / "libStatistics.a"
        self.compile("-module-name", "Statistics", "-parse-as-library", "-emit-library", "-static", "-emit-module",
                     "-emit-module-path", module, "-o", library, *sorted(sources.glob("*.swift")))
        self.compile("-module-name", "Intervals", "-parse-as-library", "-I", folder, "-o", self.binary,
                     Path(__file__).with_name("Intervals.swift"), library)

    @staticmethod
    def compile(*arguments):
        subprocess.run(["swiftc", *SETTINGS, *map(str, arguments)], check=True)

    def lines(self, lines):
        """Returns what the program prints for lines: one line for each."""
        text = "\n".join(lines) + "\n"
        done = subprocess.run([self.binary], input=text, text=True, stdout=subprocess.PIPE, check=True)
        answers = done.stdout.splitlines()
        if len(answers) != len(lines):
            raise SystemExit(f"run.py: {len(lines)} lines were written to the program, and {len(answers)} were read")
        return answers

    def evaluate(self, looks):
        """Evaluates looks of experiments that have the same number of arms."""
        rows = [line.split() for line in self.lines(looks)]
        width = len(COLUMNS) + 1
        head = np.array([row[:3] for row in rows], float)
        arms = [[row[at:at + width] for at in range(3, len(row), width)] for row in rows]
        numbers = np.array([[arm[:-1] for arm in row] for row in arms], float)
        verdicts = np.array([[VERDICTS.index(arm[-1]) for arm in row] for row in arms])
        return Answers(head, numbers, verdicts)
