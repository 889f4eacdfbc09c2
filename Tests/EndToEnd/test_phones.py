"""The web page of `herald emulator` in a real browser shows the phones live."""

import json
import subprocess
import urllib.parse

import pytest

from admin_sdk import CURRENT, NOTE, AdminSDK
from chromium import Chromium
from herald import DEADLINE, Emulator, Project, eventually
from test_plan_page import FAINT

# The widths of an upright phone and of desktop screens.
WIDTHS = (390, 1440, 2560)
PHONES = [("pixel", "android"), ("iphone", "apple"), ("browser", "web")]
HOSTILE = "<img src=http://127.0.0.1:9/x onerror=document.title='taken'><script>document.title='taken'</script>"


@pytest.fixture(scope="module")
def emulator(tmp_path_factory):
    with Emulator(Project(tmp_path_factory.mktemp("phones") / "project")) as emulator:
        yield emulator


@pytest.fixture(scope="module")
def chromium():
    with Chromium() as browser:
        yield browser


@pytest.fixture
def phones(emulator):
    """Three phones without messages."""
    for device in emulator.get("/emulator/v1/devices")["devices"]:
        emulator.ask("DELETE", f"/emulator/v1/devices/{urllib.parse.quote(device['name'], safe='')}")
    emulator.post("/emulator/v1/devices", [
        {"name": name, "platform": platform, "registration": f"{name}:token", "package": "example.tides", "topics": ["tides"]}
        for name, platform in PHONES])
    return emulator


@pytest.fixture
def tab(chromium, phones):
    with chromium.open(phones.url + "/") as tab:
        until(tab, "document.querySelectorAll('article').length === 3", "three phones are drawn")
        yield tab


def until(tab, expression, what):
    """Waits until the expression has an element or a true value, and returns it."""
    return eventually(lambda: tab.run(f"(v => v instanceof Node || v)({expression})"), what, 20)


def send(emulator, target="pixel", **message):
    return emulator.post("/v1/projects/e2e/messages:send", {"message": {"token": f"{target}:token"} | message})


def card(name):
    return f"[...document.querySelectorAll('article')].find(a => a.dataset.name === '{name}')"


def focused(tab):
    return tab.run("document.activeElement.closest('article')?.dataset.name + ' ' + (document.activeElement.dataset.focus ?? '')")


def tab_to(tab, expression):
    for _ in range(60):
        if tab.run(expression):
            return
        tab.press("Tab")
    raise AssertionError(f"no Tab leads to {expression}")


def test_can_be_operated_with_the_keyboard(phones, tab):
    """Puts a phone offline, sends a message, reconnects the phone, opens the message and reads its data."""
    tab_to(tab, "document.activeElement.matches('article')")
    assert focused(tab) == "pixel "
    tab_to(tab, "document.activeElement.dataset.condition === 'online'")
    tab.press("Enter", text="\r")
    until(tab, f"{card('pixel')}.querySelector('[data-condition=online]').ariaPressed === 'false'", "it is offline")
    assert focused(tab) == "pixel online", "it keeps the focus after a redraw"
    send(phones, notification=NOTE, data={"screen": "tides"})
    until(tab, f"{card('pixel')}.querySelector('.waiting')", "something waits")
    assert tab.run(f"{card('pixel')}.querySelector('.waiting').textContent") == "1 pending: the device is offline"
    tab.press(" ", code="Space", text=" ")
    until(tab, f"{card('pixel')}.querySelector('.note')", "it arrives")
    assert tab.run(f"{card('pixel')}.querySelector('.note .what').textContent") == NOTE["title"]
    assert not tab.run(f"{card('pixel')}.querySelector('.waiting')")
    tab.press("Escape")
    assert focused(tab) == "pixel "
    tab.press("Enter", text="\r")
    until(tab, "document.getElementById('dialog').open", "the app opens")
    assert tab.run("[...document.querySelectorAll('#dialog tr')].map(r => r.innerText.split('\\t').join('='))")[0] == "screen=tides"
    tab.press("Escape")
    until(tab, f"document.activeElement === {card('pixel')}", "the focus is back")
    until(tab, f"{card('pixel')}.querySelector('[data-condition=foreground]').ariaPressed === 'true'", "the app is in front")
    assert not tab.run(f"{card('pixel')}.querySelector('.note')")
    feed = tab.run("[...document.querySelectorAll('#feed li')].map(l => l.innerText.replace(/^[\\d:]+\\s*/, ''))")
    title = f"“{NOTE['title']}”"
    for line in ("pixel goes offline", "pixel goes online", f"pixel shows {title}", f"pixel opens {title}"):
        assert line in feed, (line, feed)


