"""Two things go wrong at once: every finished graph of the course under every pair of faults.

One test a pair: the largest module is the first that a free worker takes, and these are the slowest tests.
"""

from itertools import combinations

import pytest
from fault_cases import CASES, Case, guarded, possible

# langchain-openai 1.7 dumps a streamed structured answer without the `warnings=False` of the one that is not streamed
pytestmark = pytest.mark.filterwarnings("ignore:Pydantic serializer warnings:UserWarning")
PAIRS = [(case, pair) for case in CASES for pair in combinations(possible(case), 2)]


@pytest.mark.parametrize(("case", "pair"), PAIRS, ids=str)
def test_no_pair_of_faults_gets_through(case: Case, pair: tuple[str, str]) -> None:
    guarded(case, *pair)
