from typing import Any

import pytest
import show_samples

from companion.lab.journal import Exchange


@pytest.fixture
def run() -> list[Exchange]:
    return show_samples.run()


@pytest.fixture
def agent() -> Any:
    return show_samples.agent()


@pytest.fixture
def nested() -> Any:
    return show_samples.nested()
