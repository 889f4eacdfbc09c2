"""Hostile payload text in a plan is shown as text in a terminal, in a comment and on a page."""

import json
import re
import subprocess
from collections import Counter
from html.parser import HTMLParser

import pytest

from chromium import Chromium
from herald import Project, binary, eventually, token, variables
from test_terminal import COLOR, FORBIDDEN, escaped

NOW = "2027-01-15T08:00:00Z"
HARM = [
    "\x1b[31mred\x1b[0m \x1b]0;owned\x07 \x9b2J \x08\x08 \x00 \x7f",
    "\u202egnp.exe \u2066left\u2069 \u200fright \u200bnothing \ufeff \U000e0041 pay\u200dpal",
    "<script>alert(1)</script> <img src=https://evil.example/1.png onerror=alert(1)> <b>bold</b>",
    "</code></pre></summary></details></article> <!-- --> ]]> <![CDATA[ x ]]> <?php x ?> <!DOCTYPE html>",
    "\"><a href='https://evil.example'> ' onclick='x' \" style=\"x\" <style>*{display:none}</style>",
    "&lt;b&gt; &#64;octocat &amp;lt;i&amp;gt; &#35;12 &commat;octocat",
    "@octocat (@octocat) x@octocat, @org/team #12 (#12) GH-12 octo/repo#3 octo/repo@0badc0de 0badc0de0badc0de",
    "!12 ~bug ~\"a bug\" %3 &4 $5 ^6 [vulnerability:1] *iteration:1 :smile: :+1: $x^2$ $`y`$",
    "[link](https://evil.example) ![image](https://evil.example/2.png) [x]() ]() [y]: https://evil.example",
    "https://evil.example http://evil.example www.evil.example ftp://evil.example a@evil.example <https://evil.example> mailto:a@evil.example",
    "` `` ``` ```` ~~~ ~~~~ `code` ``` a ``` \\` \\",
    "**strong** __strong__ *em* _em_ ~~gone~~ ***both*** ==x== ^x^ | a | b |",
    "# heading", "- [x] task", "1. one", "> quote", "    code", "***", "===", "[^1] [^1]: note",
    "lines\n\n# heading\n\n- item\n\n```\nfence\n```\n\n<div>\n\n</details>\n\n@octocat\n\n| a | b |\n|---|---|\n| c | d |\n",
]
LONG = "@octocat #12 <b>x</b> https://evil.example ` "
LONG *= 10_000 // len(LONG) + 1


def plain(text):
    """Returns a value of the same structure whose texts are one letter."""
    return re.sub(r"[^ \n]", "x", text)


def campaign(name, text, schedule=None):
    # YAML accepts keys of at most 1,024 characters, and each of these characters is escaped with ten.
    key, text, at = escaped(text[:80]), escaped(text), f'schedule: {{ at: "{schedule}" }}\n' if schedule else ""
    return f"""campaign: {name}
about: "{text}"
audience: {{ topic: "www.evil.example~bug" }}
message:
  notification: {{ title: "{text}", body: "{text}" }}
  data: {{ "{key}": "{text}" }}
  android: {{ notification: {{ tag: "{text}" }} }}
  apns: {{ payload: {{ aps: {{ sound: default }}, "{key}": "{text}" }} }}
  webpush: {{ notification: {{ "{key}": "{text}" }} }}
{at}---
"""


def planned(folder, change):
    """A project whose plan has the hostile text in new campaigns, and before and after a change."""
    project = Project(folder, "rules: { too-many-stored: off }\n", topics=["www.evil.example~bug"])
    project.devices([token(1)])
    late = ["2027-02-01 07:31", "2027-02-02 07:31"]
    old, new = change("@octocat **tide** [a](https://evil.example) `x`"), change("@octocat **ebb** [a](https://evil.example) `x`")
    project.write("campaigns/changed.yaml", campaign("changed", old, late[0]) + campaign("reworded", "tide", late[1]))
    project.apply(now=NOW).expect(0)
    project.write("campaigns/changed.yaml", campaign("changed", new, late[0]) + campaign("reworded", old, late[1]))
    project.write("campaigns/harm.yaml", "".join(campaign(f"www.evil.example-{n}", change(text)) for n, text in enumerate(HARM)))
    project.write("campaigns/long.yaml", f'campaign: long\nabout: "{escaped(change(LONG))}"\naudience: {{ topic: "www.evil.example~bug" }}\nmessage: {{ data: {{ a: b }} }}\n')
    return project


@pytest.fixture(scope="module")
def hostile(tmp_path_factory):
    return planned(tmp_path_factory.mktemp("hostile") / "project", lambda text: text)


@pytest.fixture(scope="module")
def harmless(tmp_path_factory):
    return planned(tmp_path_factory.mktemp("harmless") / "project", plain)


def plan(project, form):
    return project.herald("plan", "--format", form, now=NOW).expect(0).out


# MARK: terminal


