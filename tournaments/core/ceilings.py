"""What an account has of events, for its limits, and what the tables of a round cost."""

from collections.abc import Iterable, Sequence
from typing import Any

from accounts.models import User
from rules.results import PlayerId
from rules.stages.base import Pairing, StageState
from rules.stages.kind import is_of_tables, kind_of
from rules.stages.tables import cost_of
from rules.tables.rounds import METHOD, MOST
from tournaments.models import Event


def not_started(user: User) -> int:
    """Return the number of an account's events that have not started; one query."""
    return Event.objects.filter(created_by=user, plan__isnull=True).count()


def cost_of_round(
    before: StageState, pairings: Iterable[Pairing], *, by_rules: bool = True
) -> dict[str, Any] | None:
    """Return the cost of a round, None for others than of tables.

    ``before`` is the stage without the round. With few players none ``by_rules`` cost less.
    """
    if not (is_of_tables(before.plan) and kind_of(before.plan).pairs_by_points):
        return None
    return cost_of_tables(before, [pairing.seats for pairing in pairings], by_rules=by_rules)


def cost_of_tables(
    before: StageState, tables: Iterable[Sequence[PlayerId]], *, by_rules: bool
) -> dict[str, Any]:
    """Return the cost of tables; ``by_rules``: nobody changed them by hand."""
    seated = [table for table in tables if len(table) > 1]
    proven = by_rules and sum(map(len, seated)) <= MOST
    return cost_of(before, seated)._asdict() | {"proven": proven, "method": METHOD}
