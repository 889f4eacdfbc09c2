"""Variants and hold-outs. The expected arm of each person is computed with hashlib."""

import hashlib
import json
from collections import Counter

import pytest

from herald import Emulator, Project, token
from postgres import free_port
from services import apply_earlier, due_campaign
from test_postgres_state import IN_POSTGRES, E, database, herald  # noqa: F401

PEOPLE, EACH = 600, 2
COUNT = PEOPLE * EACH
VARIANTS = "variants:\n  control: { weight: 1 }\n  short: { weight: 3, message: { notification: { title: Tide! } } }\n"
TITLES = {"control": "High tide", "short": "Tide!"}


def person(number):
    return f"user-{number // EACH}"


def point(experiment, subject, project="e2e"):
    digest = hashlib.sha256(f"{project}\0{experiment}\0{subject}".encode()).digest()
    return int.from_bytes(digest[:8], "big") / 2**64


def arm(subject, experiment="spring", holdout=0.1, shared=0.0, control=0.25):
    """Returns the variant of a person, or nothing for those who are held out."""
    if point("global_holdout", subject) < shared or point(experiment, subject) < holdout:
        return None
    return "control" if point(experiment, subject) < holdout + (1 - holdout) * control else "short"


@pytest.fixture
def bench(tmp_path):
    project = Project(tmp_path / "project")
    prepare(project)
    with Emulator(project) as emulator:
        emulator.install([token(n) for n in range(COUNT)])
        project.emulator = emulator
        yield project


def prepare(project, count=COUNT):
    rows = "".join(f"{person(n)},{token(n)}\n" for n in range(count))
    project.write("people.csv", "user,registration\n" + rows)


def campaign(name="spring", more=VARIANTS + "holdout: 10%\n"):
    return (f"campaign: {name}\naudience: {{ registrations: {{ file: people.csv, identity: user }} }}\n"
            f"message: {{ notification: {{ title: High tide }} }}\n{more}")


def with_global_holdout(project, share):
    text = (project.folder / "herald.yaml").read_text()
    project.write("herald.yaml", text + f"global_holdout: {share}\n")


def titles(project):
    return {e["body"]["message"]["token"]: e["body"]["message"]["notification"]["title"] for e in project.log.sends()}


def expected(count=COUNT, **shares):
    arms = {token(n): arm(person(n), **shares) for n in range(count)}
    return {registration: TITLES[name] for registration, name in arms.items() if name}


@pytest.mark.covers("C12")
def test_each_person_gets_the_arm_of_the_hash(bench):
    bench.write("campaigns/spring.yaml", campaign())
    wanted = expected()
    counts = Counter(wanted.values())
    bench.herald("plan").expect(
        0, f"{counts['High tide']:,} registrations get control and {counts['Tide!']:,} get short",
        f"{COUNT - len(wanted)} registrations are held out", f"{len(wanted):,} requests")
    bench.apply().expect(0, f"{len(wanted):,} accepted")
    assert titles(bench) == wanted
    assert len(bench.log.sends()) == len(wanted)
    bench.apply().expect(0, "No changes.")


def test_previews_show_the_size_of_each_arm(bench):
    bench.write("campaigns/spring.yaml", campaign())
    counts = Counter(arm(person(n)) for n in range(COUNT))
    arms = [{"variant": name, "count": counts[name]} for name in TITLES] + [{"held_out": True, "count": counts[None]}]
    for options in ((), ("--variant", "short"), ("--row", "5")):
        bench.herald("preview", "spring", *options).expect(
            0, f"Variants: {counts['control']:,} registrations get control and {counts['short']:,} get short.",
            f"{counts[None]:,} registrations are held out and receive nothing, for comparison.")
        preview = json.loads(bench.herald("preview", "spring", "--format", "json", *options).expect(0).out)
        assert preview["arms"] == arms, options
    # The list of this campaign is read when it is sent.
    bench.write("campaigns/spring.yaml", campaign().replace("identity: user", "identity: user, read: at_send"))
    preview = json.loads(bench.herald("preview", "spring", "--format", "json").expect(0).out)
    assert preview["arms"] == [{"variant": name} for name in TITLES]


