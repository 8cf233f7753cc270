"""What striking a player would change.

Source: tournament rules, Points (withdrawn players).
"""

from dataclasses import replace
from typing import Any

from django.utils.text import capfirst
from django.utils.translation import gettext as _

from rules.people.person_names import joined
from rules.stages.base import with_struck
from tournaments.core.event_state import EventFacts
from tournaments.core.labels import group_label, place_in_words
from tournaments.core.rows import AnyEntry, MatchRow
from tournaments.matches.words import names_at, with_names
from tournaments.players.selectors.returns import attendance_of
from tournaments.results.selectors import effects_of
from tournaments.standings.selectors.rank_details import RankMove


def strike_page(facts: EventFacts, entry: AnyEntry) -> dict[str, Any] | None:
    """Return the effects of striking a player, or the struck matches; no query but the facts'."""
    found = attendance_of(facts, entry)
    if found is None:
        return None
    stage, by_key = found.stage, facts.by_key
    changed = replace(stage, state=with_struck(stage.state, entry.number))
    effects = effects_of(facts, stage, changed)
    ordinals = {item.pk: item.ordinal for item in stage.rounds}

    def told(match: MatchRow) -> str:
        a, b = names_at(match, by_key)
        result = with_names(match.decision, a, b) if match.decision else _("no result yet")
        return f"{joined((a, b))}: {result}"

    def holder(number: object) -> str:
        return _("nobody yet") if number is None else str(facts.entries[number])  # type: ignore[index]

    return {
        "attendance": found,
        "group": group_label(stage.plan, found.group),
        "matches": tuple(
            (_("Round %(number)s") % {"number": ordinals[match.round_id]}, told(match))
            for match in found.matches
        ),
        "moves": tuple(
            RankMove(
                name=str(facts.entries[move["number"]]), before=move["before"], after=move["after"]
            )
            for move in effects.moves
        ),
        "places": tuple(
            (
                capfirst(place_in_words(stage.plan, change.place)),
                holder(change.before),
                holder(change.after),
            )
            for change in effects.places
        ),
    }
