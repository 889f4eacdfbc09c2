"""A preloaded library may set a variable before Swift looks for the arguments, as libfaketime does."""

import subprocess

import pytest

from herald import run

# Swift begins its search with the map of the memory.
LIBRARY = """
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
FILE *fopen(const char *path, const char *mode) {
    setenv("SET_BY_LIBRARY", "1", 1);
    return ((FILE *(*)(const char *, const char *))dlsym(RTLD_NEXT, "fopen"))(path, mode);
}
"""


@pytest.fixture(scope="module")
def preloaded(tmp_path_factory):
    folder = tmp_path_factory.mktemp("preloaded")
    (folder / "sets_variable.c").write_text(LIBRARY)
    subprocess.run(
        ["clang", "-O2", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", "-o", folder / "sets_variable.so",
         folder / "sets_variable.c"], check=True)
    return {"LD_PRELOAD": str(folder / "sets_variable.so")}


def test_finds_its_arguments(preloaded):
    assert run("--version", env=preloaded).expect(0) == run("--version").expect(0)
    run("plan", "--no-such-option", env=preloaded).expect(64, "no-such-option")
