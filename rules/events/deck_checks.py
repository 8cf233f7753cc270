"""Deck checks: random selection of a table, and the extra time for it.

Each eligible table has a ticket, the SHA-256 of ``SEED:TABLE``; the table with the lowest ticket,
compared as text, is picked. Seed and eligible tables are recorded, so anybody can verify the
pick: ``printf '%s' SEED:7 | sha256sum`` gives the ticket of table 7.

Source: tournament rules, Roles.
"""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime, timedelta

from rules.errors import RuleError
from rules.ties.draws import drawn_order

SHUFFLE_MINUTES = 1
"""Minutes that a checked table gets beside the time taken, for shuffling. Girone's decision: no
rule book names a number."""

MOST_MINUTES = 60
"""Maximum minutes that checks add to a match, in case one is left open. A judge can give more
by hand."""


def players_to_check(
    players: Sequence[int],
    *,
    checked: Collection[int],
    busy: Collection[int],
    again: bool = False,
) -> tuple[int, ...]:
    """Return the players of a table whose decks may be checked now.

    Players being checked (``busy``) are left out, and those already ``checked`` unless ``again``.
    """
    return tuple(
        player for player in players if player not in busy and (again or player not in checked)
    )


def eligible_tables(
    tables: Mapping[int, Sequence[int]],
    *,
    checked: Collection[int],
    busy: Collection[int],
    again: bool = False,
) -> tuple[int, ...]:
    """Return the tables that may be picked for a deck check, in ascending order.

    ``tables`` maps table numbers to players. Left out are tables with a player being checked
    (``busy``), and tables whose players have all been ``checked`` unless ``again``.
    """
    return tuple(
        sorted(
            table
            for table, players in tables.items()
            if not any(player in busy for player in players)
            and players_to_check(players, checked=checked, busy=busy, again=again)
        )
    )


def pick_table(seed: str, eligible: Collection[int]) -> int:
    """Return the table that the random seed picks; raises RuleError ``no_table_left``."""
    if not eligible:
        raise RuleError(
            "no_table_left",
            "No players are left to check.",
        )
    return drawn_order(seed, tuple(eligible))[0]


def extension_due(spans: Sequence[tuple[datetime, datetime]], given: int) -> int:
    """Return the time extension still due for finished deck checks of a match, in minutes.

    ``spans`` are (begin, end) of each check, ``given`` the minutes already given for checks.
    Simultaneous checks count once; each adds a minute for shuffling. At most an hour in all.
    """
    owed = sum(_minutes(begin, end) + SHUFFLE_MINUTES for begin, end in _merge_spans(spans))
    return max(0, min(owed, MOST_MINUTES) - given)


def _merge_spans(spans: Sequence[tuple[datetime, datetime]]) -> list[tuple[datetime, datetime]]:
    """Return the spans with overlapping and adjacent ones merged, in order."""
    merged: list[tuple[datetime, datetime]] = []
    for begin, end in sorted(spans):
        if merged and begin <= merged[-1][1]:
            merged[-1] = merged[-1][0], max(merged[-1][1], end)
        else:
            merged.append((begin, end))
    return merged


def _minutes(begin: datetime, end: datetime) -> int:
    """Return the minutes of a span, rounded up."""
    return -((begin - end) // timedelta(minutes=1))