def test_without_people_each_registration_is_a_subject(bench):
    bench.list("all", [token(n) for n in range(COUNT)])
    text = campaign().replace("{ file: people.csv, identity: user }", "campaigns/registrations/all.txt")
    bench.write("campaigns/spring.yaml", text)
    arms = {token(n): arm(token(n)) for n in range(COUNT)}
    wanted = {registration: TITLES[name] for registration, name in arms.items() if name}
    bench.herald("plan").expect(0, f"{COUNT - len(wanted)} registrations are held out", f"{len(wanted):,} requests")
    bench.apply().expect(0, f"{len(wanted):,} accepted")
    assert titles(bench) == wanted


def test_the_same_experiment_in_two_campaigns_gives_the_same_variant(bench):
    bench.write("campaigns/spring.yaml", campaign())
    bench.write("campaigns/second.yaml", campaign("second", "experiment: spring\n" + VARIANTS + "holdout: 10%\n"))
    bench.apply().expect(0)
    sends = [e["body"]["message"] for e in bench.log.sends()]
    assert len(sends) == 2 * len(expected())
    assert Counter((m["token"], m["notification"]["title"]) for m in sends) == Counter(
        {pair: 2 for pair in expected().items()})
    bench.write("campaigns/second.yaml", campaign("second", "experiment: spring\n" + VARIANTS))
    bench.herald("validate").expect(65, "divide people in different ways", "campaigns/spring.yaml")


def test_a_killed_send_continues_with_the_same_arms(bench):
    bench.write("campaigns/spring.yaml", campaign())
    with bench.start("apply", "--yes", "--parallelism", "16") as apply:
        bench.log.wait_for(100)
        apply.kill()
    bench.apply()
    sent, wanted = titles(bench), expected()
    assert sent.items() <= wanted.items()
    # Requests that were open at the kill are unknown and are not repeated.
    assert len(sent) >= len(wanted) - 32


def test_weights_cannot_change_after_the_first_send(bench):
    bench.write("campaigns/spring.yaml", campaign())
    bench.apply().expect(0)
    sends = len(bench.log.sends())
    changed = VARIANTS.replace("weight: 3", "weight: 2") + "holdout: 10%\nrevision: 2\n"
    bench.write("campaigns/spring.yaml", campaign(more=changed))
    bench.apply().expect(65, "the experiment `spring` with other weights", "`experiment: spring-2`")
    assert len(bench.log.sends()) == sends
    # A variant of weight 0 moves no one.
    more = VARIANTS + "  later: { weight: 0 }\nholdout: 10%\nrevision: 2\n"
    bench.write("campaigns/spring.yaml", campaign(more=more))
    bench.apply().expect(0)
    assert Counter(e["body"]["message"]["token"] for e in bench.log.sends()) == Counter(
        {registration: 2 for registration in expected()})
    bench.write("campaigns/spring.yaml", campaign(more="experiment: spring-2\n" + changed.replace("revision: 2", "revision: 3")))
    bench.herald("validate").expect(0)


def test_no_campaign_reaches_a_globally_held_out_person(bench):
    with_global_holdout(bench, "20%")
    for name in ("one", "two", "three"):
        bench.write(f"campaigns/{name}.yaml", campaign(name, ""))
    bench.write("campaigns/spring.yaml", campaign())
    bench.apply().expect(0)
    reached = Counter(e["body"]["message"]["token"] for e in bench.log.sends())
    for number in range(COUNT):
        held = point("global_holdout", person(number)) < 0.2
        is_in_spring = arm(person(number), shared=0.2) is not None
        assert reached[token(number)] == (0 if held else 3 + is_in_spring), number


