#!/usr/bin/python3
"""Writes Documentation/Internals/Coverage.md: each statement of the FCM documents and the tests that show it.

The statements are in Tests/Coverage/statements.tsv. A test names the statements that it shows:
`@Test(.covers("A51"))` or `@Suite(.covers("A51"))` in Swift, `@pytest.mark.covers("A51")` in
Python. Prints every problem with its place and exits with 1 if there is one. With --check, writes
nothing and also reports a stale table.
"""

import ast
import bisect
import re
import sys
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
STATEMENTS = Path("Tests/Coverage/statements.tsv")
TABLE = Path("Documentation/Internals/Coverage.md")
AREAS = {
    "language", "linter", "emulator", "ledger", "review", "plan view", "sending", "phones",
    "lists", "upstream", "doctor", "client guide",
}


@dataclass
class Statement:
    id: str
    line: int
    source: str
    text: str
    instead: str
    tests: list = field(default_factory=list)


@dataclass
class Group:
    title: str
    statements: list = field(default_factory=list)


@dataclass(frozen=True)
class Tag:
    """One id on one test."""
    id: str
    test: str
    place: str


# MARK: statements


def read_statements(problems):
    """Returns the sources by key and the groups, in the order of the file."""
    sources, groups, seen = {}, [], {}
    for number, line in enumerate((ROOT / STATEMENTS).read_text().splitlines(), 1):
        place = f"{STATEMENTS}:{number}"
        fields = line.split("\t")
        if not line.strip() or line.startswith("#"):
            continue
        if fields[0] == "source" and len(fields) == 3:
            sources[fields[1]] = fields[2]
        elif fields[0] == "group" and len(fields) == 2:
            groups.append(Group(fields[1]))
        elif len(fields) in (3, 4) and groups and all(fields):
            id, source, text, instead = (fields + [""])[:4]
            if id in seen:
                problems.append(f"{place}: {id} is already the statement of line {seen[id]}")
                continue
            problems += [f"{place}: {id} has the unknown source {key}" for key in source.split(",") if key not in sources]
            problems += [f"{place}: {id}: {wrong}" for wrong in reason_problems(instead)]
            seen[id] = number
            groups[-1].statements.append(Statement(id, number, source, text, instead))
        else:
            problems.append(f"{place}: not a statement: expected id, source, text and an optional reason, separated by tabs")
    return sources, groups


def reason_problems(instead):
    """Yields the problems of the reason for a missing test."""
    kind, _, rest = instead.partition(": ")
    if instead and kind not in ("later", "not ours"):
        yield f"`{instead}` is neither `later: AREA` nor `not ours: because …`"
    if kind == "later" and rest not in AREAS:
        yield f"`{rest}` is not an area; the areas are {', '.join(sorted(AREAS))}"
    if kind == "not ours" and not rest.startswith("because "):
        yield "`not ours` needs a reason: `not ours: because …`"


# MARK: tags in Python


def python_tags(path, problems):
    """Yields the tags of a Python file."""
    name, text = path.relative_to(ROOT), path.read_text()
    if "mark.covers" not in text:
        return
    tree = ast.parse(text, str(name))
    decorators = {
        id(decorator): node
        for node in ast.walk(tree) if isinstance(node, (ast.FunctionDef, ast.ClassDef))
        for decorator in node.decorator_list}
    for call in ast.walk(tree):
        if not (isinstance(call, ast.Call) and ast.unparse(call.func) == "pytest.mark.covers"):
            continue
        place = f"{name}:{call.lineno}"
        test = decorators.get(id(call))
        if test is None or not test.name.lower().startswith("test"):
            problems.append(f"{place}: `covers` is not on a test")
            continue
        if not call.args or not all(isinstance(a, ast.Constant) and isinstance(a.value, str) for a in call.args):
            problems.append(f"{place}: `covers` takes quoted ids")
            continue
        sentence = test.name.removeprefix("test_").replace("_", " ")
        for argument in call.args:
            yield Tag(argument.value, f"{path.name}: {sentence}", f"{name}:{argument.lineno}")


