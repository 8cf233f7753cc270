"""A player's matches as lines: on their public page, and on their own when it is over for them."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.utils.translation import gettext as _

from config.wording import translate
from rules.standings.recent import Mark, mark_of
from tournaments.core.event_state import EventFacts, StageFacts
from tournaments.core.labels import ending_label, ordinal, round_of_match, without_opponent
from tournaments.core.mapping import outcome_of, result_of
from tournaments.core.replays import table_of
from tournaments.core.round_words import stage_and_round
from tournaments.core.rows import AnyEntry, EntryRow, MatchAddress, MatchRow
from tournaments.matches.words import TO_THE_END, score_for_side, side_of
from tournaments.models import Match
from tournaments.personal.selectors.own_matches import matches_of


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchLine:
    """A match of the player: ``mark`` is None while it is open, ``words`` then say its state.

    ``others`` are those whom the player met, none in a bye; ``seat`` is the player's own number at
    a table of three and more, else 0. ``score`` has the player's own side first. ``at`` leads to
    the match's page, which a bye has not.
    """

    stage: str
    round: str
    others: tuple[EntryRow, ...]
    seat: int
    mark: Mark | None
    score: str
    words: str
    table: int | None
    open: bool
    at: MatchAddress | None

    @property
    def where(self) -> str:
        """Return stage and round in words."""
        return stage_and_round(self.stage, self.round)

    @property
    def as_marks(self) -> tuple[Mark, ...]:
        """Return the mark as a tuple for the tag ``form``, empty while the match is open."""
        return (self.mark,) if self.mark else ()


def match_lines(facts: EventFacts, entry: AnyEntry) -> tuple[MatchLine, ...]:
    """Return a player's matches in the order of play; no query."""
    by_key = {each.pk: each for each in facts.entries.values()}
    return tuple(_line(facts, *found, entry, by_key) for found in matches_of(facts, entry))


def _line(
    facts: EventFacts,
    stage: StageFacts,
    match: MatchRow,
    entry: AnyEntry,
    by_key: Mapping[int, EntryRow],
) -> MatchLine:
    side = side_of(entry, match)
    others = tuple(by_key[key] for key in match.seats if key != entry.pk)
    item = next(each for each in stage.rounds if each.pk == match.round_id)
    final = match.state == Match.State.FINAL
    mark = mark_of(result_of(match, item.number, facts.numbers), entry.number) if final else None
    decided = match.decision if final and others else None
    played = outcome_of(decided, match.size) if decided and match.size < 3 else None
    return MatchLine(
        stage=translate(stage.plan.label),
        round=round_of_match(stage, item, match),
        others=others,
        seat=match.seats.index(entry.pk) + 1 if match.size > 2 else 0,
        mark=mark,
        score=score_for_side(played, side) if played else _place(match, entry),
        words=_words(match, mark, alone=not others)
        or (ending_label(played.ended_by) if played and played.ended_by not in TO_THE_END else ""),
        table=table_of(stage, item, match),
        open=not final,
        at=(item.ordinal, match.number) if others else None,
    )


def _place(match: MatchRow, entry: AnyEntry) -> str:
    """Return the place of a player at a table of three and more whose result counts."""
    decision = match.decision if match.state == Match.State.FINAL else None
    places = decision.places if decision else None
    place = places[match.seats.index(entry.pk)] if places else None
    return ordinal(place) if place else ""


def _words(match: MatchRow, mark: Mark | None, *, alone: bool) -> str:
    if match.state == Match.State.FINAL:
        if alone:
            return without_opponent(match.decision)
        return "" if mark else _("does not count")
    if match.state == Match.State.DISPUTED:
        return _("a judge decides")
    reported = match.state == Match.State.REPORTED
    return _("reported, not confirmed yet") if reported else _("playing")
