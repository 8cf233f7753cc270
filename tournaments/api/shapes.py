"""Events, players, stages, rounds and matches as JSON.

Contracts, API. Players go by their number in the event.
"""

from collections.abc import Mapping
from datetime import datetime
from fractions import Fraction
from typing import Any

from config.wording import translate
from decks.mapping import sentence_from_json
from rules.portable import render_number, render_row
from rules.results import PlayerId
from rules.scenarios import Bound, Margin, Prospect
from rules.tie_trace import TiedSet
from tournaments.mapping import games_of, score_of
from tournaments.models import Entry, Event, Match, Round, Stage
from tournaments.selectors.clock import clock_json
from tournaments.selectors.extra import across_groups
from tournaments.selectors.facts import EventFacts, StageFacts
from tournaments.selectors.formulas import formula_of, is_saved
from tournaments.selectors.labels import round_label
from tournaments.selectors.needed_scores import Teller
from tournaments.selectors.tie_trace import TableTrace

Json = dict[str, Any]
Numbers = Mapping[int, int]


def event_json(event: Event) -> Json:
    """Return an event's settings and state."""
    return {
        "slug": event.slug,
        "name": event.name,
        "about": event.about,
        "format": event.format,
        "formula": event.formula,
        "legs": legs_of(event),
        "starts_at": event.starts_at.astimezone(event.zone).isoformat(),
        "time_zone": event.time_zone,
        "venue": event.venue,
        "fee": event.fee,
        "registration_opens": _local(event, event.registration_opens),
        "registration_closes": _local(event, event.registration_closes),
        "capacity": event.capacity,
        "decklists": event.decklists,
        "minutes": event.minutes,
        "criteria": list(event.criteria),
        "points": {
            "win": event.points_win,
            "draw": event.points_draw,
            "loss": event.points_loss,
        },
        "status": event.state,
        "options": {key: value for key, value in event.options.items() if key != "legs"},
        "show_prospects": event.show_prospects,
        "apart_clubs": event.apart_clubs,
        "confirm_after": event.confirm_after,
        "version": event.version,
    }


def _local(event: Event, moment: datetime | None) -> str | None:
    return moment.astimezone(event.zone).isoformat() if moment else None


def legs_of(event: Event) -> int | list[int]:
    """Return how often each pair meets: one number where it is the same in every stage."""
    legs = event.options.get("legs")
    if legs is None and is_saved(event.formula):
        return 1  # a formula of one's own has no options: it says the legs of each stage
    if legs is None:
        option = next((o for o in formula_of(event.formula).options if o.key == "legs"), None)
        legs = option.default if option else 1
    if isinstance(legs, list):
        return legs[0] if len(set(legs)) == 1 else legs
    return int(legs)


def player_json(entry: Entry) -> Json:
    """Return a player."""
    return {
        "number": entry.number,
        "name": entry.name,
        "status": entry.status,
        "seed": entry.seed,
        "club": entry.club,
        "fixed_table": entry.fixed_table,
    }


def stage_json(stage: StageFacts) -> Json:
    """Return a stage with its groups and, once it is closed, who holds which place."""
    closed = stage.stage.state == Stage.State.CLOSED
    return {
        "number": stage.stage.number,
        "name": str(stage.plan.label),
        "key": stage.stage.key,
        "kind": stage.stage.kind,
        "legs": stage.stage.legs,
        "state": stage.stage.state,
        "groups": [
            {"name": group, "seats": list(seats)} for group, seats in stage.state.seats.items()
        ],
        "places": dict(stage.stage.places) if closed else {},
    }


def round_json(facts: EventFacts, stage: StageFacts, item: Round) -> Json:
    """Return a round with its matches."""
    return {
        "number": item.ordinal,
        "name": round_label(stage, item),
        "stage": stage.stage.number,
        "state": item.state,
        "clock": clock_json(facts.event, item, timed=stage.plan.timed),
        "level": [player for level in item.level_sets for player in level],
        "sets": [list(level) for level in item.level_sets],
        "matches": [match_json(facts, stage, item, match) for match in stage.matches_of(item)],
    }


def match_json(facts: EventFacts, stage: StageFacts, item: Round, match: Match) -> Json:
    """Return a match and the result that counts."""
    groups = {group.pk: group.name for group in stage.groups}
    across = item.is_extra and across_groups(stage, item, match)
    numbers = facts.numbers
    return {
        "id": match.pk,
        "stage": stage.stage.number,
        "group": "" if across else groups.get(match.group_id, ""),
        "round": item.ordinal,
        "table": match.table,
        "a": numbers[match.a_id],
        "b": numbers[match.b_id] if match.b_id else None,
        "best_of": match.best_of,
        **result_json(match),
        "extra": item.is_extra,
        "reason": translate(sentence_from_json(match.reason)) if match.reason else "",
        "by_hand": bool(match.reason.get("by_hand")),
    }


def result_json(match: Match) -> Json:
    """Return how a match stands: its version, state and the result that counts."""
    decision = match.decision
    score = score_of(decision) if decision else None
    won = games_of(decision) if decision else None
    return {
        "version": match.version,
        "state": match.state,
        "score": list(score) if score else None,
        "games": list(decision.games) if decision and decision.games else None,
        "games_won": list(won) if won else None,
        "winner": decision.winner if decision else None,
        "ended_by": decision.ended_by if decision else None,
    }


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
