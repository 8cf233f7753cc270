"""Modules can be the first ones imported: nothing leans on what came before it."""

import os
import subprocess
import sys

import pytest

from tests.architecture.test_boundaries import ROOT, dotted, modules

FORGETTING = """
import importlib, sys
for name in sys.argv[1:]:
    for loaded in [each for each in sys.modules if each.partition(".")[0] == "rules"]:
        del sys.modules[loaded]
    importlib.import_module(name)
"""
# Models can't be loaded twice in one process, so each module gets a child.
IN_CHILDREN = """
import importlib, os, sys
import django
django.setup()
for name in sys.argv[1:]:
    child = os.fork()
    if child == 0:
        importlib.import_module(name)
        os._exit(0)
    if os.waitpid(child, 0)[1]:
        sys.exit(name)
"""


@pytest.mark.parametrize(
    ("package", "program"),
    [("rules", FORGETTING), ("decks", IN_CHILDREN), ("tournaments/services", IN_CHILDREN)],
)
def test_every_module_imports_alone(package, program):
    names = sorted(
        dotted(path).removesuffix(".__init__")
        for path in modules()
        if path.is_relative_to(ROOT / package)
    )
    command = [sys.executable, "-c", program, *names]
    env = os.environ | {"DJANGO_SETTINGS_MODULE": "config.settings"}
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
