"""Subjects of experiments that are unusual: in two arms, in two lists, unknown, or sent to within a second."""

import re

from herald import token
from test_results import AFTER, SENT, VARIANTS, arm, bench, conversions, load, point, results, send, users  # noqa: F401

LATER = "2037-03-25T08:00:00Z"


def with_global_holdout(bench, share):  # noqa: F811
    text = (bench.folder / "herald.yaml").read_text()
    bench.write("herald.yaml", re.sub(r"global_holdout: .*\n", "", text) + f"global_holdout: {share}\n")


def test_people_in_two_arms_count_for_none(bench):  # noqa: F811
    """A larger global hold-out takes people out of their arm between two sends."""
    people = users(1000)
    with_global_holdout(bench, "5%")
    send(bench, people)
    with_global_holdout(bench, "15%")
    text = (bench.folder / "campaigns/sale.yaml").read_text()
    bench.write("campaigns/sale.yaml", text + "revision: 2\n")
    bench.apply(now=LATER).expect(0)
    moved = [user for user in people if 0.05 <= point("global_holdout", user) < 0.15]
    stayed = [user for user in people if point("global_holdout", user) >= 0.15]
    load(bench, conversions(bench, [(user, AFTER) for user in people])).expect(0)
    result, = results(bench, now=LATER)
    assert result["sends"] == 2 and result["in_two_arms"] == len(moved)
    arms = {found["name"]: found["subjects"] for found in result["arms"]}
    for name in ("no message", "short", "long"):
        assert arms[name] == sum(arm(user) == name for user in stayed), name
    bench.herald("results", now=LATER).expect(
        0, f"{len(moved)} people found in two arms", "`global_holdout` was raised between two sends")


def test_weights_cannot_change_and_the_results_stay(bench):  # noqa: F811
    people = users(200)
    send(bench, people)
    before = results(bench)
    changed = VARIANTS.replace("short: { weight: 1 }", "short: { weight: 2 }")
    assert changed != VARIANTS
    text = (bench.folder / "campaigns/sale.yaml").read_text().replace(VARIANTS, changed)
    bench.write("campaigns/sale.yaml", text + "revision: 2\n")
    bench.apply(now=AFTER).expect(65, "the experiment `sale` with other weights", "`experiment: sale-2`")
    assert results(bench) == before
    bench.write("campaigns/sale.yaml", text + "experiment: sale-2\nrevision: 2\n")
    bench.apply(now=AFTER).expect(0)
    result, = results(bench)
    assert result["experiment"] == "sale-2" and result["sends"] == 1
    bench.herald("results", now=AFTER).expect(0, "1 earlier send with other arms")


def test_a_person_in_two_lists_is_in_one_arm(bench):  # noqa: F811
    """Both lists of the set have the person, with different registrations."""
    people = users(300)
    for name in ("phones", "tablets"):
        rows = "".join(f"{token(number, name)},{user}\n" for number, user in enumerate(people))
        bench.write(f"{name}.csv", "registration,user\n" + rows)
    bench.write("campaigns/sale.yaml",
                "audience: phones\nregistrations: { file: phones.csv, identity: user }\n---\n"
                "audience: tablets\nregistrations: { file: tablets.csv, identity: user }\n---\n"
                "audience: all\nunion: [phones, tablets]\n---\n"
                "campaign: sale\naudience: all\nmessage: { notification: { title: Sale } }\n" + VARIANTS)
    bench.emulator.install([token(number, name) for name in ("phones", "tablets") for number in range(len(people))])
    bench.apply(now=SENT).expect(0)
    result, = results(bench)
    arms = {found["name"]: found for found in result["arms"]}
    assert result["in_two_arms"] == 0
    for name in ("no message", "short", "long"):
        assert arms[name]["subjects"] == sum(arm(user) == name for user in people), name


def test_a_row_that_names_two_arms_is_refused(bench):  # noqa: F811
    people = users(30)
    registrations = send(bench, people)
    load(bench, conversions(bench, [("user-1", registrations[-1], AFTER)], "identity,registration,time")).expect(
        3, "several columns that identify a person: identity, registration", "leave all but one of them empty")


def test_unknown_and_early_rows_say_what_to_check(bench):  # noqa: F811
    people = users(20)
    send(bench, people)
    load(bench, conversions(bench, [("stranger", AFTER), ("user-1", "2037-03-20T07:59:59Z")])).expect(
        3, "1 row about subjects of no experiment, in lines 2", "line 3: it happened before the first send",
        "check its time zone")
    load(bench, conversions(bench, [(f"stranger-{number}", AFTER) for number in range(9)])).expect(
        0, "9 rows about subjects of no experiment, in lines 2, 3, 4, 5, 6 and others",
        "No row is about a subject of an experiment")


def test_a_send_within_a_second_is_counted(bench):  # noqa: F811
    """Arms are recorded before the first request, however short the send is."""
    people = users(12)
    registrations = send(bench, people)
    result, = results(bench, now=SENT)
    assert sum(found["subjects"] for found in result["arms"]) == len(people)
    assert sum(found["accepted"] + found["held_out"] for found in result["arms"]) == len(registrations)
    # An outcome in the same second is an effect of the message; one of the second before is not.
    load(bench, conversions(bench, [("user-1", SENT)])).expect(0, "1 new outcome stored")
    load(bench, conversions(bench, [("user-2", "2037-03-20T07:59:59Z")])).expect(3, "before the first send")
