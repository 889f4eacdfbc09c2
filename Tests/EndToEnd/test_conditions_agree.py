"""`herald explain` agrees with an independent evaluator on generated conditions.

The evaluator implements only the rules of Firebase's page on topic messaging: parentheses first, then left
to right; `!` negates the next operand. All combinations of subscriptions are compared.
"""

import json
import random
import re
from concurrent.futures import ThreadPoolExecutor
from itertools import combinations

import pytest

from herald import run

SEED = 5
COUNT = 5000
CONDITIONS_PER_CALL = 250
NAMES = ["tides", "azores", "madeira", "Beta-2", "a.b~c%20_d", "in", "topics"]
TOKENS = re.compile(r"\s*('(?P<topic>[^']*)'\s*in\s+topics|&&|\|\||[()!])")


def some_condition(rng, topics, depth=3):
    """Returns a condition that mixes operators, with and without parentheses and with optional spaces."""
    text = ""
    for n in range(rng.choice([1, 2, 2, 3, 4])):
        operator = rng.choice(["&&", "||", " && ", " || ", "\n&& "]) if n else ""
        negation = rng.choice(["", "", "", "!", "! ", "!!"])
        if depth and rng.random() < 0.35:
            operand = f"({rng.choice(['', ' '])}{some_condition(rng, topics, depth - 1)})"
        else:
            prefix = rng.choice(["", "", "", "/topics/"])
            operand = f"'{prefix}{rng.choice(topics)}'{rng.choice(['', ' ', '  '])}in topics"
        text += operator + negation + operand
    return text


def tokens(text):
    found, position = [], 0
    while position < len(text):
        match = TOKENS.match(text, position)
        assert match, f"{text[position:]!r} in {text!r}"
        topic = match["topic"]
        found.append(("topic", topic.removeprefix("/topics/")) if topic is not None else (match[1], None))
        position = match.end()
    return found


def holds(stream, subscribed):
    """Evaluates while parsing. Every operand is evaluated, so the whole text is consumed."""
    value, operator = None, None
    while True:
        negated = False
        while stream and stream[-1][0] == "!":
            stream.pop()
            negated = not negated
        kind, topic = stream.pop()
        if kind == "(":
            operand = holds(stream, subscribed)
            assert stream.pop()[0] == ")"
        else:
            assert kind == "topic"
            operand = topic in subscribed
        operand ^= negated
        value = operand if operator is None else (value and operand if operator == "&&" else value or operand)
        if not stream or stream[-1][0] == ")":
            return value
        operator = stream.pop()[0]
        assert operator in ("&&", "||")


def expected(text):
    """Returns the topics, and whether the condition reaches each combination of them."""
    found = tokens(text)
    topics = list(dict.fromkeys(topic for kind, topic in found if kind == "topic"))
    sets = [set(s) for size in range(len(topics) + 1) for s in combinations(topics, size)]
    return topics, {frozenset(s): holds(found[::-1], s) for s in sets}


def explained(texts):
    done = run("explain", *texts, "--format", "json")
    answers = json.loads(done.out)
    answers = answers if len(texts) > 1 else [answers]
    severities = {finding["severity"] for answer in answers for finding in answer["findings"]}
    done.expect(65 if "error" in severities else 0)
    return answers


def table(answer):
    rows = {frozenset(row["subscribed"]): row["reached"] for row in answer["rows"]}
    assert len(rows) == len(answer["rows"]) == 2 ** len(answer["topics"])
    return rows


@pytest.mark.parametrize("text, reached", [
    ("'a' in topics || 'b' in topics && 'c' in topics", ["ac", "bc", "abc"]),
    ("'a' in topics && !('b' in topics)", ["a"]),
    ("! 'a' in topics && 'b' in topics", ["b"]),
])
def test_evaluator_is_right_for_known_answers(text, reached):
    _, rows = expected(text)
    assert {frozenset(names) for names in reached} == {row for row, value in rows.items() if value}


@pytest.mark.covers("A51", "F3-order", "F3-precedence")
def test_herald_agrees_with_an_independent_evaluator():
    rng = random.Random(SEED)
    texts = [some_condition(rng, rng.sample(NAMES, rng.randint(1, 5))) for _ in range(COUNT)]
    parts = [texts[n:n + CONDITIONS_PER_CALL] for n in range(0, COUNT, CONDITIONS_PER_CALL)]
    with ThreadPoolExecutor(2) as pool:
        answers = [answer for part in pool.map(explained, parts) for answer in part]
    assert len(answers) == COUNT
    sizes, trues = set(), 0
    for text, answer in zip(texts, answers):
        topics, rows = expected(text)
        assert answer["expression"] == text
        assert answer["topics"] == topics, text
        assert table(answer) == rows, text
        check_canonical(text, answer, rows)
        sizes.add(len(topics))
        trues += any(rows.values()) and not all(rows.values())
    assert sizes == {1, 2, 3, 4, 5} and trues > COUNT / 2


def check_canonical(text, answer, rows):
    """Checks that the canonical form is equivalent. Only a constant has none."""
    if answer["canonical"] is None:
        assert len(set(rows.values())) == 1, text
        return
    found = tokens(answer["canonical"])
    for subscribed, reached in rows.items():
        assert holds(found[::-1], subscribed) == reached, f"{text}\n{answer['canonical']}"


@pytest.mark.covers("A50", "A52", "A53", "A54")
def test_prints_the_truth_table_as_text():
    out = run("explain", "'tides' in topics && ('azores' in topics || 'madeira' in topics)").expect(0).out
    assert out == """\
  means  'tides' in topics && ('azores' in topics || 'madeira' in topics)
  names  3 topics in 3 mentions

reaches 3 of 8 sets of subscriptions
  subscribed to tides and azores, not to madeira
  subscribed to tides and madeira, not to azores
  subscribed to tides, azores and madeira
"""


def test_prints_findings_after_the_table():
    run("explain", "'a' in topics || !('b' in topics)").expect(
        65, "  not subscribed to a or b\n", "error[condition-reaches-everybody]", "warning[condition-negation]")


def test_exits_with_65_if_a_rule_refuses_one_of_the_conditions():
    bad, good, mild = "!('a' in topics)", "'a' in topics", "'a' in topics && !('b' in topics)"
    run("explain", good, mild).expect(0, "warning[condition-negation]")
    run("explain", good, bad).expect(65, "error[condition-negations-only]", "  means  'a' in topics")
    answer = json.loads(run("explain", bad, "--format", "json").expect(65).out)
    assert {finding["rule"] for finding in answer["findings"]} == {"condition-negation", "condition-negations-only"}


def test_reports_the_position_of_a_syntax_error():
    done = run("explain", "'tides' in topics and 'azores' in topics").expect(
        65, "error[condition-syntax]", "--> condition:1:19")
    assert done.out == ""


def test_warnings_do_not_block_an_apply(project):
    project.write("herald.yaml", "version: 1\nproject: e2e\ntopics: { a: {}, b: {} }\n")
    project.campaign("mild", "{ condition: \"'a' in topics && !('b' in topics)\" }")
    project.herald("validate").expect(0, "warning[condition-negation]", "1 warning")
    assert len(project.plan()["campaigns"]) == 1
    project.apply().expect(0)
    assert project.log.accepted() == {"'a' in topics && !('b' in topics)": 1}
    project.campaign("wide", "{ condition: \"'a' in topics || !('b' in topics)\" }")
    project.herald("validate").expect(65, "error[condition-reaches-everybody]")
    project.apply().expect(65)
