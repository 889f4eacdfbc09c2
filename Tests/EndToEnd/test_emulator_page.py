"""The views of the emulator's web page: requests, one phone, sends, faults, settings, projects and long lists."""

import json

import pytest

from axe import violations
from chromium import Chromium
from emulator_page import click, fill, press, tab_to, text, until, visit
from envelopes import Key
from herald import Emulator, Project, eventually
from test_plan_page import FAINT

VIEWS = ("phones", "phones/pixel", "requests", "requests/ACCEPTED", "requests/REFUSED", "send?from=ACCEPTED", "faults", "settings")
HOSTILE = "<img src=http://127.0.0.1:9/x onerror=document.title='taken'><script>document.title='taken'</script>"


@pytest.fixture(scope="module")
def chromium():
    with Chromium() as browser:
        yield browser


@pytest.fixture
def emulator(project):
    """An emulator with three phones, of which one is offline, and one accepted and one refused send."""
    with Emulator(project) as emulator:
        emulator.post("/emulator/v1/devices", [
            {"name": name, "platform": platform, "registration": f"{name}:token", "package": "example.tides",
             "topics": ["tides"], "online": name != "iphone"}
            for name, platform in (("pixel", "android"), ("iphone", "apple"), ("browser", "web"))])
        send(emulator, topic="tides", notification={"title": "Spring tide", "body": "Stay off the moles"}, data={"station": "horta"})
        refused(emulator)
        yield emulator


@pytest.fixture
def tab(chromium, emulator):
    with chromium.open(emulator.url + "/") as tab:
        until(tab, "document.querySelectorAll('article h2').length === 3", "the phones are drawn")
        yield tab
        # Chromium also reports a refused send of the page.
        assert [text for text in tab.complaints() if "status of 404" not in text] == []


def send(emulator, **message):
    return emulator.post("/v1/projects/e2e/messages:send", {"message": message})


def refused(emulator):
    """Sends to a registration that no phone has."""
    with pytest.raises(OSError, match="404"):
        send(emulator, token="nobody:token", notification={"title": "Lost"})


def sends(emulator):
    """Returns the numbers of the accepted and of the refused send."""
    return [emulator.get(f"/emulator/v1/search/requests?status={status}&path=/v1/projects/")["requests"][0]["seq"] for status in (200, 404)]


def addresses(emulator):
    accepted, denied = sends(emulator)
    return ["#/" + view.replace("ACCEPTED", str(accepted)).replace("REFUSED", str(denied)) for view in VIEWS]


def test_leads_from_a_request_to_its_phones_and_back(emulator, tab):
    accepted, _ = sends(emulator)
    visit(tab, "#/requests")
    row = f"#log tr[data-number='{accepted}']"
    until(tab, f"document.querySelector(\"{row}\")", "the request is listed")
    assert "tides" in text(tab, row) and "Spring tide" in text(tab, row)
    tab_to(tab, f"e.closest(\"{row}\") && e.matches('a')")
    press(tab, "Enter")
    until(tab, "document.querySelectorAll('#reached li').length === 3", "the phones are listed")
    page = text(tab, "#request")
    for part in ("topic tides", "Spring tide", "Stay off the moles", "station horta", "Message ID", "Headers", "User-Agent"):
        assert part.lower() in page.lower(), (part, page)
    assert "Bearer owner" not in page
    assert "Pending: the device is offline" in text(tab, "#reached")
    tab_to(tab, "e.closest('#reached') && e.textContent === 'iphone'")
    press(tab, "Enter")
    until(tab, "document.querySelector('#phone-messages summary')", "the messages of the phone are listed")
    assert tab.run("document.activeElement.id") == "phone-heading", "the focus is on the heading of the view"
    tab_to(tab, "e.closest('#phone-messages') && e.matches('summary')")
    press(tab, "Enter")
    tab_to(tab, "e.closest('#phone-messages') && e.matches('a')")
    press(tab, "Enter")
    until(tab, f"document.querySelector('#request-heading')?.textContent === 'Request {accepted}'", "it leads back")