def test_terminal_receives_only_heralds_color_codes(hostile, tmp_path):
    """tmux records the program's bytes before it interprets them."""
    raw = tmp_path / "raw"

    def tmux(*arguments):
        return subprocess.run(
            ["tmux", "-u", "-f", "/dev/null", "-S", str(tmp_path / "socket"), *arguments],
            env=variables(NOW), check=True, capture_output=True, text=True).stdout

    tmux("new-session", "-d", "-x", "80", "-y", "50", f"read go; '{binary()}' plan -C '{hostile.folder}'; echo THE END; read end")
    try:
        tmux("pipe-pane", f"cat > '{raw}'")
        tmux("send-keys", "Enter")
        eventually(lambda: raw.exists() and b"THE END" in raw.read_bytes(), "the plan in tmux")
        assert "owned" not in tmux("display-message", "-p", "#{pane_title} #{window_name}")
    finally:
        tmux("kill-server")
    text = raw.read_bytes().decode()
    assert COLOR.search(text), "the plan is not colored"
    shown = COLOR.sub("", text).replace("\r\n", "\n")
    found = FORBIDDEN.search(shown)
    assert not found, f"{found[0]!r} in {shown[max(0, found.start() - 80):found.end() + 20]!r}"
    assert "\\u{1B}]0;owned\\u{7}" in shown.replace("\n", "").replace(" ", "")


# MARK: comment


class Elements(HTMLParser):
    """The elements of rendered Markdown, and its text outside of code."""

    def __init__(self, markup):
        super().__init__()
        self.count, self.attributes = Counter(), set()
        self.path, self.prose, self.nested, self.crossed = [], [], [], []
        self.feed(markup)
        self.close()

    def handle_starttag(self, tag, attributes):
        self.count[tag] += 1
        self.attributes |= {name for name, _ in attributes}
        if "code" in self.path:
            self.nested.append(tag)
        if tag not in ("br", "hr", "img", "input"):
            self.path.append(tag)

    def handle_endtag(self, tag):
        if self.path[-1:] != [tag]:
            self.crossed.append(tag)
        if tag in self.path:
            while self.path.pop() != tag:
                pass

    def handle_data(self, text):
        # GitHub and GitLab ignore references in code, and resolve them in all other text.
        if not {"code", "pre"} & set(self.path):
            self.prose.append(text)


def rendered(markdown):
    """Renders Markdown like a GitHub comment: with its extensions and its allowed elements."""
    extensions = [word for name in ("table", "strikethrough", "autolink", "tagfilter", "tasklist", "footnotes") for word in ("-e", name)]
    return Elements(subprocess.run(
        ["cmark-gfm", "--unsafe", *extensions], input=markdown.encode(), capture_output=True, check=True).stdout.decode())


REFERENCE = re.compile(
    r"@[\w`]|#\d|\bGH-\d|(?<!\w)[!~%&$^][\w\"]|:[\w+-]+:|://|www\.|\b[0-9a-f]{7,40}\b|\$\S+\$|\[\w+:", re.IGNORECASE)


def test_comment_contains_no_injected_element_link_or_mention(hostile, harmless):
    comment = plan(hostile, "markdown")
    assert len(comment.encode()) < 65_536 and comment.startswith("<!-- herald-plan: e2e/local -->\n")
    assert not re.search(FORBIDDEN.pattern, comment)
    ours, theirs = rendered(plan(harmless, "markdown")), rendered(comment)
    assert theirs.nested == [] and theirs.crossed == [] and theirs.path == []
    assert theirs.attributes == ours.attributes <= {"class"}
    # The number of code spans depends on the text.
    for elements in (ours, theirs):
        assert elements.count.pop("code") > len(HARM)
        assert not {"a", "img", "script", "style", "input", "hr", "em", "del", "sup"} & set(elements.count)
        assert elements.count["table"] == 1, "the table of changes"
    assert theirs.count == ours.count
    found = [(text, REFERENCE.search(text)[0]) for text in theirs.prose if REFERENCE.search(text)]
    assert found == []
    assert theirs.count["details"] >= 10, "too little of the text is in the comment"


def test_unescaped_text_would_inject_elements():
    """Proves that the previous test can fail: unescaped text has these effects."""
    elements = rendered("\n\n".join(text for text in HARM if "</details>" not in text))
    assert {"a", "img", "b", "em", "strong", "h1", "input", "del"} <= set(elements.count)
    found = {REFERENCE.search(text)[0] for text in elements.prose if REFERENCE.search(text)}
    assert {"@o", ":smile:"} & found and len(found) >= 2, found


# MARK: page


def elements(tab):
    """Returns the number of each element on the page, and the names of all attributes."""
    count = json.loads(tab.run(
        "JSON.stringify([...document.querySelectorAll('*')].map(e => e.localName + ' ' + e.getAttributeNames().sort().join(' ')))"))
    return Counter(count)


def test_page_contains_no_injected_element_link_or_request(hostile, harmless, tmp_path):
    counts = []
    with Chromium() as chromium:
        for project in (harmless, hostile):
            page = tmp_path / "plan.html"
            page.write_text(plan(project, "html"), encoding="utf-8", newline="\n")
            with chromium.open(page) as tab:
                assert tab.requests() == [] and tab.complaints() == []
                files = tab.run("[...document.links].map(a => a.getAttribute('href')).filter(h => h[0] !== '#')")
                assert set(files) <= {"./herald.yaml"} | {f"./campaigns/{name}.yaml" for name in ("harm", "changed", "long")}, files
                assert tab.run("document.images.length + document.forms.length") == 0
                assert tab.run("[...document.scripts].map(s => s.src)") == [""], "the page's own script"
                assert tab.run("document.documentElement.scrollWidth") <= 1280
                text = tab.run("document.body.textContent")
                counts.append(elements(tab))
    assert not FORBIDDEN.search(text)
    assert HARM[2] in text and "&#64;octocat" in text and "\\u{202E}gnp.exe" in text
    # The number of changed words depends on the text.
    for count in counts:
        for name in ("ins ", "del ", "span class"):
            count.pop(name, None)
    assert counts[0] == counts[1]