def test_arrow_keys_select_phones_and_letters_toggle_conditions(phones, tab):
    tab_to(tab, "document.activeElement.matches('article')")
    for key, name in (("ArrowRight", "iphone"), ("End", "browser"), ("ArrowLeft", "iphone"), ("Home", "pixel")):
        tab.press(key)
        assert focused(tab) == name + " ", key
    for key, condition in (("d", "dozing"), ("a", "foreground"), ("s", "force_stopped"), ("i", "installed"), ("o", "online")):
        was = phones.get("/emulator/v1/devices/pixel")[condition]
        tab.press(key, code=f"Key{key.upper()}", text=key)
        eventually(lambda: phones.get("/emulator/v1/devices/pixel")[condition] != was, f"{key} switches {condition}", 20)
    tab.press("/", code="Slash", text="/")
    assert tab.run("document.activeElement.id") == "search"
    for letter in "brow":
        tab.press(letter, code=f"Key{letter.upper()}", text=letter)
    until(tab, "document.querySelectorAll('article').length === 1", "one is found")


def test_shows_a_message_of_the_official_sdk_within_a_second(phones, tab):
    tab.run(f"""new MutationObserver(() => {{ window.shown ??= {card('iphone')}.querySelector('.note') && Date.now(); }})
        .observe(document.getElementById('grid'), {{ childList: true, subtree: true }})""")
    AdminSDK(CURRENT, phones).call("send", message={"token": "iphone:token", "notification": NOTE})
    shown = until(tab, "window.shown", "the phone shows it")
    received = phones.get("/emulator/v1/devices/iphone/inbox")["received"][0]["received_at"]
    assert shown - tab.run(f"Date.parse('{received}')") < 1_000


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("width", WIDTHS)
def test_page_is_readable(chromium, phones, width, dark):
    for n in range(7):
        send(phones, notification={"title": f"Note {n}", "body": "Stay off the outer moles. " * 8, "image": "http://127.0.0.1:9/x.png"},
             android={"notification": {"tag": str(n)}})
    phones.patch("/emulator/v1/devices/iphone", {"online": False})
    send(phones, "iphone", notification=NOTE)
    send(phones, "iphone", data={"call": "1"}, apns={"headers": {"apns-expiration": "0"}})
    with chromium.open(phones.url + "/", width=width, dark=dark) as tab:
        until(tab, f"{card('iphone')}?.querySelector('.lost')", "all is drawn")
        assert tab.complaints() == []
        assert {url for url in tab.requests() if not url.startswith(phones.url)} <= {
            url for url in tab.requests() if url.startswith("data:")}, "it sends requests to other servers"
        assert tab.run("document.documentElement.scrollWidth") <= width, "it scrolls horizontally"
        assert tab.run(FAINT) == [], "a contrast below 4.5 to 1"
        assert "http://127.0.0.1:9/x.png" in tab.run(f"{card('pixel')}.querySelector('.image').textContent")


CONTROLS = {"button", "searchbox", "combobox", "textbox", "link", "switch", "checkbox", "DisclosureTriangle", "MenuListPopup"}


