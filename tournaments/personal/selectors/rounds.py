"""The round in progress and the one to come, as players' own pages show them, and whose results
decide about a player.
"""

from datetime import datetime, timedelta
from typing import Any, NamedTuple

from django.utils import timezone
from django.utils.translation import gettext as _

from config.ui_dates import in_words
from rules.results import PlayerId
from rules.scenarios import Decider, Verdict
from rules.stages.kind import awarded_byes
from tournaments.core.event_state import EventFacts, StageFacts
from tournaments.core.labels import round_label
from tournaments.core.replays import in_play, to_finish
from tournaments.core.rows import AnyEntry, MatchRow, RoundRow
from tournaments.core.values_cache import cached
from tournaments.events.selectors.timetable import stage_ends
from tournaments.models import Entry, Event, Match
from tournaments.prospects.selectors.prospects import public_prospects
from tournaments.standings.selectors.rank_details import leads_in


class InProgress(NamedTuple):
    """A round in progress and its label."""

    stage: StageFacts
    item: RoundRow
    label: str


def round_in_progress(facts: EventFacts) -> InProgress | None:
    """Return the latest round of the open stage; no query."""
    stage = facts.open_stage
    if facts.event.state != Event.State.RUNNING or stage is None or stage.last_round is None:
        return None
    return InProgress(stage, stage.last_round, round_label(stage, stage.last_round))


def next_round(facts: EventFacts) -> int:
    """Return the number of the round that comes after the latest one, 0 if none does; no query."""
    stage = facts.open_stage
    if stage is None or len(stage.regular_rounds) >= stage.total_rounds:
        return 0
    return facts.last_ordinal + 1


def open_tables(facts: EventFacts) -> int:
    """Return the number of matches in play without a final result; no query."""
    current = round_in_progress(facts)
    return to_finish(current.stage) if current else 0


def matches_now(facts: EventFacts, entry: AnyEntry) -> list[MatchRow]:
    """Return a player's matches in play, in the order in which they are played; no query.

    That of the round in progress, which others wait for, then those of earlier rounds beside it.
    """
    current = round_in_progress(facts)
    playing = in_play(current.stage) if current else ()
    return [each.match for each in playing if entry.pk in each.match.seats]


def tables_deciding(facts: EventFacts, number: PlayerId) -> int:
    """Return the number of open matches in play that may decide whether a player goes on.

    Those of other groups do only where ranks of groups are compared; no query.
    """
    current = round_in_progress(facts)
    if current is None or not current.stage.kind.has_table:
        return 0
    stage = current.stage
    compared = leads_in(stage).compared
    own = next((name for name, seats in stage.state.seats.items() if number in seats), "")
    keys = {group.pk for group in stage.groups if compared or group.name == own}
    return sum(each.is_open and each.match.group_id in keys for each in in_play(stage))


def first_table(facts: EventFacts, entry: AnyEntry) -> int:
    """Return the round after a player's awarded byes while one is to come, else 0."""
    stage = facts.open_stage
    if stage is None or not stage.kind.honours_byes:
        return 0
    last = awarded_byes(stage.state).get(entry.number, 0)
    return last + 1 if 0 < last < stage.total_rounds else 0


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


MOST = 3
"""Lines shown at most."""


def decider_lines(facts: EventFacts, entry: Entry) -> tuple[dict[str, Any], ...]:
    """Return the single results that decide, the first tables first; no query.

    None where not every outcome of the open tables was tried.
    """
    found = public_prospects(facts).get(entry.number)
    if found is None or not found.exact:
        return ()
    tables = _tables(facts)
    known = [one for one in found.deciders if frozenset(one.players) in tables]
    known.sort(key=lambda one: tables[frozenset(one.players)])
    return tuple(_line(facts, one, tables[frozenset(one.players)]) for one in known[:MOST])


def _tables(facts: EventFacts) -> dict[frozenset[object], int]:
    """Return the table of each open match of the open stage by its players."""
    stage = facts.open_stage
    return {
        frozenset(facts.numbers[key] for key in match.seats): match.plays_at or match.number
        for match in (stage.missing if stage else ())
        if match.state != Match.State.FINAL
    }


def _line(facts: EventFacts, decider: Decider, table: int) -> dict[str, Any]:
    """The consequence of one result at another table; ``good``: the player then goes on."""
    good = decider.verdict is Verdict.THROUGH
    winner = decider.players[0 if decider.result == "win" else 1]
    values = {"table": table, "name": facts.entries[winner].display_name}
    if decider.result == "draw":
        words = (
            _("If table %(table)s ends in a draw, you advance.")
            if good
            else _("If table %(table)s ends in a draw, you’re out.")
        )
    else:
        words = (
            _("If %(name)s wins at table %(table)s, you advance.")
            if good
            else _("If %(name)s wins at table %(table)s, you’re out.")
        )
    return {"words": words % values, "good": good}
