"""Operates the emulator's web page as its users do, with the keyboard or with clicks."""

import json

from herald import eventually


def until(tab, expression, what):
    """Waits until the expression has an element or a true value, and returns it."""
    return eventually(lambda: tab.run(f"(v => v instanceof Node || v)({expression})"), what, 20)


def visit(tab, address):
    """Goes to another address of the page and waits until its view is shown."""
    tab.run(f"location.hash = {json.dumps(address)}")
    view = address.removeprefix("#/").split("?")[0].split("/")
    section = view[0] if len(view) == 1 else {"phones": "phone", "requests": "request"}[view[0]]
    until(tab, f"!document.getElementById('{section}').hidden && document.querySelector('#{section} h1')", f"{address} is shown")


def text(tab, selector):
    """Returns the visible text of an element, or an empty text."""
    return tab.run(f"document.querySelector({json.dumps(selector)})?.innerText ?? ''")


def fill(tab, identifier, value):
    """Types a value into a field, as a user does who replaces its content."""
    tab.run(f"""(field => {{ field.focus(); field.value = {json.dumps(value)};
        field.dispatchEvent(new Event('input', {{ bubbles: true }})); }})(document.getElementById('{identifier}'))""")


def click(tab, selector, label=None):
    """Clicks the visible element with a selector and, if given, a label."""
    found = until(tab, f"""[...document.querySelectorAll({json.dumps(selector)})].filter(e => e.checkVisibility())
        .find(e => {json.dumps(label)} === null || e.textContent.trim() === {json.dumps(label)})""", f"{selector} {label} is there")
    assert found
    tab.run(f"""[...document.querySelectorAll({json.dumps(selector)})].filter(e => e.checkVisibility())
        .find(e => {json.dumps(label)} === null || e.textContent.trim() === {json.dumps(label)}).click()""")


def press(tab, key, times=1):
    """Presses a key; printable keys also type their character."""
    for _ in range(times):
        characters = {"Enter": "\r", " ": " "}
        tab.press(key, code="Space" if key == " " else None, text=characters.get(key, key if len(key) == 1 else None))


def tab_to(tab, expression, most=80):
    """Presses Tab until the expression about the focused element is true."""
    for _ in range(most):
        if tab.run(f"(e => {expression})(document.activeElement)"):
            return
        tab.press("Tab")
    raise AssertionError(f"no Tab leads to {expression}")
