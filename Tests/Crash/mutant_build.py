#!/usr/bin/python3
"""Builds a Herald with thirteen faults, of which HERALD_MUTANT switches on one: mutant_build.py FOLDER

Copies the sources to FOLDER/sources, puts the faults in there, and builds FOLDER/build/debug/herald. The
faults are replacements of texts, each of which must occur exactly once below Sources.
"""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# What `swift build` needs; a manifest names the folders of all targets.
COPIED = ("Package.swift", "Package.resolved", "Sources", "Tests")


class Stale(Exception):
    """A text to replace does not occur exactly once."""


# By mutant: the texts to replace and their replacements, which call `isMutant` to check whether they are on.
MUTANTS = {
    # The high-water mark is recorded after the requests below it were passed to the transport.
    "ledger-after-send": [
        ("        return [takeRecord(released: mark)]\n",
         """\
        if isMutant("ledger-after-send") {
            released += releasing
            releasing = []
        }
        return [takeRecord(released: mark)]
"""),
        ("            try await ledger.record(outcomes + passed, released: released, of: sending.unit.id)\n",
         """\
            if isMutant("ledger-after-send") { try? await Task.sleep(for: .milliseconds(5)) }
            try await ledger.record(outcomes + passed, released: released, of: sending.unit.id)
""")],
    # A request is recorded as accepted before its answer.
    "outcome-before-answer": [(
        "            group.addTask { await dispatcher.send(numbers, from: source, to: inbox) }\n",
        """\
            let unit = sending.unit.id
            group.addTask {
                if isMutant("outcome-before-answer") {
                    try? await dispatcher.stores.ledger.record(
                        numbers.map { .init(index: $0, outcome: .accepted) },
                        released: nil,
                        of: unit
                    )
                }
                await dispatcher.send(numbers, from: source, to: inbox)
            }
""")],
    # Requests that were released before a crash count as not sent.
    "released-is-intended": [(
        "outcome: .unknown,\n                        detail: OutcomeDetail(\n                            FlightVerdict.cutOff,",
        'outcome: isMutant("released-is-intended") ? .returned : .unknown,\n                        '
        "detail: OutcomeDetail(\n                            FlightVerdict.cutOff,")],
    # A request is not noted before it is written.
    "unnoted-write": [(
        "        guard let notes else { return }\n",
        """\
        guard let notes else { return }
        if isMutant("unnoted-write") { return }
""")],
    # A 503 counts as proof that nothing was delivered.
    "503-is-undelivered": [(
        "        case 500...599, 408, 425, 499:\n            .failed(",
        """\
        case 503 where isMutant("503-is-undelivered"): .unwritten(reason: error.status)
        case 500...599, 408, 425, 499:
            .failed(""")],
    # libcurl has a body that it can resend by itself, and the second attempt is not prevented.
    "post-fields": [
        ("        body = request.body\n",
         """\
        body = request.body
        if isMutant("post-fields") {
            try easy.set(CURLOPT_COPYPOSTFIELDS, to: String(decoding: body, as: UTF8.self))
        }
"""),
        ("        guard !mayHaveBeenSent else {\n",
         """\
        if isMutant("post-fields") { mayHaveBeenSent = false }
        guard !mayHaveBeenSent else {
""")],
    # Every process gets the writer's lock.
    "no-lock": [
        ("        try lockErrors(path: path) { () throws(SystemError) in try lock.value.tryLock() }\n",
         """\
        if isMutant("no-lock") { return true }
        return try lockErrors(path: path) { () throws(SystemError) in try lock.value.tryLock() }
"""),
        ("        let isHeld = try lockErrors(path: path) { () throws(SystemError) in\n",
         """\
        if isMutant("no-lock") { return false }
        let isHeld = try lockErrors(path: path) { () throws(SystemError) in
""")],
    # The high-water mark is ignored when the state is read.
    "mark-ignored": [(
        "        self.released = released\n        self.tally = tally\n",
        '        self.released = isMutant("mark-ignored") ? 0 : released\n        self.tally = tally\n')],
    # Commits are not synced.
    "synchronous-normal": [(
        "    private static let synchronous = 2\n",
        '    private static let synchronous = isMutant("synchronous-normal") ? 1 : 2\n')],
    # A single send is repeated after a 5xx even if no platform displays the message.
    "repeats-data": [(
        "        let isReplaced = RepeatEffect(of: template).replacesEverywhere\n",
        '        let isReplaced = isMutant("repeats-data") || RepeatEffect(of: template).replacesEverywhere\n')],
    # A send that resumes gives the text of the first locale to the rows of all others.
    "wrong-locale": [(
        "                others.append(OtherMessage(key, template: template))\n",
        """\
                let first = isMutant("wrong-locale") ? others.first?.template : nil
                others.append(OtherMessage(key, template: first ?? template))
""")],
    # The guard for test topics checks only the first topic of a condition.
    "first-topic-only": [(
        "            let topics = campaign.target.topics.filter { project.topics[$0]?.isTest ?? false }\n",
        """\
            let checked = isMutant("first-topic-only") ? 1 : campaign.target.topics.count
            let topics = campaign.target.topics.prefix(checked)
                .filter { project.topics[$0]?.isTest ?? false }
""")],
    # A plan file is renamed before its contents are on the disk.
    "unsynced-plan": [(
        "            try AtomicFile(path).write(Array(text.utf8), permissions: 0o600)\n",
        """\
            if isMutant("unsynced-plan") {
                var draft = try FileDraft(
                    Array(text.utf8), at: path + ".new", permissions: 0o600, isSynced: false)
                return try draft.replace(path)
            }
            try AtomicFile(path).write(Array(text.utf8), permissions: 0o600)
""")],
}
# Appended to each file that has a fault.
SWITCH = """
import class FoundationEssentials.ProcessInfo

private let chosenMutant = ProcessInfo.processInfo.environment["HERALD_MUTANT"]

private func isMutant(_ name: String) -> Bool { chosenMutant == name }
"""


