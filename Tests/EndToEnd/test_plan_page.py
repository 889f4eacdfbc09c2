"""`herald plan --format html` in a real browser: appearance, accessibility and requests."""

from html.parser import HTMLParser

import pytest

from chromium import Chromium
from herald import Project, token

NOW = "2027-01-15T08:00:00Z"
# The widths of an upright phone and of a desktop screen.
WIDTHS = (390, 1280)

FILES = """campaign: spring-tide
about: Warn anglers about the equinox spring tide
audience: {{ topic: tides }}
message:
  notification: {{ title: "Spring tide on {day}", body: "Currents up to 4 knots after 09:00. Stay off the outer moles, and take a radio with you; the harbour master closes the gates at noon and opens them again with the ebb.", image: "https://images.example/tide.png" }}
  data: {{ screen: tides }}
delivery: {{ ttl: 12h, priority: high, collapse: tide }}
schedule: {{ at: "2027-01-20 07:30" }}
---
campaign: daily
audience: {{ topic: tides }}
message: {{ data: {{ sync: "1" }} }}
schedule: {{ cron: "17 6 * * *" }}
---
campaign: now
audience: {{ registrations: campaigns/registrations/all.txt }}
message: {{ notification: {{ title: Hello }} }}
"""


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    """A plan with immediate, scheduled and changed sends."""
    project = Project(tmp_path_factory.mktemp("page") / "project", "timezone: Atlantic/Azores\n", topics=["tides"])
    tokens = [token(n) for n in range(3)]
    project.list("all", tokens)
    project.devices(tokens)
    project.write("campaigns/all.yaml", FILES.format(day="Friday").replace("campaign: now", "campaign: before"))
    project.apply(now=NOW).expect(0)
    project.write("campaigns/all.yaml", FILES.format(day="Saturday"))
    path = project.folder / "plan.html"
    path.write_text(project.herald("plan", "--format", "html", now=NOW).expect(0).out, encoding="utf-8")
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


# Finds elements with text whose color contrast is too low according to WCAG 2.2. Backgrounds are opaque here.
FAINT = """
(() => {
  const parts = colour => colour.match(/[\\d.]+/g).map(Number);
  const light = ([r, g, b]) => [r, g, b].map(c => c / 255)
    .map(c => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)
    .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
  const ground = e => {
    for (; e; e = e.parentElement) {
      const c = parts(getComputedStyle(e).backgroundColor);
      if (c.length < 4 || c[3] > 0) return c;
    }
    return [255, 255, 255];
  };
  const texts = [...document.body.querySelectorAll('*')]
    .filter(e => [...e.childNodes].some(n => n.nodeType === 3 && n.data.trim()));
  if (texts.length < 50) return ['too few texts'];
  return texts.filter(e => {
    const [a, b] = [light(parts(getComputedStyle(e).color)), light(ground(e))].sort((x, y) => y - x);
    return (a + 0.05) / (b + 0.05) < 4.5;
  }).map(e => e.className + ': ' + e.textContent.slice(0, 40));
})()
"""


def test_detects_a_request_of_a_page(chromium, page, tmp_path):
    """Proves that the previous tests can fail: they detect a page that loads a resource, and a blocked one."""
    other = tmp_path / "other.html"
    image = '<main id="plan"><img src="http://127.0.0.1:9/tide.png">'
    other.write_text(page.read_text().replace('<main id="plan">', image))
    with chromium.open(other) as tab:
        assert any("Content Security Policy" in text for text in tab.complaints())
    other.write_text(other.read_text().replace("Content-Security-Policy", "x"))
    with chromium.open(other) as tab:
        assert tab.requests() == ["http://127.0.0.1:9/tide.png"]


def test_keyboard_reaches_and_opens_every_collapsed_part(chromium, page):
    with chromium.open(page) as tab:
        folds = tab.run("document.querySelectorAll('details').length")
        tab.run("document.querySelectorAll('details').forEach(d => { d.open = true })")
        reached = []
        others = tab.run("document.querySelectorAll('a, button, input, select, [tabindex]').length")
        for _ in range(folds * 3 + others + 20):
            tab.press("Tab")
            kind = tab.run("document.activeElement.localName")
            if kind == "body":
                break
            assert tab.run("getComputedStyle(document.activeElement).outlineStyle") != "none", kind
            reached.append(kind)
            if kind == "summary":
                states = [tab.run("document.activeElement.parentElement.open")]
                for key in (("Enter", "\r"), (" ", " ")):
                    tab.press(key[0], code="Space" if key[0] == " " else None, text=key[1])
                    states.append(tab.run("document.activeElement.parentElement.open"))
                assert states == [True, False, True], states
        assert reached[0] == "a" and reached.count("summary") == folds >= 6, reached


