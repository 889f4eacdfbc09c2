"""Outcomes of experiments: the import of conversions, and what `herald results` says about them."""

import csv
import gzip
import hashlib
import io
import json
import math
import re
import statistics
import struct

import pytest

from herald import Emulator, Project, device, token

SENT = "2037-03-20T08:00:00Z"
AFTER = "2037-03-21T08:00:00Z"
PEOPLE = 3000
VARIANTS = ("holdout: 20%\n"
            "variants: { short: { weight: 1 }, long: { weight: 1, message: { notification: { body: Long } } } }\n")


def point(experiment, subject):
    """Where the documented hash puts a subject, computed independently of herald."""
    text = f"e2e\0{experiment}\0{subject}".encode()
    return int.from_bytes(hashlib.sha256(text).digest()[:8], "big") / 2 ** 64


def arm(subject):
    place = point("sale", subject)
    return "no message" if place < 0.2 else "short" if place < 0.6 else "long"


def users(count=PEOPLE):
    return [f"user-{number}" for number in range(count)]


@pytest.fixture
def bench(tmp_path):
    project = Project(tmp_path / "project")
    with Emulator(project, arguments=("--clock", "virtual", "--at", SENT)) as emulator:
        project.emulator = emulator
        yield project


def send(bench, people, keys=VARIANTS, before=None):
    """Every tenth person has a second registration; `before`: the number of each person from before the send."""
    rows = [("registration", "user")]
    for number, user in enumerate(people):
        rows.append((token(number), user))
        if number % 10 == 0:
            rows.append((token(number, "tablet"), user))
    columns = [row + (() if before is None else ("orders" if row[1] == "user" else before[row[1]],)) for row in rows]
    bench.write("people.csv", "".join(",".join(row) + "\n" for row in columns))
    covariate = "" if before is None else ", covariate: orders"
    bench.write("campaigns/sale.yaml",
                f"audience: people\nregistrations: {{ file: people.csv, identity: user{covariate} }}\n---\n"
                "campaign: sale\naudience: people\nmessage: { notification: { title: Sale } }\n"
                f"delivery: {{ ttl: 4h }}\n{keys}")
    bench.emulator.install([row[0] for row in rows[1:]])
    bench.apply(now=SENT).expect(0)
    return [row[0] for row in rows[1:]]


def conversions(bench, rows, columns="identity,time", name="conversions.csv"):
    text = columns + "\n" + "".join(",".join(map(str, row)) + "\n" for row in rows)
    bench.write(name, text)
    return name


def load(bench, name, *arguments, **options):
    return bench.herald("results", "import", name, *arguments, now=AFTER, cwd=bench.folder, **options)


def results(bench, *arguments, now=AFTER):
    found = bench.herald("results", "--format", "json", *arguments, now=now).expect(0).out
    return json.loads(found)["results"]


def converted(people, rates):
    """A share of each arm, evenly distributed, with the number of each arm's members."""
    counts, chosen = {}, []
    for user in people:
        counts[arm(user)] = number = counts.get(arm(user), 0) + 1
        rate = rates[arm(user)]
        if int(number * rate) > int((number - 1) * rate):
            chosen.append(user)
    return chosen, counts


def answers(text):
    """The four answers that come first in the text, without the details of each comparison."""
    head = text.split("compared with")[0]
    parts = re.split(r"^  (Who won|How sure|Since when|What next|Data) +", head, flags=re.MULTILINE)
    return {question: " ".join(answer.split("\n\n")[0].split()) for question, answer in zip(parts[1::2], parts[2::2])}


# MARK: counts


def test_subjects_and_requests_of_each_arm_are_counted(bench):
    people = users(300)
    registrations = send(bench, people)
    result, = results(bench)
    arms = {found["name"]: found for found in result["arms"]}
    expected = {name: sum(arm(user) == name for user in people) for name in ("no message", "short", "long")}
    assert {name: found["subjects"] for name, found in arms.items()} == expected
    assert result["counts"] == "people"
    assert sum(found["accepted"] for found in arms.values()) + arms["no message"]["held_out"] == len(registrations)
    assert arms["no message"]["accepted"] == 0 and arms["short"]["held_out"] == 0
    assert bench.log.accepted() and len(bench.log.sends()) == sum(found["accepted"] for found in arms.values())
    bench.herald("results", now=AFTER).expect(0, "Not known: no outcome is stored", "herald results import FILE")


