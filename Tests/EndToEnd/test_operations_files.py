"""The files that operators copy from Documentation/Operations: unit, Kubernetes, alerts and dashboard."""

import json
import re
import subprocess

import yaml

from herald import DEADLINE, ROOT, Emulator, Project, binary, eventually, run
from services import Service, apply_earlier, checked_metrics, due_campaign

FOLDER = ROOT / "Documentation/Operations"


def expressions(node):
    """Yields the PromQL expressions anywhere in a parsed file."""
    if isinstance(node, dict):
        yield from (node[key] for key in ("expr", "query") if isinstance(node.get(key), str))
        node = list(node.values())
    if isinstance(node, list):
        for part in node:
            yield from expressions(part)


def checked(*command, **options):
    done = subprocess.run(command, capture_output=True, text=True, timeout=DEADLINE, **options)
    assert done.returncode == 0, f"{done.stdout}{done.stderr}"
    return done.stdout + done.stderr


def test_alerts_pass_their_tests():
    assert "SUCCESS: 10 rules found" in checked("promtool", "check", "rules", "alert-rules.yaml", cwd=FOLDER)
    assert "SUCCESS" in checked("promtool", "test", "rules", "alert-rules.test.yaml", cwd=FOLDER)


def test_each_alert_has_a_test_in_which_it_fires():
    rules = yaml.safe_load((FOLDER / "alert-rules.yaml").read_text())
    alerts = {rule["alert"] for group in rules["groups"] for rule in group["rules"]}
    tests = yaml.safe_load((FOLDER / "alert-rules.test.yaml").read_text())
    fired = {case["alertname"] for test in tests["tests"] for case in test["alert_rule_test"] if case.get("exp_alerts")}
    assert fired == alerts


def test_alerts_and_dashboard_use_only_metrics_and_labels_that_exist(tmp_path):
    project = Project(tmp_path / "project", "timezone: UTC\n", ["tides"])
    with Emulator(project):
        due_campaign(project, "tide", "{ topic: tides }")
        project.campaign("later", "{ topic: tides }", schedule="2037-03-21 08:30")
        apply_earlier(project).expect(0)
        with Service(project) as service:
            eventually(lambda: service.metric("herald_occurrences_total", result="finished") == "1", "a send")
            text = service.get("/metrics")[2]
    names = checked_metrics(text)
    files = [yaml.safe_load((FOLDER / "alert-rules.yaml").read_text()),
             json.loads((FOLDER / "grafana-dashboard.json").read_text())]
    found = [expression for file in files for expression in expressions(file)]
    assert len(found) > 20
    used = {name for expression in found for name in re.findall(r"\bherald_\w+", expression)}
    assert used - names == set()
    # Each metric is shown or watched.
    assert {name for name in names if name.startswith("herald_")} - used == set()
    for label, operator, value in re.findall(r'(\w+)(=~|!~|=)"([^"$]+)"', " ".join(found)):
        for choice in value.split("|") if label != "job" else ():
            assert f'{label}="{choice}"' in text, (label, operator, choice)


def test_the_unit_is_valid(tmp_path):
    unit = (FOLDER / "herald-run.service").read_text()
    assert "Type=notify\n" in unit and "WatchdogSec=" in unit
    path = tmp_path / "herald-run.service"
    path.write_text(unit.replace("/usr/local/bin/herald", str(binary())))
    assert checked("systemd-analyze", "verify", str(path)) == ""


def test_commands_in_the_files_are_valid(tmp_path):
    """Each ends because there is no state, not because of its options."""
    unit = (FOLDER / "herald-run.service").read_text()
    commands = [re.search(r"^ExecStart=\S+ (.*)$", unit, re.MULTILINE)[1].replace("/srv/push", str(tmp_path)).split()]
    for name in ("kubernetes-deployment.yaml", "kubernetes-cronjob.yaml"):
        for document in yaml.safe_load_all((FOLDER / name).read_text()):
            spec = document["spec"].get("jobTemplate", document)["spec"].get("template", {}).get("spec")
            commands += [container["args"] for container in (spec or {"containers": []})["containers"]]
    assert len(commands) == 3
    for command in commands:
        command = [part.replace("/state/", f"{tmp_path}/").replace("0.0.0.0", "127.0.0.1") for part in command]
        run(*command, cwd=tmp_path).expect(1, "there is no state at")


def test_kubernetes_probes_match_the_endpoints():
    deployment = next(yaml.safe_load_all((FOLDER / "kubernetes-deployment.yaml").read_text()))
    assert deployment["spec"]["replicas"] == 1
    assert deployment["spec"]["strategy"] == {"type": "Recreate"}
    container, = deployment["spec"]["template"]["spec"]["containers"]
    assert container["livenessProbe"]["httpGet"] == {"path": "/healthz", "port": "metrics"}
    assert container["readinessProbe"]["httpGet"] == {"path": "/readyz", "port": "metrics"}
    assert container["ports"] == [{"name": "metrics", "containerPort": 9464}]
    job = yaml.safe_load((FOLDER / "kubernetes-cronjob.yaml").read_text())
    assert job["spec"]["concurrencyPolicy"] == "Forbid"