def test_explains_why_a_request_was_refused(emulator, tab):
    _, denied = sends(emulator)
    visit(tab, "#/requests?status=404")
    until(tab, "document.querySelectorAll('#log tr').length === 1", "only the refused request is listed")
    assert "404 UNREGISTERED" in text(tab, "#log") and "Requested entity was not found." in text(tab, "#log")
    visit(tab, f"#/requests/{denied}")
    note = until(tab, "document.querySelector('.note-box')?.innerText", "the reason is shown")
    assert "Refused with 404 UNREGISTERED. Requested entity was not found." in note and "Delete it from your list" in note


def test_new_requests_appear_and_old_ones_are_fetched(emulator, tab):
    for n in range(70):
        send(emulator, token="browser:token", data={"n": str(n)})
    visit(tab, "#/requests")
    until(tab, "document.querySelectorAll('#log tr').length === 60", "the newest are listed")
    send(emulator, token="browser:token", notification={"title": "The newest"})
    until(tab, "document.querySelector('#log tr .text')?.textContent === 'The newest'", "it is added on top")
    click(tab, "#older")
    until(tab, "document.querySelector('#log tr:last-child').dataset.number === '1'", "the first request is listed")
    numbers = tab.run("[...document.querySelectorAll('#log tr')].map(row => Number(row.dataset.number))")
    assert numbers == list(range(numbers[0], 0, -1))
    fill(tab, "requests-text", "the NEWEST")
    until(tab, "document.querySelectorAll('#log tr').length === 1", "the search finds it")
    assert "text=the+NEWEST" in tab.run("location.hash")


def test_composes_and_sends_a_message(emulator, tab):
    visit(tab, "#/send?to=pixel")
    until(tab, "document.getElementById('send-target').value === 'pixel'", "the form is filled")
    for field, value in (("title", "From the page"), ("body", "Two lines\nof text"), ("data", "screen=tides\nequation=a=b"),
                         ("other", '{"android": {"priority": "high"}}')):
        fill(tab, f"send-{field}", value)
    assert json.loads(text(tab, "#send-preview pre"))["message"]["data"] == {"screen": "tides", "equation": "a=b"}
    click(tab, "#send-form button", "Send")
    link = until(tab, "document.querySelector('#send-result a')", "the answer is shown")
    assert link and text(tab, "#send-result").startswith("200 after")
    note = emulator.get("/emulator/v1/devices/pixel/inbox")["received"][-1]
    assert (note["title"], note["body"], note["priority"]) == ("From the page", "Two lines\nof text", "HIGH")
    assert note["data"] == {"screen": "tides", "equation": "a=b"}
    click(tab, "#send-result a")
    until(tab, "document.querySelector('#reached li')?.innerText.includes('pixel')", "the request leads to the phone")
    click(tab, "#request .actions a", "Send again")
    until(tab, "document.getElementById('send-title').value === 'From the page'", "the form has the message again")
    fill(tab, "send-target", "nobody:token")
    click(tab, "#send-form button", "Send")
    until(tab, "document.getElementById('send-result').innerText.startsWith('404 UNREGISTERED')", "the refusal is shown")


def test_an_invalid_form_sends_nothing(emulator, tab):
    before = len(emulator.get("/emulator/v1/requests")["requests"])
    visit(tab, "#/send?topic=tides")
    fill(tab, "send-other", "{android")
    assert "not JSON" in text(tab, "#send-preview")
    click(tab, "#send-form button", "Send")
    assert tab.run("document.querySelector('#send-form:invalid') !== null")
    visit(tab, "#/send?to=nobody")
    fill(tab, "send-title", "x")
    click(tab, "#send-form button", "Send")
    until(tab, "document.getElementById('status').textContent === 'There is no phone with the name nobody.'", "the error is shown")
    assert len(emulator.get("/emulator/v1/requests")["requests"]) == before