def test_every_element_has_a_role_and_a_name(phones, tab):
    send(phones, notification=NOTE)
    phones.patch("/emulator/v1/devices/browser", {"online": False})
    send(phones, "browser", notification=NOTE)
    until(tab, f"{card('browser')}.querySelector('.waiting') && {card('pixel')}.querySelector('.note')", "both are drawn")
    tree = tab.tree()
    nodes = set(tree)
    for role, name in [
            ("feed", "Devices"), ("complementary", "Live"), ("heading", "Phones"), ("heading", "pixel"), ("navigation", "Views"),
            ("article", "pixel"), ("log", "Activity"), ("region", "Newest requests"),
            ("searchbox", "Search phones by name, topic or text"), ("combobox", "Platform"), ("button", "Advance the clock by 1 hour"), ("button", "Online"),
            ("button", f"Tap on {NOTE['title']}"), ("link", "Skip to the content"), ("timer", "The emulator's time")]:
        assert (role, name) in nodes, (role, name, sorted(nodes))
    nameless = [role for role, name in tree if role in CONTROLS - {"MenuListPopup"} and not name.strip()]
    assert nameless == []
    clickable = tab.run("""[...document.querySelectorAll('*')].filter(e => e.tabIndex >= 0)
        .every(e => /^(a|button|input|select|textarea|summary|article|ol|div|main)$/.test(e.localName))""")
    assert clickable
    levels = tab.run("[...document.querySelectorAll('h1,h2,h3')].filter(h => h.checkVisibility()).map(h => +h.localName[1])")
    assert levels[0] == 1 and all(later <= earlier + 1 for earlier, later in zip(levels, levels[1:])), levels


def test_hostile_text_is_shown_as_text(phones, tab):
    phones.post("/emulator/v1/devices", [{"name": HOSTILE, "platform": "web", "registration": "hostile:token"}])
    send(phones, "hostile", notification={"title": HOSTILE, "body": HOSTILE}, data={HOSTILE: HOSTILE},
         webpush={"fcm_options": {"link": "https://x.example/"}, "notification": {"image": HOSTILE}})
    until(tab, "document.querySelectorAll('article').length === 4 && document.querySelector('.web .note')", "it is drawn")
    assert tab.run("document.querySelector('.note .what').textContent") == HOSTILE
    assert tab.run("document.querySelector('.note .body').textContent") == HOSTILE
    tab.run("document.querySelector('.note').click()")
    until(tab, "document.getElementById('dialog').open", "it is opened")
    assert tab.run("document.querySelector('#dialog tr').textContent") == HOSTILE + HOSTILE
    assert tab.run("document.title") == "Phones – FCM emulator"
    assert tab.run("document.images.length + document.querySelectorAll('body script').length") == 0
    assert tab.complaints() == []
    assert not [url for url in tab.requests() if ":9/" in url]


def ask(url, *arguments):
    """Returns status, header and body of an answer to curl."""
    done = subprocess.run(["curl", "-s", "-i", *arguments, url], capture_output=True, text=True, timeout=DEADLINE, check=True)
    head, _, body = done.stdout.partition("\n\n")
    return int(head.split()[1]), head.lower(), body


@pytest.mark.parametrize("version", ["--http1.1", "--http2-prior-knowledge"])
def test_rejects_requests_from_other_sites(phones, version):
    change = phones.url + "/emulator/v1/devices/pixel"
    off = ("-X", "PATCH", "-d", '{"online": false}', version)
    port = phones.port
    for foreign in (("-H", "Origin: https://evil.example"), ("-H", "Origin: null"), ("-H", f"Origin: http://localhost:{port + 1}"),
                    ("-H", f"Host: evil.example:{port}", "-H", f"Origin: http://evil.example:{port}")):
        status, _, body = ask(change, *off, *foreign)
        assert (status, json.loads(body)["error"]["status"]) == (403, "PERMISSION_DENIED"), foreign
        assert phones.get("/emulator/v1/devices/pixel")["online"]
    # A foreign host name that resolves to this machine may not even read the page.
    for path in ("/", "/emulator/page.js", "/emulator/v1/changes"):
        assert ask(phones.url + path, version, "-H", f"Host: evil.example:{port}")[0] == 403
    for own in ((), ("-H", f"Origin: {phones.url}"), ("-H", f"Host: localhost:{port}", "-H", f"Origin: http://localhost:{port}")):
        assert ask(change, *off, *own)[0] == 200
    status, head, _ = ask(phones.url + "/", version)
    assert status == 200 and "content-security-policy: default-src 'none'" in head and "metadata-flavor: google" in head


