"""What pages offer to somebody who comes late: which match of the round in play they can join."""

from collections.abc import Iterable
from fractions import Fraction
from typing import NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from rules.errors import RuleError
from rules.people.person_names import joined
from rules.results import PlayerId, Winner
from tournaments.core.event_state import EventFacts
from tournaments.core.facts_cache import read_facts
from tournaments.core.replays import going_on
from tournaments.core.rows import AnyEntry
from tournaments.models import Entry, Event
from tournaments.players.selectors.openings import Opening, openings

MOST_OFFERED = 3


class Offer(NamedTuple):
    """What a button offers: the ``value`` that it sends, and what it says ``before``.

    ``again``: the two have met, or are kept apart. ``minutes`` are those that have passed.
    """

    value: str
    button: str
    before: str
    again: bool
    minutes: int


class Coming(NamedTuple):
    """Somebody who could play in the round, with what they can join."""

    entry: AnyEntry
    offers: tuple[Offer, ...]


def offers(event: Event, other: Entry | None = None) -> tuple[Offer, ...]:
    """Return what ``other``, or somebody new, can join now; the queries of the facts in play."""
    if event.state != Event.State.RUNNING:
        return ()
    return offers_in(read_facts(event, drafts=True), other)


def with_offers(facts: EventFacts, entries: Iterable[AnyEntry]) -> tuple[Coming, ...]:
    """Return players who wait or ask to come back, each with what they can join; no query."""
    return tuple(Coming(entry, offers_in(facts, entry)) for entry in entries)


def offers_in(facts: EventFacts, other: AnyEntry | None = None) -> tuple[Offer, ...]:
    """Return the first of what ``other``, or somebody new, can join; no query.

    Nothing once all matches of the round are over, though it can be asked for; rematches last.
    """
    stage = facts.open_stage
    if stage is None or not going_on(stage):
        return ()
    found = (one for one in openings(facts) if other is None or one.can_be_joined_by(other))
    made = (offer for one in found if (offer := _offer(one, other)) is not None)
    return tuple(sorted(made, key=lambda offer: offer.again)[:MOST_OFFERED])


def _offer(found: Opening, other: AnyEntry | None) -> Offer | None:
    """Return what is offered to ``other``, None where no table is free; no query."""
    try:
        table = found.table_with(other.number, other.fixed_table) if other else found.table_with()
    except RuleError:
        return None
    warning = _warning(found, other.number) if other and len(found.players) == 1 else ""
    return Offer(
        value=f"{found.match.pk}:{'-'.join(map(str, found.numbers))}",
        button=_button(found, table),
        before=" ".join(filter(None, (_lost(found, other, table), warning))),
        again=bool(warning),
        minutes=found.minutes,
    )


def _button(found: Opening, table: int) -> str:
    if len(found.players) > 1:
        return ngettext(
            "Add to table %(table)s (%(count)s player)",
            "Add to table %(table)s (%(count)s players)",
            len(found.players),
        ) % {"table": table, "count": len(found.players)}
    words = _("Plays %(name)s, who has the bye, at table %(table)s")
    if not found.is_bye:
        words = _("Plays %(name)s, who came late too, at table %(table)s")
    return words % {"name": joined(found.players), "table": table}


def _lost(found: Opening, other: AnyEntry | None, table: int) -> str:
    """Return what the player loses who had the round without an opponent, "" for nothing."""
    decision, points = found.match.decision, found.stage.state.points
    if len(found.players) > 1 or decision is None or decision.winner == Winner.NONE:
        return ""
    words = _("%(name)s loses the bye (points: %(points)s) and plays %(other)s at table %(table)s.")
    if other is None:
        words = _(
            "%(name)s loses the bye (points: %(points)s) and plays the late player at table "
            "%(table)s."
        )
    made, _rest = points.by_winner[Winner(decision.winner)]
    return words % {
        "name": joined(found.players),
        "points": Fraction(made, points.parts),
        "other": other.display_name if other else "",
        "table": table,
    }


def _warning(found: Opening, number: PlayerId) -> str:
    """Return why rules would not pair somebody with the one player of a match, "" if they would."""
    pair = {number, *found.numbers}
    if pair in found.stage.state.rounds_apart[-1]:
        return _("They are kept apart.")
    for item in found.stage.regular_rounds:
        if any(
            pair <= {found.facts.by_key[key].number for key in match.seats}
            for match in found.stage.matches_of(item)
        ):
            both = joined((*found.players, found.facts.entries[number]))
            words = _("%(players)s have met already, in round %(round)s.")
            return words % {"players": both, "round": item.ordinal}
    return ""
