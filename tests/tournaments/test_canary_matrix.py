"""All that is written of an event: which of twelve readers find it, and where.

Every address of the site is asked for by readers, while a round is a draft and once all is over;
new addresses are crawled without being named here. ``test_transcript_canaries.py`` looks closer
at the transcript.
"""

from collections.abc import Iterable, Iterator

import pytest

from tests import factories as make
from tests.matrix import DRAFT, FOUND, LATER, NOBODY, READERS, Canary, Matrix, leaks

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("quiet")]

DRAFTED = ("other", "organiser")
FINISHED = ("anonymous",)
"""The readers of ``make test`` in each of the two moments; ``make test-all`` asks as all others."""


@pytest.mark.deep
def test_what_is_written_of_an_event_is_found_by_whom_it_concerns() -> None:
    assert not "\n".join(found_wrongly(DRAFTED, FINISHED))


@pytest.mark.deep
def test_what_is_written_is_found_by_the_other_readers_as_it_concerns_them() -> None:
    drafted, finished = (
        [reader for reader in READERS if reader not in asked] for asked in (DRAFTED, FINISHED)
    )
    assert not "\n".join(found_wrongly(drafted, finished))


def found_wrongly(drafted: Iterable[str], finished: Iterable[str]) -> Iterator[str]:
    """Take an event to its end; yield each canary that a reader may not find, or does not."""
    around = Matrix()
    tokens = {name: Canary(token, NOBODY, NOBODY) for name, token in around.tokens.items()}
    around.draft()
    for reader in drafted:
        for wrong in leaks(around, reader, FOUND | tokens | {"draft": DRAFT}):
            yield f"{reader}, while a round is a draft: {wrong}"
    around.finish()
    for reader in finished:
        for wrong in leaks(around, reader, FOUND | LATER | tokens):
            yield f"{reader}, at the end: {wrong}"


def test_there_are_twelve_readers_and_a_canary_is_seen_where_it_is() -> None:
    assert len(set(READERS)) == 12
    assert {*DRAFTED, *FINISHED} < set(READERS)
    around = Matrix()
    shown = Canary(make.player_name(0).lower(), NOBODY, NOBODY)
    assert leaks(around, "anonymous", {"name": shown})