@pytest.mark.parametrize("version", ["--http1.1", "--http2-prior-knowledge"])
def test_long_poll_waits_for_a_change(phones, version):
    first = json.loads(ask(phones.url + "/emulator/v1/changes", version)[2])
    assert first["whole"] and first["device_count"] == len(PHONES)
    shown = json.loads(ask(phones.url + "/emulator/v1/phones", version)[2])
    assert shown["complete"] and [device["name"] for device in shown["devices"]] == [name for name, _ in PHONES]
    waiting = subprocess.Popen(
        ["curl", "-s", version, f"{phones.url}/emulator/v1/changes?wait=30s&after={first['cursor']}"],
        stdout=subprocess.PIPE, text=True)
    with pytest.raises(subprocess.TimeoutExpired):
        waiting.wait(0.5)
    send(phones, "iphone", notification=NOTE)
    answer = json.loads(waiting.communicate(timeout=DEADLINE)[0])
    assert not answer["whole"]
    assert [(event["device"], event["event"]) for event in answer["activity"]][-1] == ("iphone", "delivered")
    assert [request["path"] for request in answer["requests"]] == ["/v1/projects/e2e/messages:send"]
    later = json.loads(ask(f"{phones.url}/emulator/v1/phones?after={shown['cursor']}", version)[2])
    assert not later["complete"] and [device["name"] for device in later["devices"]] == ["iphone"]
    assert ask(f"{phones.url}/emulator/v1/changes?wait=31s", version)[0] == 400
    assert json.loads(ask(f"{phones.url}/emulator/v1/changes?after=nonsense", version)[2])["whole"]


def test_long_poll_ends_after_its_timeout(phones):
    cursor = phones.get("/emulator/v1/changes")["cursor"]
    none = phones.get(f"/emulator/v1/changes?wait=1s&after={cursor}")
    assert none["activity"] == none["requests"] == [] and none["cursor"] == cursor


def test_page_recovers_after_an_emulator_restart(chromium, project):
    """The page reconnects by itself after the emulator restarts."""
    with Emulator(project) as emulator:
        emulator.install(["phone-1:token"])
        with chromium.open(emulator.url + "/") as tab:
            until(tab, "document.querySelectorAll('article').length === 1", "the phone appears")
            emulator.kill()
            until(tab, "document.getElementById('status').textContent.includes('does not respond')", "the page reports the failure")
            with Emulator(project, port=emulator.port) as again:
                again.install(["phone-2:token"])
                until(tab, "document.querySelectorAll('article').length === 2", "the second phone appears")
                until(tab, "document.getElementById('status').textContent === ''", "the page clears the message")


def test_advancing_the_clock_triggers_due_events(chromium, project):
    with Emulator(project) as emulator:
        emulator.post("/emulator/v1/devices", [{"name": "pixel", "platform": "android", "registration": "pixel:token", "online": False}])
        send(emulator, notification=NOTE, android={"ttl": "60s"})
        with chromium.open(emulator.url + "/") as tab:
            until(tab, "document.querySelector('.waiting')", "it waits")
            tab_to(tab, "document.activeElement.dataset.forward === '3600s'")
            tab.press("Enter", text="\r")
            until(tab, "document.querySelector('.lost')", "its time is over")
            assert tab.run("document.querySelector('.lost').textContent") == "1 dropped: its TTL expired"
            assert tab.run("document.getElementById('mode').textContent") == "virtual, running"
            assert not tab.run("!!document.querySelector('.waiting')")