def test_your_own_people_are_never_held_out_of_the_project(bench):
    with_global_holdout(bench, "50%")
    bench.write("campaigns/own.yaml",
                "audience: crew\ntest: true\nregistrations: { file: people.csv, identity: user }\n---\n"
                "campaign: own\naudience: crew\nmessage: { notification: { title: High tide } }\n")
    bench.apply().expect(0, f"{COUNT:,} accepted")


def test_a_scheduled_experiment_is_sent_from_the_state(bench):
    due_campaign(bench, "spring", "{ registrations: { file: people.csv, identity: user } }")
    text = (bench.folder / "campaigns/spring.yaml").read_text()
    bench.write("campaigns/spring.yaml", text + VARIANTS + "holdout: 10%\n")
    with_global_holdout(bench, "20%")
    apply_earlier(bench, "--yes").expect(0)
    assert bench.log.sends() == []
    bench.herald("apply", "--due", "--yes").expect(0)
    assert set(titles(bench)) == set(expected(shared=0.2))


def test_a_fleet_on_postgresql_assigns_the_same_arms(tmp_path, database):  # noqa: F811
    project = Project(tmp_path / "project")
    port = free_port()
    project.write("herald.yaml",
                  "version: 1\nproject: e2e\nenvironments:\n"
                  f"  bench: {{ emulator: {{ url: 'http://127.0.0.1:{port}' }}{IN_POSTGRES} }}\n")
    prepare(project)
    project.write("campaigns/spring.yaml", campaign())
    with Emulator(project, port) as emulator:
        emulator.install([token(n) for n in range(COUNT)])
        herald(project, database, "apply", "--yes", *E).expect(0, f"{len(expected()):,} accepted")
        assert titles(project) == expected()


@pytest.mark.parametrize("more, words", [
    ("variants: { a: { weight: 1 } }\n", "a single variant has nothing to compare with"),
    ("variants: { a: { weight: 0 }, b: { weight: 0 } }\n", "all variants have weight 0"),
    ("experiment: title\n", "an experiment compares nothing"),
    ("experiment: global_holdout\nholdout: 10%\n", "is the name of the project's hold-out"),
    ("variants: { a: { weight: 1, audience: crew }, b: { weight: 1 } }\n",
     "variants share the campaign's audience, because an experiment divides one list"),
    ("variants: { a: { weight: 1, schedule: { at: '2037-03-20 08:00' } }, b: { weight: 1 } }\n",
     "variants share the campaign's `schedule`"),
    (VARIANTS + "locales: { pt: { notification: { title: Maré } } }\n", "both `variants` and `locales`"),
    (VARIANTS + "locales: { pt: { notification: { title: Maré } } }\n",
     "help: write one campaign for each locale, with its own list and the same `experiment`"),
    ("holdout: 100%\n", "a holdout of 100% leaves nothing to compare with"),
])
def test_experiments_that_compare_nothing_are_refused(bench, more, words):
    bench.write("campaigns/spring.yaml", campaign(more=more))
    bench.herald("validate").expect(65, words, "campaigns/spring.yaml")


def test_an_experiment_needs_a_list(bench):
    text = (bench.folder / "herald.yaml").read_text()
    bench.write("herald.yaml", text.replace("topics: {  }", "topics: { tides: {} }"))
    bench.write("campaigns/topic.yaml", "campaign: topic\naudience: { topic: tides }\n"
                "message: { notification: { title: High tide } }\nholdout: 10%\n")
    bench.herald("validate").expect(65, "`holdout` needs a list of registrations", "address a list, or remove `holdout`",
                                    "FCM sends one message to all subscribers")
    bench.write("campaigns/topic.yaml", "campaign: topic\naudience: { topic: tides }\n"
                "message: { notification: { title: High tide } }\n")
    bench.herald("validate").expect(0)
    with_global_holdout(bench, "5%")
    bench.herald("validate").expect(65, "with `global_holdout`, a campaign needs a list", "also the 5% of people")
