"""Standings, ties, prospects and the final ranking as JSON; players go by their number."""

from fractions import Fraction

from rules.results import PlayerId
from rules.scenarios import Bound, Margin, Prospect
from rules.standings.portable import render_number, render_row
from rules.ties.trace import TiedSet
from tournaments.api.shapes import Json
from tournaments.core.event_state import EventFacts, StageFacts
from tournaments.selectors.needed_scores import Teller
from tournaments.selectors.tie_trace import TableTrace


def standings_json(stage: StageFacts, group: str) -> list[Json]:
    """Return the rows of one group, as ``rank`` gives them."""
    rows = stage.outcome.standings[group].rows
    return [{"stage": stage.stage.number, "group": group, **render_row(row)} for row in rows]


def tie_json(stage: StageFacts, table: TableTrace, tied: TiedSet) -> Json:
    """Return players that the first criterion leaves level, and every criterion asked of them."""
    return {
        "stage": stage.stage.number,
        "group": table.group or None,
        "rank": table.rank,
        "criterion": tied.criterion,
        "value": [render_number(Fraction(value)) for value in tied.values],
        "players": list(tied.players),
        "steps": [
            {
                "criterion": step.criterion,
                "players": list(step.level),
                "values": {
                    str(player): [render_number(Fraction(value)) for value in values]
                    for player, values in step.values.items()
                },
                "separates": step.separates,
                "order": [list(level) for level in step.order],
            }
            for step in tied.steps
        ],
    }


def prospect_json(group: str, prospect: Prospect, teller: Teller) -> Json:
    """Return whether a player goes on, and what each result of the next match would mean."""
    after = {result: str(verdict) for result, verdict in prospect.after.items()}
    return {
        "player": prospect.player,
        "group": group,
        "status": str(prospect.verdict),
        "next": {"opponent": prospect.opponent, **after} if after else None,
        "margins": [
            _margin_json(result, margin, teller)
            for result, margins in prospect.margins.items()
            for margin in margins
        ],
        "exact": prospect.exact,
    }


def _margin_json(result: str, margin: Margin, teller: Teller) -> Json:
    return {
        "after": result,
        "measure": str(margin.measure),
        "of": margin.of,
        "than": margin.than,
        "through": _bound_json(margin.through),
        "out": _bound_json(margin.out),
        "text": "; ".join(teller.notes(result, (margin,))),
    }


def _bound_json(bound: Bound | None) -> Json | None:
    return None if bound is None else dict(zip(("least", "most"), bound, strict=True))


def ranking_json(facts: EventFacts) -> list[Json]:
    """Return the final ranking as far as it is known."""
    classes = facts.ranking
    still_in = facts.plan.players - sum(map(len, classes)) if facts.plan else 0
    rows: list[Json] = []
    for level in classes:
        rank = still_in + len(rows) + 1
        rows += [_ranked(facts, rank, player) for player in level]
    return rows


def _ranked(facts: EventFacts, rank: int, player: PlayerId) -> Json:
    entry = facts.entries[player]
    return {"rank": rank, "number": entry.number, "name": entry.name}
