"""Checks the accessibility of a page with axe-core."""

import json

from herald import ROOT, eventually

# The package also drives Playwright, which these tests do not install.
SCRIPT = ".venv-axe/lib/python3*/site-packages/axe_playwright_python/axe.min.js"
# The level that laws require (EN 301 549, WCAG 2.2 A and AA), and axe-core's own recommendations.
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
CHECK = """
    window.axeResult = undefined;
    axe.run(document, { runOnly: TAGS, resultTypes: ['violations', 'incomplete'] })
        .then(result => { window.axeResult = result; }, error => { window.axeResult = { error: String(error) }; });
    undefined
""".replace("TAGS", json.dumps(RULES))


def violations(tab):
    """Returns the violated rules of the visible page, each with its elements, and checks that rules were applied."""
    if not tab.run("!!window.axe"):
        [script] = ROOT.glob(SCRIPT)
        tab.run(script.read_text() + "\nundefined")
    tab.run(CHECK)
    result = eventually(lambda: tab.run("window.axeResult"), "axe-core answers")
    assert "error" not in result, result
    assert len(result["passes"]) > 10, result["passes"]
    return [f"{rule['id']}: {node['html']} ({node['failureSummary']})" for rule in result["violations"] for node in rule["nodes"]]