def test_adds_changes_and_removes_phones(emulator, tab):
    click(tab, "#add")
    for field, value in (("name", "watch"), ("count", "3"), ("topics", "tides azores")):
        fill(tab, f"new-{field}", value)
    tab.run("document.getElementById('new-platform').value = 'each'")
    press(tab, "Enter")
    until(tab, "document.querySelectorAll('article h2').length === 6", "they are added")
    devices = {device["name"]: device for device in emulator.get("/emulator/v1/devices")["devices"]}
    assert [devices[f"watch-{n}"]["platform"] for n in (1, 2, 3)] == ["android", "apple", "web"]
    assert sorted(devices["watch-2"]["topics"]) == ["azores", "tides"] and devices["watch-1"]["registration"]
    visit(tab, "#/phones/watch-1")
    click(tab, "#phone-card button", "Dozing")
    until(tab, "document.querySelector('#phone-card [data-condition=dozing]').ariaPressed === 'true'", "it dozes")
    fill(tab, "phone-topic", "madeira")
    click(tab, "#phone-topics button", "Subscribe")
    until(tab, "document.getElementById('phone-topics').innerText.includes('madeira')", "it is subscribed")
    former = emulator.get("/emulator/v1/devices/watch-1")["registration"]
    click(tab, "#phone-facts button", "Issue a new one")
    eventually(lambda: emulator.get("/emulator/v1/devices/watch-1")["registration"] != former, "it has a new registration", 20)
    click(tab, "#phone .actions button", "Remove")
    click(tab, "#dialog button", "Cancel")
    assert emulator.get("/emulator/v1/devices/watch-1")["name"] == "watch-1"
    click(tab, "#phone .actions button", "Remove")
    click(tab, "#dialog button", "Remove")
    until(tab, "!document.getElementById('phones').hidden && document.querySelectorAll('article h2').length === 5", "it is removed")


def test_sets_faults(emulator, tab):
    visit(tab, "#/faults")
    until(tab, "document.getElementById('fault-what')", "the form is drawn")
    fill(tab, "fault-times", "1")
    fill(tab, "fault-retry", "30")
    click(tab, "#faults form button", "Add rule")
    until(tab, "document.querySelector('#rules tbody tr')", "the rule is listed")
    with pytest.raises(OSError, match="503"):
        send(emulator, token="pixel:token", data={"a": "b"})
    until(tab, "document.getElementById('fired-0').textContent === '1'", "it counts")
    send(emulator, token="pixel:token", data={"a": "b"})
    script = json.loads(tab.run("document.getElementById('fault-script').value"))
    assert script["rules"][0]["answer"] == {"error": "UNAVAILABLE", "retry_after_seconds": 30}
    script["rules"][0] |= {"id": "edited", "when": {"every": 2}}
    fill(tab, "fault-script", json.dumps(script))
    click(tab, "#faults form button", "Replace the script")
    until(tab, "document.querySelector('#rules tbody th').textContent === 'edited'", "the script is replaced")
    click(tab, "#rules button", "Remove all")
    until(tab, "document.getElementById('rules').innerText.startsWith('No faults')", "it is empty")
    assert emulator.get("/emulator/v1/faults")["rules"] == []


def test_sets_the_clock_and_resets(emulator, tab):
    visit(tab, "#/settings")
    until(tab, "document.getElementById('clock-mode')", "the form is drawn")
    tab.run("document.getElementById('clock-mode').value = 'FROZEN'")
    fill(tab, "clock-at", "2037-03-20T07:30:00Z")
    click(tab, "#settings button", "Set the clock")
    until(tab, "document.getElementById('mode').textContent === 'virtual, frozen'", "it is frozen")
    assert emulator.get("/emulator/v1/clock")["time"].startswith("2037-03-20T07:30:00")
    fill(tab, "option-fan_out_rate", "7")
    click(tab, "#settings button", "Save")
    eventually(lambda: emulator.get("/emulator/v1/delivery-options")["fan_out_rate"] == 7, "the options are set", 20)
    click(tab, "#settings button", "Reset the phones")
    click(tab, "#dialog button", "Reset")
    eventually(lambda: not emulator.get("/emulator/v1/devices/pixel/inbox")["received"], "the phones are reset", 20)


