"""`herald calendar --format html` in a real browser: appearance, accessibility and requests."""

import pytest

from chromium import Chromium
from herald import Project, token
from test_plan_page import FAINT, WIDTHS, Nesting

NOW = "2037-03-04T12:00:00Z"  # a Wednesday

FILES = """campaign: tide
audience: { topic: tides }
message: { notification: { title: Tide } }
schedule: { at: "2037-03-20 07:30" }
---
campaign: daily
audience: { topic: tides }
message: { data: { sync: "1" } }
schedule: { cron: "17 6 * * *" }
---
campaign: weekend
audience: { condition: "'tides' in topics && 'azores' in topics" }
message: { data: { sync: "1" } }
schedule: { cron: "*/10 8-18 * * SAT" }
---
campaign: now
audience: { registrations: campaigns/registrations/all.txt }
message: { notification: { title: Hello } }
"""


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    """A calendar of four weeks from a Wednesday, with sent, scheduled and paused sends."""
    project = Project(tmp_path_factory.mktemp("calendar") / "project", "timezone: Atlantic/Azores\n",
                      topics=["tides", "azores"])
    tokens = [token(n) for n in range(3)]
    project.list("all", tokens)
    project.devices(tokens)
    project.write("campaigns/all.yaml", FILES)
    project.apply(now=NOW).expect(0)
    project.herald("pause", "tide", now=NOW).expect(0)
    path = project.folder / "calendar.html"
    project.herald("calendar", "--format", "html", "--out", path, now=NOW).expect(0)
    return path


@pytest.fixture(scope="module")
def chromium():
    with Chromium() as browser:
        yield browser


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("width", WIDTHS)
def test_page_is_readable_and_sends_no_requests(chromium, page, width, dark):
    with chromium.open(page, width=width, dark=dark) as tab:
        assert tab.requests() == [] and tab.complaints() == []
        assert tab.run("document.documentElement.scrollWidth") <= width, "it scrolls horizontally"
        assert tab.run(FAINT) == [], "a contrast below 4.5 to 1"
        ground = tab.run("getComputedStyle(document.body).backgroundColor")
        assert (sum(map(int, ground[4:-1].split(","))) < 200) == dark, ground


SHOWN = "[...document.querySelectorAll('.weeks > li')].filter(e => getComputedStyle(e).display !== 'none')"
COLUMNS = "getComputedStyle(document.querySelector('.weeks')).gridTemplateColumns.split(' ').length"


def test_a_screen_shows_weeks_that_begin_on_monday(chromium, page):
    with chromium.open(page) as tab:
        assert tab.run(COLUMNS) == 7
        # From Monday, March 2, to Sunday, April 5.
        assert tab.run(f"{SHOWN}.length") == 35
        assert tab.run(f"{SHOWN}.findIndex(e => e.classList.contains('today'))") == 2
        left = tab.run(f"{SHOWN}.map(e => Math.round(e.getBoundingClientRect().left))")
        assert len(set(left)) == 7 and left[0] == min(left)
        heads = tab.run("[...document.querySelectorAll('.weekdays li')].map(e => e.textContent)")
        assert heads == ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]


def test_a_phone_lists_the_days_with_sends(chromium, page):
    with chromium.open(page, width=390) as tab:
        assert tab.run(COLUMNS) == 1
        texts = tab.run(f"{SHOWN}.map(e => e.querySelector('time').innerText.trim())")
        assert texts[0] == "Wed 4 Mar 2037, today" and texts[1] == "Thu 5 Mar"
        assert len(texts) == 28
        assert tab.run(f"{SHOWN}.every(e => e.classList.contains('busy'))")


def test_a_day_names_audiences_states_and_many_sends_once(chromium, page):
    with chromium.open(page) as tab:
        saturday = tab.run("document.querySelector('time[datetime=\"2037-03-07\"]').closest('li').innerText")
        assert "08:00–18:50 weekend 66 scheduled" in saturday
        assert "topic tides" in saturday and "06:17 daily scheduled" in saturday
        friday = tab.run("document.querySelector('time[datetime=\"2037-03-20\"]').closest('li').innerText")
        assert "07:30 tide paused" in friday
        today = tab.run("document.querySelector('.today').innerText")
        assert "11:00 now sent" in today


def test_headings_skip_no_level(chromium, page):
    with chromium.open(page) as tab:
        levels = tab.run("[...document.querySelectorAll('h1,h2,h3,h4,h5,h6')].map(h => +h.localName[1])")
    assert levels[0] == 1 and levels.count(1) == 1
    assert all(later <= earlier + 1 for earlier, later in zip(levels, levels[1:])), levels


def test_screen_readers_get_the_same_content(chromium, page):
    with chromium.open(page) as tab:
        tree = set(tab.tree())
    for role, name in [
            ("RootWebArea", "Calendar of local of e2e"), ("heading", "Calendar of local of e2e"), ("main", ""),
            ("banner", ""), ("region", "Weeks"), ("region", "All sends"), ("heading", "Thu 5 Mar"),
            ("columnheader", "Audience"), ("link", "Skip to the calendar"), ("contentinfo", "")]:
        assert (role, name) in tree, (role, name)


def test_browser_does_not_correct_the_markup(chromium, page):
    with chromium.open(page) as tab:
        read = tab.run("""[...document.querySelectorAll('*')].map(e => {
            const path = [];
            for (; e; e = e.parentElement) path.unshift(e.localName);
            return path.join(' ');
        })""")
    assert read == Nesting(page.read_text()).paths and len(read) > 300
