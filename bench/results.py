"""Entering a result with its line in the log chain, against the same without the chain.

Each is rolled back.
"""

from collections.abc import Iterator
from unittest.mock import patch

from django.db import transaction

from bench.timing import Ratio, compare
from tests import factories
from tournaments.core.permissions import Actor
from tournaments.log import services as log
from tournaments.models import Match
from tournaments.models.tables import clear_row_marks
from tournaments.results.services import results

SIZES = (12, 128, 512)


def measure() -> Iterator[Ratio]:
    """Yield the ratio for events of three sizes; it should be constant."""
    for players in SIZES:
        by = factories.organiser()
        event = factories.started(by, players, formula="swiss-cut")
        match = factories.next_round(event, by).matches.filter(match_seats__number=2).first()
        yield compare(
            f"result entered, {players} players / with a bare line",
            lambda match=match, by=by: entered(match, by),
            lambda match=match, by=by: bare(match, by),
            goal=1.3,
        )


def entered(match: Match, by: Actor) -> None:
    """Enter a result and roll back."""
    with transaction.atomic():
        results.decide_result(match=match, version=0, claim=factories.a_wins(match), by=by)
        transaction.set_rollback(True)


def bare(match: Match, by: Actor) -> None:
    """Enter a result with an unchained log line and roll back.

    The marks of what was written go as they do with a line, or the next one would tell of them too.
    """
    with patch.object(log, "seal_line", lambda *_line, **_told: clear_row_marks()):
        entered(match, by)
