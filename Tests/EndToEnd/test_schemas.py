"""The schemas in the repository are those of the binary, and `herald schema --write` writes them.

The emulator's OpenAPI file lies among them; test_openapi.py holds it against the running emulator,
and test_plan_schema.py plans against theirs.
"""

import json

import pytest

from herald import ROOT, run, schema

FILES = {
    "project": "project.schema.json", "campaign": "campaign.schema.json",
    "population": "population.schema.json",
    "plan": "plan.schema.json", "history": "history.schema.json", "events": "events.schema.json",
    "emulator": "emulator.openapi.json",
}


@pytest.mark.parametrize("kind", FILES)
def test_the_committed_schema_is_what_herald_prints(kind):
    committed = (ROOT / "schemas" / FILES[kind]).read_text()
    assert committed == schema(kind), "stale: run `make schemas`"


def test_nothing_else_lies_beside_them():
    files = {path.name for path in (ROOT / "schemas").iterdir()}
    assert files == set(FILES.values()) | {"README.md"}


def test_write_puts_all_into_the_project(project):
    written = project.herald("schema", "--write").expect(0)
    assert written.err == "".join(f"Wrote schemas/{name}.\n" for name in FILES.values())
    assert written.out == ""
    for kind, name in FILES.items():
        assert (project.folder / "schemas" / name).read_text() == schema(kind)
    project.herald("schema", "--write").expect(0)


def test_write_needs_a_project(tmp_path):
    run("schema", "--write", "-C", tmp_path).expect(1, "there is no herald.yaml", "-C DIR")
    assert list(tmp_path.iterdir()) == []


def test_write_says_what_it_could_not_write(project):
    project.write("schemas", "a file")
    project.herald("schema", "--write").expect(1, "schemas/project.schema.json can't be written")


@pytest.mark.parametrize("arguments", [[], ["devices"], ["project", "--write"]])
def test_one_of_them_is_said(arguments):
    run("schema", *arguments).expect(64)


def test_every_file_of_the_example_names_its_schema():
    """The first line of a file is where editors look."""
    folders = {"campaigns": "campaign", "populations": "population"}
    paths = [path for folder in folders for path in sorted((ROOT / folder).glob("*.yaml"))]
    for path in [ROOT / "herald.yaml", *paths]:
        first = path.read_text().splitlines()[0]
        assert first.startswith("# yaml-language-server: $schema="), path
        target = (path.parent / first.split("=", 1)[1]).resolve()
        kind = folders.get(path.parent.name, "project")
        assert target == (ROOT / f"schemas/{kind}.schema.json").resolve()
        assert json.loads(target.read_text())["$id"] == f"urn:herald:schema:{kind}"
