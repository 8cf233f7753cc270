"""When it is decided who goes on from the stage in play, as far as the timetable knows."""

from datetime import datetime, timedelta

from django.utils import timezone
from django.utils.translation import gettext as _

from config.ui_dates import in_words
from tournaments.core.event_state import EventFacts
from tournaments.core.values_cache import cached
from tournaments.events.selectors.timetable import stage_ends
from tournaments.personal.selectors.rounds import open_tables

STEP = timedelta(minutes=5)
"""An estimate is told in steps of five minutes, rounded up."""


def decided_at(facts: EventFacts) -> datetime | None:
    """Return about when it is decided who goes on, None if not known or past; no query.

    Not known either once all is played: the staff may close the stage at any moment.
    """
    moment: datetime | None = cached(facts, "decided_at", lambda: _decided_at(facts))
    return moment if moment is not None and moment > timezone.now() else None


def _decided_at(facts: EventFacts) -> datetime | None:
    stage = facts.open_stage
    if stage is None or not stage.used or (stage.rounds_done and not open_tables(facts)):
        return None
    ends = stage_ends(facts)
    return ends and ends + timedelta(seconds=-ends.timestamp() % STEP.total_seconds())


def decision_words(facts: EventFacts) -> str:
    """Return about when it is decided who goes on, as a sentence; "" if that is not known."""
    moment, stage = decided_at(facts), facts.open_stage
    if moment is None or stage is None:
        return ""
    number = facts.last_ordinal + stage.total_rounds - len(stage.regular_rounds)
    local, day = moment.astimezone(facts.event.zone), facts.event.begins.date()
    if local.date() != day:
        words = _("Who goes on is decided after round %(number)s: about %(when)s.")
        return words % {"number": number, "when": in_words(local, "all")}
    words = _("Who goes on is decided about %(time)s, after round %(number)s.")
    return words % {"number": number, "time": in_words(local, "time")}