# MARK: tags in Swift


BEGINNING = re.compile(r'["/#]')
LITERAL = re.compile(r'(#*)("""|"|(?<=#)/)')


def code_of(text):
    """Replaces comments and string literals with spaces; positions stay the same."""
    out, index = list(text), 0
    while opening := BEGINNING.search(text, index):
        index = opening.start()
        end = comment_end(text, index) or literal_end(text, index)
        if end is None:
            index += 1
            continue
        for position in range(index, min(end, len(text))):
            if text[position] != "\n":
                out[position] = " "
        index = end
    return "".join(out)


def comment_end(text, index):
    """Returns the position after the comment that begins at `index`, or None."""
    if text.startswith("//", index):
        end = text.find("\n", index)
        return len(text) if end < 0 else end
    if not text.startswith("/*", index):
        return None
    depth, index = 1, index + 2
    while depth and index < len(text):
        step = text[index:index + 2]
        depth += {"/*": 1, "*/": -1}.get(step, 0)
        index += 2 if step in ("/*", "*/") else 1
    return index


def literal_end(text, index):
    """Returns the position after the string literal or `#`-delimited regular expression at `index`, or None."""
    opening = LITERAL.match(text, index)
    if not opening:
        return None
    hashes, quote = opening[1], opening[2]
    index, close, escape = opening.end(), quote + hashes, "\\" + hashes
    while index < len(text) and not text.startswith(close, index):
        if quote == '"' and text[index] == "\n":
            return index
        if not text.startswith(escape, index) or quote == "/":
            index += 1
        elif text.startswith("(", index + len(escape)):
            index = parenthesis_end(text, index + len(escape))
        else:
            index += len(escape) + 1
    return index + len(close)


def parenthesis_end(text, index):
    """Returns the position after the parenthesis that closes the one at `index`."""
    depth = 0
    while index < len(text):
        end = comment_end(text, index) or literal_end(text, index)
        if end is not None:
            index = end
            continue
        depth += {"(": 1, ")": -1}.get(text[index], 0)
        index += 1
        if depth == 0:
            break
    return index


ATTRIBUTE = re.compile(r"@(Test|Suite)\s*\(")
DECLARED = re.compile(r"\b(?:func|struct|class|enum|actor|extension)\s+(?:`([^`]+)`|(\w+))")
COVERS = re.compile(r"\.covers\s*\(")


def swift_tags(path, problems):
    """Yields the tags of a Swift file."""
    text, name = path.read_text(), path.relative_to(ROOT)
    code = code_of(text)
    starts = [0] + [match.end() for match in re.finditer("\n", text)]
    line = lambda offset: bisect.bisect_right(starts, offset)
    owners = {}
    for attribute in ATTRIBUTE.finditer(code):
        end = parenthesis_end(text, attribute.end() - 1)
        declared = DECLARED.search(code, end)
        sentence = (declared[1] or declared[2]) if declared else "?"
        if attribute[1] == "Suite":
            sentence = f"all of {sentence}"
        owners[attribute.end(), end] = sentence
    for tag in COVERS.finditer(code):
        place = f"{name}:{line(tag.start())}"
        owner = next((s for (start, end), s in owners.items() if start <= tag.start() < end), None)
        if owner is None:
            problems.append(f"{place}: `covers` is not on a test")
            continue
        end = parenthesis_end(text, tag.end() - 1)
        arguments = text[tag.end():end - 1]
        if not re.fullmatch(r'\s*"[^"\\]+"\s*(,\s*"[^"\\]+"\s*)*,?\s*', arguments):
            problems.append(f"{place}: `covers` takes quoted ids")
            continue
        for found in re.finditer(r'"([^"]+)"', arguments):
            yield Tag(found[1], f"{path.name}: {owner}", f"{name}:{line(tag.end() + found.start())}")


