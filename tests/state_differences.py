"""What two facts of one event differ in."""

from typing import Any

from django.db.models import Model

from tournaments.core.event_state import EventFacts


def differences(one: EventFacts, other: EventFacts) -> list[str]:
    """Return the names of what differs, outcomes included; queries of neither."""
    pairs: dict[str, tuple[Any, Any]] = {
        "event": (_stored(one.event), _stored(other.event)),
        "entries": (one.entries, other.entries),
        "draws": tuple([_stored(draw) for draw in facts.draws] for facts in (one, other)),
        "penalties": (one.penalties, other.penalties),
        "ranking": (one.ranking, other.ranking),
        "number of stages": (len(one.stages), len(other.stages)),
    }
    for mine, theirs in zip(one.stages, other.stages, strict=False):
        for name in ("groups", "rounds", "matches", "state", "lots", "used", "penalties"):
            pairs[f"{mine.stage.key} {name}"] = getattr(mine, name), getattr(theirs, name)
        pairs[f"{mine.stage.key} stage"] = _stored(mine.stage), _stored(theirs.stage)
        if mine.groups:
            pairs[f"{mine.stage.key} outcome"] = mine.outcome, theirs.outcome
    return [name for name, (mine, theirs) in pairs.items() if mine != theirs]


def _stored(row: Model) -> dict[str, Any]:
    return {field.attname: getattr(row, field.attname) for field in row._meta.concrete_fields}