def test_shows_the_projects_separately(emulator, chromium):
    emulator.post("/emulator/v1/devices?project=w1", [{"name": "other", "platform": "web", "registration": "other:token"}])
    with chromium.open(emulator.url + "/#/phones?project=w1") as tab:
        until(tab, "document.querySelector('article h2')?.textContent === 'other'", "its phone is shown")
        assert tab.run("document.querySelectorAll('article').length") == 1
        options = until(tab, "document.getElementById('project').options.length === 2 "
                             "&& [...document.getElementById('project').options].map(o => o.value)", "both are listed")
        assert "w1" in options and tab.run("document.getElementById('project').value") == "w1"
        assert all("project=w1" in link for link in tab.run("[...document.querySelectorAll('#views a')].map(a => a.hash)"))
        tab.run("""(select => { select.value = ''; select.dispatchEvent(new Event('change')); })(document.getElementById('project'))""")
        until(tab, "document.querySelectorAll('article h2').length === 3", "the default project is shown")


def test_long_lists_draw_only_what_is_visible(project, chromium):
    with Emulator(project) as emulator:
        emulator.post("/emulator/v1/devices", [
            {"name": f"phone-{n:04}", "platform": "web", "registration": f"r{n}:token", "topics": [f"town-{n % 10}"]} for n in range(3_000)])
        with chromium.open(emulator.url + "/") as tab:
            until(tab, "document.querySelector('article h2')?.textContent === 'phone-0000'", "the first is drawn")
            assert tab.run("document.querySelectorAll('article').length") < 60
            tab_to(tab, "e.matches('article')")
            press(tab, "End")
            until(tab, "document.activeElement.dataset.name === 'phone-2999'", "the last has the focus")
            assert tab.run("document.activeElement.ariaPosInSet + document.activeElement.ariaSetSize") == "30003000"
            assert tab.run("document.querySelectorAll('article').length") < 60
            send(emulator, token="r2999:token", notification={"title": "To the last"})
            until(tab, "document.activeElement.querySelector('.note .what')?.textContent === 'To the last'", "it is updated")
            press(tab, "Home")
            until(tab, "document.activeElement.dataset.name === 'phone-0000'", "the first has the focus")
            press(tab, "/")
            fill(tab, "search", "TOWN-7 phone-01")
            until(tab, "document.getElementById('summary').textContent === '10 of 3,000 phones match'", "ten match")
            assert "search=TOWN-7" in tab.run("location.hash")
            fill(tab, "search", "to the last")
            until(tab, "document.querySelectorAll('article').length === 1 && document.querySelector('article').dataset.name === 'phone-2999'",
                  "a notification is found")


def test_shows_what_the_app_decrypts(emulator, tab):
    key = Key("page")
    emulator.post("/emulator/v1/devices", [
        {"name": "sealed", "platform": "web", "registration": "sealed:token", "message_keys": [key.private_text]}])
    sealed = key.sealed({"notification": {"title": "Your code", "body": "1234"}}, "e2e/call/once/1")
    send(emulator, token="sealed:token", data=sealed)
    send(emulator, token="sealed:token", data=sealed | {"herald_context": "e2e/call/once/2"})
    until(tab, "document.getElementById('feed').innerText.includes('“Your code”')", "the event has the title")
    visit(tab, "#/phones/sealed")
    until(tab, "document.querySelectorAll('#phone-messages summary').length === 2", "both are listed")
    names = tab.run("[...document.querySelectorAll('#phone-messages .what')].map(e => e.textContent)")
    assert names[0].startswith("data herald_") and names[1] == "Your code"
    tab.run("document.querySelectorAll('details').forEach(one => { one.open = true; })")
    assert "the envelope or its context was changed" in text(tab, "#phone-messages")


