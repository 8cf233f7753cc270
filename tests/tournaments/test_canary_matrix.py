"""All that is written of an event: which of twelve readers find it, and where.

Every address of the site is asked by every reader, while a round is a draft and once all is over;
new addresses are crawled without being named here. ``test_transcript_canaries.py`` looks closer
at the transcript.
"""

import pytest

from tests import factories as make
from tests.matrix import DRAFT, FOUND, LATER, NOBODY, READERS, Canary, Matrix, leaks

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("quiet")]

QUICK = ("anonymous", "foreign token", "other", "organiser")
"""The readers of ``make test``; ``make test-all`` asks as all of them."""
ASKING = [
    reader if reader in QUICK else pytest.param(reader, marks=pytest.mark.deep)
    for reader in READERS
]


@pytest.mark.parametrize("reader", ASKING)
def test_what_is_written_of_an_event_is_found_by_whom_it_concerns(reader: str) -> None:
    around = Matrix()
    tokens = {name: Canary(token, NOBODY, NOBODY) for name, token in around.tokens.items()}
    around.draft()
    assert not leaks(around, reader, FOUND | tokens | {"draft": DRAFT})
    around.finish()
    assert not leaks(around, reader, FOUND | LATER | tokens)


def test_there_are_twelve_readers_and_a_canary_is_seen_where_it_is() -> None:
    assert len(set(READERS)) == 12
    assert set(QUICK) < set(READERS)
    around = Matrix()
    shown = Canary(make.player_name(0).lower(), NOBODY, NOBODY)
    assert leaks(around, "anonymous", {"name": shown})