def mutated(sources):
    """Returns the new text, by path, of each file that has a fault. `sources` has the text of each file by path."""
    changed = {}
    for mutant, replacements in MUTANTS.items():
        for old, new in replacements:
            found = [path for path, text in sources.items() for _ in range(text.count(old))]
            if len(found) != 1:
                raise Stale(f"{mutant}: found in {len(found)} places instead of one: {old.strip()!r} {sorted(map(str, found))}")
            path, = found
            text = changed.get(path, sources[path])
            if text.count(old) != 1:
                raise Stale(f"{mutant}: another mutant replaces a part of {old.strip()!r}")
            changed[path] = text.replace(old, new)
    return {path: text + SWITCH for path, text in changed.items()}


def swift_sources(folder):
    return {path: path.read_text() for path in sorted(folder.rglob("*.swift"))}


def write(path, content):
    """Leaves a file unchanged if it already has the content, so that it is not compiled again."""
    if not path.exists() or path.read_bytes() != content:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


def copy(folder):
    """Writes the sources with their faults, and removes all other files."""
    faulty = mutated(swift_sources(ROOT / "Sources"))
    files = [path for name in COPIED for path in (ROOT / name, *(ROOT / name).rglob("*"))
             if path.is_file() and "__pycache__" not in path.parts]
    for path in files:
        write(folder / path.relative_to(ROOT), faulty[path].encode() if path in faulty else path.read_bytes())
    wanted = {folder / path.relative_to(ROOT) for path in files}
    for path in [path for path in folder.rglob("*") if path.is_file()]:
        if path not in wanted:
            path.unlink()


def main():
    folder = Path(sys.argv[1]).resolve()
    sources, build = folder / "sources", folder / "build"
    try:
        copy(sources)
    except Stale as error:
        sys.exit(f"mutant_build.py: {error}")
    subprocess.run(
        ["swift", "build", "--package-path", sources, "--scratch-path", build, "--product", "herald"],
        check=True)


if __name__ == "__main__":
    main()