# MARK: verdicts


@pytest.mark.covers("C12")
def test_a_large_difference_has_a_winner_and_a_history(bench):
    people = users()
    send(bench, people)
    chosen, counts = converted(people, {"no message": 0.1, "short": 0.11, "long": 0.4})
    load(bench, conversions(bench, [(user, AFTER) for user in chosen])).expect(
        0, f"{len(chosen):,} new outcomes stored", "Show the results with `herald results`")
    text = bench.herald("results", "sale", "--baseline", "10%", now="2037-03-22T08:00:00Z").expect(
        0, "long is better than no message.", "Not decided: short may be better or worse than no message.").out
    assert "short is better" not in text
    found = answers(text)
    assert found["Who won"].startswith("long. It is better than no message and short.")
    assert f"of {counts['long']:,} people (40 %)" in found["Who won"]
    assert re.search(r"^Sure. Of every 100 people, between 2\d and 3\d more have the outcome conversion with long than "
                     r"with no message. A page like this names a wrong winner in at most 5 of 100", found["How sure"])
    assert found["Since when"] == "Since this look, 2037-03-22T08:00:00Z."
    assert found["What next"] == "Send long to everyone."
    assert "in 0 s" not in text
    bench.herald("results", "sale", now="2037-03-24T08:00:00Z").expect(0, "Since the look of 2037-03-22")
    result, = results(bench, "sale", now="2037-03-24T08:00:00Z")
    verdicts = {found["arm"]: found for found in result["comparisons"]}
    assert verdicts["long"]["verdict"] == "better" and verdicts["short"]["verdict"] != "better"
    assert 0 < verdicts["long"]["lower"] < 0.3 < verdicts["long"]["upper"]
    page = bench.herald("results", "sale", "--format", "html", now="2037-03-24T08:00:00Z").expect(0, "<svg ").out
    assert "<script" not in page and page.count("<polygon") == 2


def test_two_winners_get_one_answer(bench):
    people = users()
    send(bench, people)
    chosen, _ = converted(people, {"no message": 0.1, "short": 0.39, "long": 0.4})
    load(bench, conversions(bench, [(user, AFTER) for user in chosen])).expect(0)
    found = answers(bench.herald("results", "sale", "--baseline", "10%", now=AFTER).expect(0).out)
    assert found["Who won"].startswith(
        "short and long are better than no message. Which of them is the best is not decided.")
    assert found["How sure"].count("than with no message") == 2
    assert found["What next"] == (
        "Send short or long to everyone, not several of them; each is better than no message. To find the best one, "
        "compare short and long in a new experiment.")
    result, = results(bench, "sale")
    assert result["answer"] == {"verdict": "several_winners", "winners": ["short", "long"], "since": AFTER}


def test_the_best_of_two_winners_is_named_if_the_ranges_are_apart(bench):
    people = users()
    send(bench, people)
    chosen, _ = converted(people, {"no message": 0.1, "short": 0.3, "long": 0.8})
    load(bench, conversions(bench, [(user, AFTER) for user in chosen])).expect(0)
    found = answers(bench.herald("results", "sale", "--baseline", "10%", now=AFTER).expect(0).out)
    assert found["Who won"].startswith("long. It is better than no message and short.")
    assert found["What next"] == "Send long to everyone."
    result, = results(bench, "sale")
    assert result["answer"] == {"verdict": "winner", "winners": ["long"], "since": AFTER}


def test_no_message_can_win(bench):
    people = users()
    send(bench, people)
    chosen, _ = converted(people, {"no message": 0.6, "short": 0.3, "long": 0.2})
    load(bench, conversions(bench, [(user, AFTER) for user in chosen])).expect(0)
    found = answers(bench.herald("results", "sale", "--baseline", "50%", now=AFTER).expect(0).out)
    assert found["Who won"].startswith("no message. It is better than short and long.")
    assert re.search(r"between \d+ and \d+ fewer have the outcome conversion with long", found["How sure"])
    assert found["What next"] == "Do not send this message again: people without it do better."
    # If less is better, the same numbers have other winners.
    load(bench, conversions(bench, [(user, AFTER, "unsubscribe") for user in chosen], "identity,time,name")).expect(0)
    text = bench.herald("results", "sale", "--outcome", "unsubscribe", "--baseline", "50%", "--goal", "less",
                        now=AFTER).expect(0).out
    assert answers(text)["Who won"].startswith("short and long are better than no message.")