def test_screen_readers_get_the_same_content(chromium, page):
    with chromium.open(page) as tab:
        tab.run("document.querySelectorAll('details').forEach(d => { d.open = true })")
        tree = tab.tree()
    nodes = set(tree)
    for role, name in [
            ("RootWebArea", "Plan for local of e2e"), ("heading", "Plan for local of e2e"), ("main", ""), ("banner", ""),
            ("navigation", "Parts of the plan"), ("region", "The next 14 days"), ("article", "spring-tide"),
            ("heading", "spring-tide"), ("deletion", ""), ("insertion", ""), ("columnheader", "Due"),
            ("rowheader", "daily"), ("columnheader", "Field"), ("link", "Skip to the plan"), ("contentinfo", "")]:
        assert (role, name) in nodes, (role, name, tree)
    triangles = [name for role, name in tree if role == "DisclosureTriangle"]
    assert all(triangles) and any(name.startswith("spring-tide ") for name in triangles), triangles
    # Icons are decorative; the text next to them has the same meaning.
    texts = [name.strip() for role, name in tree if role == "StaticText"]
    assert not {">", "~", "=", "●", "○", "▸", "▾", "−"} & set(texts), texts


def test_headings_skip_no_level(chromium, page):
    with chromium.open(page) as tab:
        levels = tab.run("[...document.querySelectorAll('h1,h2,h3,h4,h5,h6')].map(h => +h.localName[1])")
    assert levels[0] == 1 and levels.count(1) == 1
    assert all(later <= earlier + 1 for earlier, later in zip(levels, levels[1:])), levels


class Nesting(HTMLParser):
    """The elements of a page's source, each with its ancestors."""

    def __init__(self, source):
        super().__init__()
        self.path, self.paths = [], []
        self.feed(source)

    def handle_starttag(self, tag, _):
        self.paths.append(" ".join([*self.path, tag]))
        if tag not in ("meta", "br", "input"):
            self.path.append(tag)

    def handle_endtag(self, tag):
        assert self.path.pop() == tag


def test_browser_does_not_correct_the_markup(chromium, page, tmp_path):
    """A browser would move a paragraph inside a paragraph, or a row without a table."""
    # Without its script, which adds buttons.
    still = tmp_path / "still.html"
    still.write_text(page.read_text().replace("script-src", "x-src"))
    with chromium.open(still) as tab:
        read = tab.run("""[...document.querySelectorAll('*')].map(e => {
            const path = [];
            for (; e; e = e.parentElement) path.unshift(e.localName);
            return path.join(' ');
        })""")
    assert read == Nesting(page.read_text()).paths and len(read) > 300


def test_print_expands_everything_with_dark_text_on_white(chromium, page):
    hidden = """[...document.querySelectorAll('details')]
        .filter(d => getComputedStyle(d, '::details-content').contentVisibility === 'hidden').length"""
    with chromium.open(page) as tab:
        tab.run("document.querySelectorAll('details').forEach(d => { d.open = false })")
        assert tab.run(hidden) > 5
        tab.emulate_media(dark=True, media="print")
        assert tab.run(hidden) == 0
        assert tab.run("getComputedStyle(document.body).color") == "rgb(22, 27, 34)", "light text in print"


def test_marks_each_changed_word(chromium, page):
    with chromium.open(page) as tab:
        assert tab.run("[...document.querySelectorAll('del,ins')].map(e => e.localName + ' ' + e.textContent)") == [
            "del Friday", "ins Saturday"]


def test_phone_previews_truncate_text_like_phones(chromium, page):
    """Android truncates a body to one line, iOS and Chrome to four. The image is named but not loaded."""
    with chromium.open(page) as tab:
        tab.run("window.entry = [...document.querySelectorAll('article')].find(e => e.querySelector('h3').textContent === 'spring-tide')")
        lines = {}
        for name in ("android", "apple", "web"):
            tab.run(f"window.card = entry.querySelector('.{name} .folded')")
            lines[name] = round(tab.run(
                "(b => b.clientHeight / parseFloat(getComputedStyle(b).lineHeight))(card.querySelector('.body'))"))
            assert tab.run("card.querySelector('.title').textContent") == "Spring tide on Saturday"
        assert lines["android"] == 1 and 2 <= lines["apple"] <= 4 and 2 <= lines["web"] <= 4, lines
        assert "https://images.example/tide.png" in tab.run("entry.querySelector('.unfolded .image').textContent")
        assert tab.run("entry.querySelector('.apple .clock').textContent") == "07:30"
        assert tab.run("document.images.length") == 0
