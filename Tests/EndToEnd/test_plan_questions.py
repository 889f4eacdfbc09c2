"""Questions of people without a terminal, answered by the plan page in at most three clicks in a real browser."""

import json

import pytest

from chromium import Chromium
from season import NOW, Season

# The text of what is visible, as a person sees it.
VISIBLE = "e => e.offsetParent !== null && !e.closest('[hidden]')"
CALENDAR = f"[...document.querySelectorAll('.weeks [data-day]')].filter({VISIBLE})"
ROWS = f"[...document.querySelectorAll('.changes-table tbody tr')].filter({VISIBLE})"


@pytest.fixture(scope="module")
def season(tmp_path_factory):
    return Season(tmp_path_factory.mktemp("season") / "project")


@pytest.fixture(scope="module")
def page(season):
    return season.page("plan")


@pytest.fixture(scope="module")
def chromium():
    with Chromium() as browser:
        yield browser


class Person:
    """Clicks like a person: on what is visible, at its place, and counts the clicks."""

    def __init__(self, tab):
        self.tab, self.clicks = tab, 0

    def click(self, name, within="body"):
        """Clicks the visible control with this text."""
        place = self.tab.run(f"""(() => {{
            const found = [...document.querySelector({within!r}).querySelectorAll('a, button, summary')]
                .filter({VISIBLE}).filter(e => e.textContent.trim().startsWith({name!r}))[0];
            if (!found) return null;
            found.scrollIntoView({{ block: 'center' }});
            const {{ x, y, width, height }} = found.getBoundingClientRect();
            return [x + width / 2, y + height / 2];
        }})()""")
        assert place, f"no control {name!r}"
        for kind in ("mousePressed", "mouseReleased"):
            self.tab.send("Input.dispatchMouseEvent", type=kind, x=place[0], y=place[1], button="left", clickCount=1)
        self.clicks += 1

    def calendar(self):
        """Returns day, time and campaign of each visible send of the calendar."""
        return [tuple(entry) for entry in self.tab.run(
            f"{CALENDAR}.map(e => [e.dataset.day, e.querySelector('.stamp').textContent, e.dataset.campaign])")]

    def changes(self):
        """Returns the cells of each visible row of the table."""
        return self.tab.run(f"{ROWS}.map(e => [...e.children].map(c => c.innerText.trim()))")

    def said(self):
        return self.tab.run("document.getElementById('found').innerText")


@pytest.fixture
def person(chromium, page):
    with chromium.open(page, width=1440) as tab:
        yield Person(tab)
        assert tab.requests() == [] and tab.complaints() == []


def test_what_does_a_phone_in_madeira_get_next_week(person):
    person.click("madeira", "#filter")
    person.click("Next week", "#filter")
    assert person.calendar() == [
        ("2027-01-18", "07:42", "madeira-swell"), ("2027-01-19", "18:04", "madeira-ferry"),
        ("2027-01-20", "07:42", "madeira-swell"), ("2027-01-22", "07:42", "madeira-swell")]
    assert person.said().endswith("4 sends. Such a phone gets 4 messages, at most 1 a day.")
    # The phone may be in another topic, too.
    person.click("tides", "#filter")
    assert person.clicks <= 3
    names = [campaign for _, _, campaign in person.calendar()]
    assert names.count("tide-table") == 7 and names.count("madeira-swell") == 3
    assert person.said().endswith("11 sends. Such a phone gets 11 messages, at most 2 a day.")


def test_a_send_to_a_condition_names_the_other_topics_that_it_needs(person):
    person.click("madeira", "#filter")
    person.click("This week", "#filter")
    notes = person.tab.run(f"{CALENDAR}.map(e => [e.dataset.campaign, e.querySelector('.only-if')?.innerText.trim()])")
    assert ["spring-tide-warning", "only if also in tides"] in notes
    assert all(note is None for name, note in notes if name != "spring-tide-warning")
    person.click("tides", "#filter")
    assert person.tab.run(f"{CALENDAR}.filter(e => e.querySelector('.only-if')).length") == 0
    assert ("2027-01-16", "07:30", "spring-tide-warning") in person.calendar()


def test_which_campaigns_changed_and_how(person):
    changes = {row[0].split("\n")[-1].lstrip(">~+-! "): row[1:] for row in person.changes()}
    assert set(changes) == {"club-dinner", "azores-weather", "regatta-start", "spring-tide-warning", "christmas-market"}
    assert changes["spring-tide-warning"] == [
        "moved: the title and the schedule", "Sat 2027-01-16 07:30, in 3 days", "at most 16,000 devices", "1",
        "campaigns/warnings.yaml:1"]
    assert changes["azores-weather"][0] == "changed and still scheduled: the title"
    assert changes["azores-weather"][3] == "2, at most 1 a day"
    assert changes["club-dinner"][:3] == ["sent now", "now", "48 devices"]
    person.click("spring-tide-warning", ".changes-table")
    assert person.clicks == 1
    target = person.tab.run("document.querySelector(':target').closest('article').innerText")
    assert "Spring tide on" in target and "Friday" in target and "Saturday" in target


def test_what_goes_out_on_friday_and_when(person):
    person.click("Fri 15 Jan", ".weeks")
    assert person.clicks == 1
    assert sorted(person.calendar()) == [
        ("2027-01-15", "06:17", "tide-table"), ("2027-01-15", "07:42", "madeira-swell"),
        ("2027-01-15", "15:05", "auction-prices"), ("2027-01-15", "17:33", "azores-weather")]
    assert [row[0].split("\n")[-1].lstrip("~ ") for row in person.changes()] == ["azores-weather"]
    person.click("Fri 15 Jan", ".weeks")
    assert len(person.changes()) == 5