def test_no_difference_shows_its_range_and_since_when(bench):
    people = users()
    send(bench, people)
    chosen, _ = converted(people, {"no message": 0.1, "short": 0.1, "long": 0.1})
    load(bench, conversions(bench, [(user, AFTER) for user in chosen])).expect(0)
    bench.herald("results", "sale", "--baseline", "10%", "--smallest-difference", "10%", now=AFTER).expect(0)
    found = answers(bench.herald("results", "sale", now="2037-03-23T08:00:00Z").expect(0).out)
    assert found["Who won"].startswith("No arm. no message, short and long do not differ by as much as matters.")
    assert re.search(r"anything from \d+ fewer to \d+ more have the outcome conversion with long", found["How sure"])
    assert found["Since when"] == f"Since the look of {AFTER}, 2 days ago."
    assert found["What next"].startswith("Sending the message or not makes no difference that matters.")
    result, = results(bench, "sale")
    assert result["answer"] == {"verdict": "no_difference", "winners": [], "since": AFTER}
    assert all(one["lower"] < 0 < one["upper"] and one["since"] == AFTER for one in result["comparisons"])


def test_a_small_difference_is_not_decided(bench):
    people = users()
    send(bench, people)
    chosen, _ = converted(people, {"no message": 0.1, "short": 0.1, "long": 0.13})
    load(bench, conversions(bench, [(user, AFTER) for user in chosen])).expect(0)
    found = answers(bench.herald("results", "sale", "--baseline", "10%", now=AFTER).expect(0).out)
    assert found["Who won"].startswith("Not decided yet: no arm is better than no message so far.")
    assert found["How sure"].startswith("Not sure. Of every 1")
    assert found["Since when"] == f"This is the first look, {AFTER}."
    assert re.match(r"Wait, and do not choose yet. At the present rates, about [\d,]+ people in long and no message are "
                    r"needed; [\d,]+ are in them now.", found["What next"])
    # The page names one number of people to wait for, and explains its terms once.
    text = " ".join(bench.herald("results", "sale", now=AFTER).expect(0).out.split())
    assert len(re.findall(r"[\d,]+ people in", text)) == 1 and "Wait: more outcomes can decide it." in text
    assert text.count("An arm is a group of people that get the same message, or no message. The control is no message: "
                      "every other arm is measured against it.") == 1
    assert "People of each arm, and their requests (accepted to held out, one per registration):" in text
    assert "people with outcome" in text
    assert "Not decided in 1 earlier look" in bench.herald("results", "sale", now="2037-03-23T08:00:00Z").expect(0).out


def test_arms_that_do_not_fit_their_weights_have_no_winner(bench):
    people = users()
    registrations = send(bench, people)
    chosen, counts = converted(people, {"no message": 0.1, "short": 0.1, "long": 0.9})
    load(bench, conversions(bench, [(user, AFTER) for user in chosen])).expect(0)
    owners = [user for number, user in enumerate(people) for _ in range(1 + (number % 10 == 0))]
    gone = [text for text, user in zip(registrations, owners) if arm(user) == "long"][:600]
    bench.herald("state", "forget", "-", input="\n".join(gone), now=AFTER).expect(0)
    text = bench.herald("results", "sale", "--baseline", "10%", now=AFTER).expect(0).out
    found = answers(text)
    assert found["Who won"].startswith("No answer. The sizes of the arms do not fit their weights")
    assert f"short: {counts['short']:,} people, about" in found["Who won"]
    assert found["How sure"] == "Such sizes occur by accident with a probability of less than 1 in 10,000."
    assert "`experiment:` name" in found["What next"] and "better than" not in text
    result, = results(bench, "sale")
    assert result["answer"] == {"verdict": "ratio_mismatch", "winners": []}
    assert {one["verdict"] for one in result["comparisons"]} == {"ratio_mismatch"}


def test_few_outcomes_are_too_early(bench):
    people = users(400)
    send(bench, people)
    load(bench, conversions(bench, [(user, AFTER) for user in people[:20]])).expect(0)
    bench.herald("results", now=AFTER).expect(0, "Too early to say", "no range holds with so few outcomes")


