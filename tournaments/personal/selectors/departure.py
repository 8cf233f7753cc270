"""Who noted that a player has left, and when; why somebody is disqualified; whose seat is free."""

from dataclasses import dataclass
from datetime import datetime
from itertools import chain

from django.db.models import Q
from django.utils.translation import gettext as _

from config.ui_dates import in_words
from tournaments.core.event_state import EventFacts
from tournaments.core.values_cache import cached
from tournaments.corrections.selectors.next_in_line import next_in_line
from tournaments.models import Entry, Event, LogLine, Penalty
from tournaments.personal.selectors.beside import beside

MANY = "entry.withdrawn_many"
"""The absent, or those without a list, withdrawn at the door."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Noted:
    """Who noted that a player has left, and when, as a sentence.

    ``taken_out``: the staff took them out at the door, or as a no-show; ``absent``: as a no-show.
    """

    words: str
    taken_out: bool = False
    absent: bool = False


def departure_of(facts: EventFacts, entry: Entry) -> Noted | None:
    """Return who noted that a player has left, None if the log does not say so; one query."""
    event = facts.event
    of_one = Q(action="entry.withdraw", after__number=entry.number)
    lines = LogLine.objects.filter(of_one | Q(action=MANY), event=event).select_related("by")
    of_this = (
        line
        for line in lines.order_by("-number")
        if line.action != MANY or entry.number in line.after["numbers"]
    )
    line = next(of_this, None)
    if line is None:
        return None
    values = {"when": moment_words(event, line.at)}
    by_account = line.by_id is not None and line.by_id == entry.user_id
    if line.by_entry_id == entry.pk or by_account:
        return Noted(words=_("You noted it %(when)s.") % values)
    values["name"] = str(line.by or line.by_name)
    row = facts.entries.get(entry.number)
    begun = event.started_at is not None and line.at >= event.started_at
    absent = begun and row is not None and row.departure == Entry.Left.NO_SHOW
    return Noted(
        words=_("Noted %(when)s by %(name)s.") % values,
        taken_out=absent or line.action == MANY,
        absent=absent,
    )


def disqualification_of(facts: EventFacts, entry: Entry) -> str:
    """Return why a player is disqualified, in the words that were written for them.

    Those of the penalty, else those given with the disqualification: one query. Never the staff's
    note. "" where neither is known.
    """
    for penalty in beside(facts).penalties.get(entry.pk, ()):
        if penalty.level == Penalty.Level.DISQUALIFICATION:
            return penalty.infraction
    lines = LogLine.objects.filter(event=facts.event, action="entry.disqualify")
    found = lines.filter(after__number=entry.number).order_by("-number")
    return found.values_list("reason", flat=True).first() or ""


def results_stay(facts: EventFacts, entry: Entry) -> bool:
    """Return whether a result of a player's matches counts, and none of them was made void."""
    states = [stage.state for stage in facts.stages]
    return not any(entry.number in state.struck for state in states) and any(
        result.counts and entry.number in pairing.seats and len(pairing.seats) > 1
        for played in chain.from_iterable(state.rounds for state in states)
        for pairing, result in played
    )


def seat_left_to(facts: EventFacts, entry: Entry) -> str:
    """Return who left after qualifying and left their place to a player, "" for nobody; no query.

    The player is next in line and not called yet.
    """
    found = cached(facts, "next_in_line", lambda: next_in_line(facts))
    if found is None or found.comes is None or found.comes.number != entry.number:
        return ""
    name: str = found.gone.display_name
    return name


def moment_words(event: Event, moment: datetime | None) -> str:
    """Return a moment as "at 15:12", with its day where that is not the event's.

    The year is told of a moment of another year.
    """
    if moment is None:
        return ""
    local = moment.astimezone(event.zone)
    if local.date() == event.begins.date():
        return _("at %(time)s") % {"time": in_words(local, "time")}
    part = "short" if local.year == event.begins.year else "all"
    return _("on %(day)s") % {"day": in_words(local, part)}