def test_search_finds_names_and_texts(person):
    tab = person.tab
    tab.run("document.getElementById('query').focus()")
    tab.send("Input.insertText", text="34 boats")
    assert [row[0].split("\n")[-1].lstrip("+ ") for row in person.changes()] == ["regatta-start"]
    assert person.calendar() == [("2027-01-22", "10:02", "regatta-start")]
    assert tab.run(f"[...document.querySelectorAll('article')].filter({VISIBLE}).length") == 1
    tab.send("Input.insertText", text=" nowhere")
    assert person.changes() == [] and "No change matches the filter." in tab.run("document.body.innerText")
    person.click("Show everything", "#filter")
    assert len(person.changes()) == 5 and tab.run("document.activeElement.id") == "query"


def test_a_kind_of_change_filters_everything(person):
    tab = person.tab
    tab.run("(() => { const s = document.getElementById('kind'); s.value = 'removed'; s.dispatchEvent(new Event('change')) })()")
    assert [row[1] for row in person.changes()] == ["removed with unsent messages"]
    assert person.calendar() == []


def test_one_click_copies_the_command(person):
    person.tab.browser.send("Browser.grantPermissions", permissions=["clipboardReadWrite", "clipboardSanitizedWrite"])
    person.click("Copy")
    answer = person.tab.send(
        "Runtime.evaluate", expression="navigator.clipboard.readText()", awaitPromise=True, userGesture=True, returnByValue=True)
    command = person.tab.run("document.getElementById('command').textContent")
    assert command.startswith("herald apply --expect ") and answer["result"]["value"] == command
    assert person.tab.run("document.getElementById('copied').textContent.trim()") == "Copied"


def test_filter_works_by_keyboard(person):
    tab = person.tab
    tab.run("document.querySelector('#filter [data-topic=madeira]').focus()")
    tab.press(" ", code="Space", text=" ")
    assert tab.run("document.activeElement.getAttribute('aria-pressed')") == "true"
    assert {campaign for _, _, campaign in person.calendar()} == {"madeira-swell", "madeira-ferry", "spring-tide-warning"}
    tab.press("Enter", text="\r")
    assert len({campaign for _, _, campaign in person.calendar()}) > 3


def test_links_lead_to_the_line_of_a_file(season, person):
    links = person.tab.run("[...document.querySelectorAll('.changes-table .source')].map(e => [e.innerText, e.href])")
    assert ["campaigns/warnings.yaml:1", (season.folder / "campaigns/warnings.yaml").as_uri()] in links
    assert (season.folder / "campaigns/warnings.yaml").read_text().splitlines()[0] == "campaign: spring-tide-warning"


def test_links_of_a_ci_job_lead_to_the_commit(season):
    commit = "0123456789012345678901234567890123456789"
    github = {"GITHUB_SERVER_URL": "https://github.com", "GITHUB_REPOSITORY": "tidewatch/push", "GITHUB_SHA": commit,
              "GITHUB_WORKSPACE": str(season.folder.parent)}
    gitlab = {"CI_PROJECT_URL": "https://gitlab.com/tidewatch/push", "CI_COMMIT_SHA": commit,
              "CI_PROJECT_DIR": str(season.folder)}
    for variables, address in [
            (github, f"https://github.com/tidewatch/push/blob/{commit}/project/campaigns/warnings.yaml#L1"),
            (gitlab, f"https://gitlab.com/tidewatch/push/-/blob/{commit}/campaigns/warnings.yaml#L1")]:
        out = season.herald("plan", "--format", "html", now=NOW, env=variables).expect(0).out
        assert f'href="{address}"' in out


def test_page_shows_everything_without_its_script(chromium, page, tmp_path):
    """A policy of a server or a mail program may forbid all scripts."""
    other = tmp_path / "plan.html"
    other.write_text(page.read_text().replace("script-src", "x-src"))
    with chromium.open(other, width=1440) as tab:
        person = Person(tab)
        assert any("Content Security Policy" in text for text in tab.complaints())
        assert len(person.changes()) == 5 and len(person.calendar()) == 36
        assert tab.run(f"[...document.querySelectorAll('button, input, select')].filter({VISIBLE}).length") == 0


HOSTILE = "</script><script>alert(1)</script><img src=http://127.0.0.1:9/x.png onerror=alert(1)>' \" | `x` &lt;b&gt;\u202e"


def test_hostile_texts_add_no_element_and_no_request(chromium, tmp_path):
    """Compares the elements of two pages of the same plan, one of them with hostile texts."""
    elements = []
    harmless = "".join(c if c.isalnum() or c == " " else "x" for c in HOSTILE)
    for name, text in (("harmless", harmless), ("hostile", HOSTILE)):
        season = Season(tmp_path / name)
        for before in ("The regatta begins", "The harbour regatta begins"):
            path = season.folder / "campaigns/regatta.yaml"
            path.write_text(path.read_text().replace(before, json.dumps(text)))
        with chromium.open(season.page("plan"), width=1440) as tab:
            tab.run("document.querySelector('#filter [data-topic=regatta]').click()")
            assert tab.requests() == [] and tab.complaints() == []
            assert text[:20] in tab.run("document.body.innerText")
            elements.append(tab.run("[...document.querySelectorAll('*')].map(e => e.localName).join(' ')"))
    assert elements[0] == elements[1]