# MARK: the table


def attach(groups, tags, problems):
    """Adds the tests to their statements."""
    statements = {s.id: s for group in groups for s in group.statements}
    for tag in tags:
        statement = statements.get(tag.id)
        if statement is None:
            problems.append(f"{tag.place}: {tag.id} is not a statement of {STATEMENTS}")
        elif tag.test in statement.tests:
            problems.append(f"{tag.place}: {tag.id} appears twice on this test")
        else:
            statement.tests.append(tag.test)
    for statement in statements.values():
        place = f"{STATEMENTS}:{statement.line}: {statement.id}"
        if statement.tests and statement.instead:
            problems.append(f"{place} has a test ({statement.tests[0]}) and the reason `{statement.instead}`: one of them is stale")
        if not statement.tests and not statement.instead:
            problems.append(f"{place} has neither a test nor `later: AREA` nor `not ours: because …`")


def render(sources, groups):
    """Returns the table as Markdown."""
    statements = [s for group in groups for s in group.statements]
    later = Counter(s.instead.removeprefix("later: ") for s in statements if s.instead.startswith("later: "))
    shown = sum(bool(s.tests) for s in statements)
    lines = [
        "# FCM's statements and the tests that show them", "",
        f"`make coverage` generates this page from `{STATEMENTS}` and the `covers` tags of the tests. Do not edit",
        "it. `make check` fails if a statement has neither a test nor a reason.", "",
        "The reason is `later: AREA` if Herald will support the statement, and `not ours` if nothing in Herald can",
        "show it.", "",
        f"{len(statements)} statements: {shown} shown by tests, {sum(later.values())} later, "
        f"{len(statements) - shown - sum(later.values())} not ours.", ""]
    if later:
        lines += ["Later: " + ", ".join(f"{area} {count}" for area, count in sorted(later.items())) + ".", ""]
    for group in groups:
        tested = sum(bool(s.tests) for s in group.statements)
        lines += [
            f"## {group.title}", "", f"{tested} of {len(group.statements)} shown by tests.", "",
            "| id | statement | source | shown by |", "| --- | --- | --- | --- |"]
        lines += [row(statement) for statement in group.statements]
        lines.append("")
    lines += ["## Sources", "", "| key | source |", "| --- | --- |"]
    lines += [f"| {key} | {escaped(name)} |" for key, name in sources.items()]
    return "\n".join(lines) + "\n"


def row(statement):
    how = "<br>".join(map(escaped, sorted(statement.tests))) or f"*{escaped(statement.instead)}*"
    source = statement.source.replace(",", ", ")
    return f"| {statement.id} | {escaped(statement.text)} | {source} | {how} |"


def escaped(text):
    return text.replace("|", "\\|")


def staleness(text):
    """Names the first line in which the committed table differs from the generated one."""
    path = ROOT / TABLE
    if not path.exists():
        return [f"{TABLE}: is missing; run `make coverage`"]
    there, made = path.read_text().split("\n"), text.split("\n")
    for number, (old, new) in enumerate(zip(there + [""] * len(made), made + [""] * len(there)), 1):
        if old != new:
            return [f"{TABLE}:{number}: is stale; run `make coverage`"]
    return []


def main(arguments):
    if arguments not in ([], ["--check"]):
        print(__doc__, file=sys.stderr)
        return 64
    problems = []
    sources, groups = read_statements(problems)
    tags = []
    for path in sorted((ROOT / "Tests").rglob("*.swift")):
        tags += swift_tags(path, problems)
    for path in sorted((ROOT / "Tests/EndToEnd").glob("*.py")):
        tags += python_tags(path, problems)
    attach(groups, tags, problems)
    text = render(sources, groups)
    if arguments == ["--check"]:
        problems += staleness(text)
    else:
        (ROOT / TABLE).write_text(text)
    for problem in problems:
        print(problem, file=sys.stderr)
    return 1 if problems else 0


sys.exit(main(sys.argv[1:]))
