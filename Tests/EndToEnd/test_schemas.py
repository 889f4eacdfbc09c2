"""The committed schemas match the binary, and `herald schema --write` writes them.

The emulator's OpenAPI file is in the same directory: test_openapi.py compares it with the running emulator, and
test_plan_schema.py validates plans.
"""

import json

import pytest

from herald import ROOT, run, schema

FILES = {
    "project": "project.schema.json", "campaign": "campaign.schema.json",
    "population": "population.schema.json",
    "plan": "plan.schema.json", "history": "history.schema.json", "calendar": "calendar.schema.json",
    "status": "status.schema.json", "results": "results.schema.json", "check": "check.schema.json",
    "events": "events.schema.json", "log": "log.schema.json", "notification": "notification.schema.json",
    "emulator": "emulator.openapi.json",
}


@pytest.mark.parametrize("kind", FILES)
def test_committed_schemas_are_up_to_date(kind):
    committed = (ROOT / "schemas" / FILES[kind]).read_text()
    assert committed == schema(kind), "stale: run `make schemas`"


def test_schema_directory_contains_no_other_files():
    files = {path.name for path in (ROOT / "schemas").iterdir()}
    assert files == set(FILES.values()) | {"README.md"}


def test_write_creates_all_schemas_in_the_project(project):
    written = project.herald("schema", "--write").expect(0)
    assert written.err == "".join(f"Wrote schemas/{name}.\n" for name in FILES.values())
    assert written.out == ""
    for kind, name in FILES.items():
        assert (project.folder / "schemas" / name).read_text() == schema(kind)
    project.herald("schema", "--write").expect(0)


def test_write_requires_a_project(tmp_path):
    run("schema", "--write", "-C", tmp_path).expect(1, "there is no herald.yaml", "-C DIR")
    assert list(tmp_path.iterdir()) == []


def test_write_reports_what_it_could_not_write(project):
    project.write("schemas", "a file")
    project.herald("schema", "--write").expect(1, "schemas/project.schema.json cannot be written")


@pytest.mark.parametrize("arguments", [[], ["devices"], ["project", "--write"]])
def test_requires_a_schema_name_or_write(arguments):
    run("schema", *arguments).expect(64)


def test_every_example_file_names_its_schema():
    """Editors look at the first line of a file."""
    folders = {"campaigns": "campaign", "populations": "population"}
    paths = [path for folder in folders for path in sorted((ROOT / folder).glob("*.yaml"))]
    for path in [ROOT / "herald.yaml", *paths]:
        first = path.read_text().splitlines()[0]
        assert first.startswith("# yaml-language-server: $schema="), path
        target = (path.parent / first.split("=", 1)[1]).resolve()
        kind = folders.get(path.parent.name, "project")
        assert target == (ROOT / f"schemas/{kind}.schema.json").resolve()
        assert json.loads(target.read_text())["$id"] == f"urn:herald:schema:{kind}"
