#!/usr/bin/python3
"""Writes cases.jsonl from a checkout of the YAML test suite's data.

    git clone --branch data-2022-01-17 https://github.com/yaml/yaml-test-suite data
    python3 make-cases.py data > cases.jsonl

Every case is a folder with `in.yaml`; `name` and `tags` only link to them.
"""
import json
import sys
from pathlib import Path


def text(path):
    return path.read_bytes().decode("utf-8")


def case(folder, root):
    return {
        "id": folder.relative_to(root).as_posix(),
        "name": text(folder / "===").strip(),
        "yaml": text(folder / "in.yaml"),
        "events": text(folder / "test.event").rstrip("\n").split("\n"),
        "fails": (folder / "error").exists(),
    }


def main():
    root = Path(sys.argv[1])
    folders = {
        path.parent
        for path in root.rglob("in.yaml")
        if path.relative_to(root).parts[0] not in ("name", "tags")
    }
    for folder in sorted(folders):
        print(json.dumps(case(folder, root)))


main()