def test_the_first_look_fixes_what_is_expected(bench):
    people = users(400)
    send(bench, people)
    load(bench, conversions(bench, [(user, AFTER) for user in people[:200]])).expect(0)
    bench.herald("results", "sale", "--baseline", "50%", now=AFTER).expect(
        0, "Assumed since the first look: 50 % of the control have the outcome")
    bench.herald("results", "sale", "--baseline", "4%", now=AFTER).expect(64, "the first look has fixed other expectations")
    bench.herald("results", "sale", "--baseline", "50%", now=AFTER).expect(0)


def test_people_without_a_message_are_not_compared_by_opens(bench):
    people = users(200)
    registrations = send(bench, people)
    owners = [user for number, user in enumerate(people) for _ in range(1 + (number % 10 == 0))]
    phone = device(next(text for text, user in zip(registrations, owners) if arm(user) == "long"))
    message, = bench.emulator.get(f"/emulator/v1/devices/{phone}/inbox")["received"]
    bench.emulator.post(f"/emulator/v1/devices/{phone}/taps", {"message_id": message["message_id"]})
    bench.herald("results", "import", "--emulator", now=AFTER).expect(0, "emulator: ")
    bench.herald("results", "--outcome", "delivered", now=AFTER).expect(0, "People without a message are not compared")
    found, = results(bench, "--outcome", "opened")
    assert {one["name"]: one["successes"] for one in found["arms"]} == {"no message": 0, "short": 0, "long": 1}


def test_what_can_be_detected_is_explained_before_sending(bench):
    rows = "".join(f"{token(number)},user-{number // 2}\n" for number in range(4000))
    bench.write("people.csv", "registration,user\n" + rows)
    bench.write("campaigns/sale.yaml",
                "audience: people\nregistrations: { file: people.csv, identity: user }\n---\n"
                "campaign: sale\naudience: people\nmessage: { notification: { title: Sale } }\nholdout: 50%\n")
    bench.herald("explain", "sale", "--baseline", "10%").expect(
        0, "no message: about 1,000 people", "the message: about 1,000 people", "are found in 8 of 10 experiments")
    found = json.loads(bench.herald("explain", "sale", "--baseline", "10%", "--json").expect(0).out)
    # A test for one look needs 3.8 percentage points, and this one 1.7 to 1.9 times the people.
    assert 0.045 < found["comparisons"][0]["detectable_difference"] < 0.06
    assert bench.log.sends() == []


# MARK: Google's delivery data


LABELLED = ("holdout: 20%\nvariants:\n"
            "  short: { weight: 1, message: { fcm_options: { analytics_label: sale-short } } }\n"
            "  long: { weight: 1, message: { notification: { body: Long }, fcm_options: { analytics_label: sale-long } } }\n")
APP = "1:1234567890:android:0a1b2c3d"


def test_delivery_data_is_shown_for_each_arm_without_a_verdict(bench):
    people = users(200)
    send(bench, people, keys=LABELLED)
    before, = results(bench)
    assert before["android"] == []
    for _ in range(2):
        bench.herald("results", "import", "--fcm", "--app", APP, now=AFTER).expect(
            0, "Delivery data of 1 day and 2 labels stored", "It counts Android devices only")
    data = bench.emulator.get(f"/v1beta1/projects/e2e/androidApps/{APP}/deliveryData")["androidDeliveryData"]
    counts = {row["analyticsLabel"]: int(row["data"]["countMessagesAccepted"]) for row in data}
    assert bench.rows("SELECT label, day, accepted FROM android_deliveries ORDER BY label") == [
        (label, "2037-03-20", counts[label]) for label in sorted(counts)]
    result, = results(bench)
    assert [(one["arm"], one["accepted"], one["last_day"]) for one in result["android"]] == [
        ("short", counts["sale-short"], "2037-03-20"), ("long", counts["sale-long"], "2037-03-20")]
    assert result["answer"] == before["answer"] and result["comparisons"] == before["comparisons"]
    bench.herald("results", now=AFTER).expect(
        0, "Delivered on Android, from Google's delivery data", "a day late; no verdict rests on it: short: about",
        f"of {counts['sale-short']} messages")


def test_delivery_data_needs_labels_of_their_own(bench):
    people = users(60)
    send(bench, people, keys=LABELLED.replace("sale-long", "sale-short"))
    bench.herald("results", "import", "--fcm", "--app", APP, now=AFTER).expect(0, "1 label stored")
    bench.herald("results", now=AFTER).expect(0, "short: not known, because its `analytics_label` is not its own")


