"""Every worked example in a docstring of the companion is right."""

import doctest
from importlib import import_module
from pkgutil import walk_packages

import pytest

import companion

MODULES = [found.name for found in walk_packages(companion.__path__, "companion.") if found.name[-8:] != "__main__"]


@pytest.mark.parametrize("name", MODULES)
def test_examples(name: str) -> None:
    assert doctest.testmod(import_module(name)).failed == 0
