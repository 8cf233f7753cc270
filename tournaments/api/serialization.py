"""Events, stages, rounds and matches as JSON; no queries. Source: contracts, API."""

import json
from datetime import datetime
from typing import Any

from config.wording import translate
from decks.decklists.mapping import sentence_from_json
from rules.events.timetable import clock_of
from rules.point_parts import points_in_json
from rules.results import of_two
from tournaments.api.event_output import EventOutput
from tournaments.api.fields import fields_of
from tournaments.core.clocks import clock_json
from tournaments.core.event_state import EventFacts, StageFacts
from tournaments.core.extra_matches import across_groups
from tournaments.core.formulas import formula_of, is_saved
from tournaments.core.labels import round_label
from tournaments.core.mapping import games_of, outcome_of, score_of
from tournaments.core.rows import AnyMatch, AnyRound
from tournaments.core.worth import worth_of
from tournaments.models import Event, Stage

Json = dict[str, Any]
COSTS = ("repeats", "apart", "again", "low", "spread")


def event_json(event: Event) -> Json:
    """Return an event's settings and state."""
    return fields_of(
        EventOutput,
        event,
        legs=legs_of(event),
        starts_at=_local_iso(event, event.starts_at),
        registration_opens=_local_iso(event, event.registration_opens),
        registration_closes=_local_iso(event, event.registration_closes),
        criteria=list(event.criteria),
        points=_points_json(event),
        status=event.state,
        options={key: value for key, value in event.options.items() if key != "legs"},
        breaks=[dict(one) for one in event.breaks],
        memberships=list(event.contact_terms.get("memberships", [])),
        ends_by=None if event.ends_by is None else clock_of(event.ends_by),
    )


def _points_json(event: Event) -> Json:
    if not is_saved(event.formula) and formula_of(event.formula).of_tables:
        return dict(event.table_points or {"preset": "win5"})
    return dict(zip(("win", "draw", "loss"), map(points_in_json, worth_of(event)), strict=True))


def listed_json(event: Event) -> Json:
    """Return an event as ``event_json``. Raises ValueError if JSON does not hold its values."""
    found = event_json(event)
    json.dumps(found, allow_nan=False)
    return found


def _local_iso(event: Event, moment: datetime | None) -> str | None:
    return moment.astimezone(event.zone).isoformat() if moment else None


def legs_of(event: Event) -> int | list[int]:
    """Return the number of legs, or a list by stage if they differ."""
    legs = event.options.get("legs")
    if legs is None and is_saved(event.formula):
        return 1  # a formula of one's own has no options: it says the legs of each stage
    if legs is None:
        option = formula_of(event.formula).option("legs")
        legs = option.default if option else 1
    if isinstance(legs, list):
        return legs[0] if len(set(legs)) == 1 else legs
    return int(legs)


def stage_json(stage: StageFacts) -> Json:
    """Return a stage with its groups and, once closed, its places."""
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


def round_json(facts: EventFacts, stage: StageFacts, item: AnyRound) -> Json:
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
        **cost_json(item),
    }


def cost_json(item: AnyRound) -> Json:
    """Return what the tables of a round cost, and whether none cost less; null for others."""
    if item.cost is None:
        return {"cost": None, "proven": None}
    cost = {key: item.cost[key] for key in COSTS}
    return {"cost": cost, "proven": item.cost["proven"]}


def match_json(facts: EventFacts, stage: StageFacts, item: AnyRound, match: AnyMatch) -> Json:
    """Return a match and the result that counts."""
    groups = {group.pk: group.name for group in stage.groups}
    across = item.is_extra and across_groups(stage, item, match)
    seats = [facts.numbers[key] for key in match.seats]
    a, b = of_two(seats, None) if match.size < 3 else (None, None)
    return {
        "id": match.pk,
        "stage": stage.stage.number,
        "group": "" if across else groups.get(match.group_id, ""),
        "round": item.ordinal,
        "table": match.table,
        "plays_at": match.plays_at,
        "a": a,
        "b": b,
        "seats": seats,
        "best_of": match.best_of,
        **result_json(match),
        "extra": item.is_extra,
        "reason": translate(sentence_from_json(match.reason)) if match.reason else "",
        "by_hand": bool(match.reason.get("by_hand")),
    }


def result_json(match: AnyMatch) -> Json:
    """Return version, state and counting result of a match."""
    decision = match.decision
    score = score_of(decision) if decision else None
    won = games_of(decision) if decision else None
    outcome = outcome_of(decision, match.size) if decision else None
    return {
        "version": match.version,
        "state": match.state,
        "score": list(score) if score else None,
        "games": list(decision.games) if decision and decision.games else None,
        "games_won": list(won) if won else None,
        "winner": (decision.winner or None) if decision else None,
        "places": list(outcome.places) if outcome and outcome.counts else None,
        "marks": dict(decision.marks or {}) if decision else {},
        "ended_by": decision.ended_by if decision else None,
    }