def test_delivery_data_without_labels_is_explained(bench):
    people = users(20)
    send(bench, people)
    bench.herald("results", "import", "--fcm", "--app", APP, now=AFTER).expect(0, "Google has no delivery data", "a day late")
    bench.herald("results", "import", "--fcm", now=AFTER).expect(64, "--fcm needs --app")
    bench.herald("results", "import", "--emulator", "--app", APP, now=AFTER).expect(64, "--app is only for --fcm")
    bench.herald("results", "import", now=AFTER).expect(64, "give a file, --emulator or --fcm")


# MARK: numbers from before the experiment


def adjusted(people, before, chosen, name):
    """The difference from no message after CUPED, and by what share its standard error is smaller."""
    groups = {}
    for user in people:
        groups.setdefault(arm(user), []).append((float(before[user] or 0), float(user in chosen)))
    means = {key: [statistics.fmean(column) for column in zip(*group)] for key, group in groups.items()}
    squares = sum((x - means[key][0]) ** 2 for key, group in groups.items() for x, _ in group)
    products = sum((x - means[key][0]) * (y - means[key][1]) for key, group in groups.items() for x, y in group)
    theta = products / squares

    def error(slope):
        return math.sqrt(sum(
            sum((y - means[key][1] - slope * (x - means[key][0])) ** 2 for x, y in groups[key]) / len(groups[key]) ** 2
            for key in (name, "no message")))

    shift = theta * (means[name][0] - means["no message"][0])
    return means[name][1] - means["no message"][1] - shift, 1 - error(theta) / error(0)


def test_a_number_from_before_narrows_the_range(bench):
    people = users()
    before = {user: "" if number % 2 else "2.5" for number, user in enumerate(people)}
    send(bench, people, before=before)
    chosen = {user for number, user in enumerate(people) if number % 20 < (16 if before[user] else 4)}
    load(bench, conversions(bench, [(user, AFTER) for user in chosen])).expect(0)
    text = bench.herald("results", "sale", "--baseline", "50%", now=AFTER).expect(
        0, "use the list's `covariate`, the number from before the experiment").out
    result, = results(bench, "sale")
    assert result["adjusted"] is True
    for found in result["comparisons"]:
        difference, narrower = adjusted(people, before, chosen, found["arm"])
        assert found["estimate"] == pytest.approx(difference, abs=1e-9)
        assert found["narrower"] == pytest.approx(narrower, abs=0.01) and narrower > 0.1
        assert f"for {found['arm']}, the range is about {found['narrower'] * 100:.0f} % narrower" in " ".join(text.split())


def test_forgotten_people_lose_the_number_from_before(bench):
    people = users(50)
    before = {user: str(number + 0.5) for number, user in enumerate(people)}
    registrations = send(bench, people, before=before)

    def stored():
        (content,), = bench.rows("SELECT arms FROM exposure_chunks")
        count = len(registrations)
        return list(struct.unpack(f"<{count}d", content[count:]))

    owners = [user for number, user in enumerate(people) for _ in range(1 + (number % 10 == 0))]
    expected = [float(before[user]) for user in owners]
    assert sorted(stored()) == sorted(expected)
    bench.herald("state", "forget", "-", input=registrations[0], now=AFTER).expect(0)
    # The person has another registration, whose row keeps the number.
    assert sorted(stored()) == sorted(expected[1:] + [0.0])
    result, = results(bench)
    assert sum(found["subjects"] for found in result["arms"]) == len(people)


def test_a_number_from_before_must_be_a_number(bench):
    people = users(10)
    before = {user: "many" if user == "user-3" else "1e3" for user in people}
    with pytest.raises(AssertionError, match="its `orders` is not a number"):
        send(bench, people, before=before)
    bench.herald("validate").expect(65, "its `orders` is not a number")
    bench.write("people.csv", "registration,user\nr:1,user-1\n")
    bench.herald("validate").expect(65, "orders")


# MARK: imports