def test_digits_select_views(tab):
    for digit, view in ("2", "requests"), ("3", "send"), ("4", "faults"), ("5", "settings"), ("1", "phones"):
        press(tab, digit)
        until(tab, f"!document.getElementById('{view}').hidden && document.activeElement.id === '{view}-heading'", f"{view} has the focus")
        assert tab.run("document.querySelector('[aria-current]').dataset.view") == view


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("width", [390, 1440, 2560])
def test_every_view_is_accessible(emulator, chromium, width, dark):
    """axe-core finds no violation, nothing scrolls sideways, and every text has contrast."""
    emulator.put("/emulator/v1/faults", {"rules": [{"id": "slow", "delivery": {"delay_milliseconds": 5}}]})
    with chromium.open(emulator.url + "/", width=width, dark=dark) as tab:
        for address in addresses(emulator):
            visit(tab, address)
            until(tab, "document.querySelectorAll('.view:not([hidden]) *').length > 20", "the view is drawn")
            assert violations(tab) == [], address
            assert tab.run("document.documentElement.scrollWidth") <= width, address
            faint = tab.run(FAINT.replace("[...document.body.querySelectorAll('*')]",
                                          "[...document.body.querySelectorAll('*')].filter(e => e.checkVisibility())").replace("< 50", "< 20"))
            assert faint == [], address
        tab.run("document.getElementById('help').showModal()")
        assert violations(tab) == []


def test_hostile_texts_stay_texts_in_every_view(emulator, chromium):
    emulator.post("/emulator/v1/devices", [{"name": HOSTILE, "platform": "web", "registration": "hostile:token", "package": HOSTILE}])
    send(emulator, token="hostile:token", notification={"title": HOSTILE, "body": HOSTILE, "image": HOSTILE}, data={HOSTILE: HOSTILE},
         fcm_options={"analytics_label": "a"})
    with pytest.raises(OSError, match="400"):
        send(emulator, topic=HOSTILE, notification={"title": HOSTILE})
    emulator.put("/emulator/v1/faults", {"rules": [{"id": HOSTILE, "when": {"nth": 1_000_000}, "answer": {"status": 500, "text": HOSTILE}}]})
    accepted = emulator.get("/emulator/v1/search/requests?status=200&path=/v1/projects/")["requests"][0]["seq"]
    denied = emulator.get("/emulator/v1/search/requests?status=400")["requests"][0]["seq"]
    with chromium.open(emulator.url + "/") as tab:
        name = tab.run(f"encodeURIComponent({json.dumps(HOSTILE)})")
        for address in ("#/phones", f"#/phones/{name}", "#/requests", f"#/requests/{accepted}", f"#/requests/{denied}",
                        f"#/send?from={accepted}", "#/faults", f"#/phones?search={name}"):
            visit(tab, address)
            shown = "document.querySelector('.view:not([hidden])').innerText + [...document.querySelectorAll('input, textarea')].map(e => e.value)"
            until(tab, f"({shown}).includes('onerror=document.title')", f"{address} shows the text")
            tab.run("document.querySelectorAll('details').forEach(one => { one.open = true; })")
            assert tab.run("document.images.length + document.querySelectorAll('body script, iframe, object').length") == 0, address
            assert "taken" not in tab.run("document.title").split(" – ")[-1]
        click(tab, ".note")
        until(tab, "document.getElementById('dialog').open", "the notification is opened")
        assert tab.run("document.images.length") == 0
        assert tab.complaints() == [] and not [url for url in tab.requests() if ":9/" in url]
