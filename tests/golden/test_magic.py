"""Magic events as their software published them (standings/magic-*.json)."""

from fractions import Fraction
from typing import Any

import pytest

from rules.standings.rank_document import parse_rank_document, render_standings
from rules.standings.table import rank
from tests.golden.tables import in_text, tables

EVENTS = tables("magic-*")
COVERS = {("rules", name) for name in EVENTS}
SHARES = ("opponents_match_win", "game_win", "opponents_game_win")


def ranked(event: dict[str, Any]) -> Any:
    return rank(**parse_rank_document({**event, "criteria": event["expected"]["criteria"]}))


@pytest.mark.parametrize("event", EVENTS.values(), ids=EVENTS)
def test_the_shares_are_exact(event: dict[str, Any]) -> None:
    answer = render_standings(ranked(event))
    rows = [{**row, "values": in_text(row["values"])} for row in answer["standings"]]
    assert rows == event["expected"]["standings"]
    assert answer["tied"] == event["expected"]["tied"]


@pytest.mark.parametrize("event", EVENTS.values(), ids=EVENTS)
def test_the_shares_are_the_published_ones(event: dict[str, Any]) -> None:
    rows = {row.player: row for row in ranked(event).rows}
    close = Fraction(1, 10 ** event["published_decimals"])
    floored = event["published_game_win_is_floored"]
    for published in event["published"]:
        values = rows[published["player"]].values
        for share in SHARES:
            if share == "game_win" and not floored and values[share] == Fraction(1, 3):
                assert published[share] <= Fraction(1, 3) + close
            else:
                assert abs(values[share] - Fraction(published[share])) <= close, published