def test_a_repeated_import_changes_nothing(bench):
    people = users(100)
    send(bench, people)
    name = conversions(bench, [(user, AFTER, 12.5, "purchase") for user in people], "identity,time,value,name")
    load(bench, name).expect(0, "100 new outcomes stored")
    before = bench.rows("SELECT * FROM subject_outcomes ORDER BY event")
    load(bench, name).expect(0, "nothing new: 100 outcomes were stored before")
    packed = bench.folder / "again.csv.gz"
    packed.write_bytes(gzip.compress((bench.folder / name).read_bytes()))
    load(bench, "again.csv.gz").expect(0, "nothing new")
    assert bench.rows("SELECT * FROM subject_outcomes ORDER BY event") == before


@pytest.mark.parametrize("form", ["ndjson", "fingerprint", "registration", "stdin"])
def test_every_form_names_the_same_people(bench, form):
    people = users(50)
    registrations = send(bench, people)
    short = {text: print_ for print_, text in bench.fingerprints(registrations).items()}
    if form == "fingerprint":
        name = conversions(bench, [(short[text], AFTER) for text in registrations], "fingerprint,time")
    elif form == "registration":
        name = conversions(bench, [(text, AFTER) for text in registrations], "registration,time")
    else:
        bench.write("events.ndjson", "".join(
            json.dumps({"identity": user, "time": AFTER}) + "\n" for user in people))
        name = "events.ndjson"
    if form == "stdin":
        load(bench, "-", input=(bench.folder / name).read_text()).expect(0, "standard input: 50 rows")
    else:
        load(bench, name).expect(0)
    result, = results(bench)
    assert sum(found["successes"] for found in result["arms"]) == 50


def test_identities_are_not_stored(bench):
    people = users(20)
    send(bench, people)
    load(bench, conversions(bench, [(user, AFTER) for user in people])).expect(0)
    for file in (bench.folder / ".herald").glob("local.sqlite*"):
        assert b"user-1" not in file.read_bytes()


def test_bad_rows_are_refused_and_named(bench):
    people = users(20)
    send(bench, people)
    rows = [("user-1", AFTER, ""), ("user-2", "yesterday", ""), ("user-3", AFTER, "much"), ("nobody", AFTER, ""),
            ("", AFTER, ""), ("user-4", "2037-03-20T07:00:00Z", "")]
    load(bench, conversions(bench, rows, "identity,time,value")).expect(
        3, "1 new outcome stored", "1 row about subjects of no experiment, in lines 5", "4 rows refused",
        "line 3: its `time` is no RFC 3339 timestamp", "line 4: its `value` is no number",
        "line 6: it identifies no person", "line 7: it happened before the first send to this person")
    load(bench, conversions(bench, [("user-1", token(1), AFTER)], "identity,registration,time")).expect(
        3, "several columns that identify a person: identity, registration")
    load(bench, conversions(bench, [("user-1",)], "identity")).expect(65, "has no column with the time")
    load(bench, conversions(bench, [(AFTER,)], "time")).expect(65, "has no column that identifies a person")
    load(bench, "missing.csv").expect(1, "cannot read missing.csv")


def test_the_columns_of_the_bigquery_export_are_read(bench):
    people = users(30)
    registrations = send(bench, people, keys=VARIANTS + "record: ids\n")
    ids = dict(line.split()[::-1] for line in bench.herald("history", "1", "--ids").expect(0).out.splitlines())
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\n")
    table.writerow(["event_timestamp", "message_id", "instance_id", "event", "analytics_label"])
    for name in ids:
        table.writerow(["2037-03-20 08:00:01.123456 UTC", name.split("/")[-1], "", "MESSAGE_DELIVERED", ""])
    bench.write("export.csv", text.getvalue())
    load(bench, "export.csv").expect(0, f"{len(ids)} new outcomes stored")
    result, = results(bench, "--outcome", "message_delivered")
    sent = [found for found in result["arms"] if found["kind"] == "variant"]
    assert sum(found["successes"] for found in sent) == sum(found["subjects"] for found in sent)
    assert len(registrations) > len(ids)


def test_nothing_is_shown_before_an_experiment(bench):
    bench.herald("results", now=SENT).expect(0, "No experiment was sent yet")
    bench.campaign("plain", "{ registrations: [ 'a:APA91b-1' ] }")
    bench.emulator.install(["a:APA91b-1"])
    bench.apply(now=SENT).expect(0)
    bench.herald("results", "plain", now=SENT).expect(64, "campaign plain has sent no experiment")
    assert not re.search("Who won", bench.herald("results", now=SENT).expect(0).out)
