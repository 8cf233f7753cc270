"""The content of a match's public page, with the result before a correction.

The reason of a correction, and who corrected it, are for the staff alone.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from config.wording import translate
from rules.brackets import BracketMatch, BracketPart, MatchSource
from rules.people.person_names import join_names
from rules.results import SEAT_WINNERS
from rules.stages.knockout import bracket_progress
from rules.standings.table import Marks, match_mark
from tournaments.core.acts import REDONE
from tournaments.core.event_state import EventFacts, StageFacts
from tournaments.core.labels import (
    group_label,
    match_round_label,
    round_label,
    stage_and_round_label,
)
from tournaments.core.mapping import match_result, outcome_from_report, report_games, report_score
from tournaments.core.replays import current_table, pending_replays
from tournaments.core.rows import EntryRow, MatchAddress, MatchRow, RoundRow
from tournaments.corrections.acts import FOLLOWED, TAKEN_BACK
from tournaments.diagrams.selectors.drawn_brackets import bracket_source
from tournaments.diagrams.selectors.drawn_slots import (
    BracketSource,
    match_name,
    possible_players_text,
)
from tournaments.judging.selectors import Rulings
from tournaments.matches.words import (
    COUNTED,
    find_earlier_result,
    game_winners_text,
    may_have_earlier_report,
    result_with_names,
)
from tournaments.models import Event, Match, Report
from tournaments.personal.selectors.own_matches import player_matches
from tournaments.results.acts import CORRECTED
from tournaments.rounds.selectors.pairings import result_text_and_tone

CORRECTIONS = (CORRECTED.key, FOLLOWED.key, TAKEN_BACK.key)
"""The acts that put another result in place of one that counted."""


def replaced_result_text(
    event: Event, round_: RoundRow, match: MatchRow, decided: Report, players: Sequence[EntryRow]
) -> str:
    """Return the text of the result that a correction replaced, "" if none.

    ``decided``: the report that counts now; ``players``: in the order of seats. Two queries if it
    may be a correction, two more if that may have been undone and redone.
    """
    if decided.kind != Report.Kind.DECISION or not may_have_earlier_report(match, decided.version):
        return ""
    reports = Report.objects.filter(match=match.pk).order_by("version")
    was = find_earlier_result(match, decided.version, reports)
    if was is None or was.kind not in COUNTED or not _is_correction(event, round_, match, decided):
        return ""
    return result_with_names(was, *(player.display_name for player in players))


def _is_correction(event: Event, round_: RoundRow, match: MatchRow, decided: Report) -> bool:
    """Return whether a result was stored by a correction, also by one that was done again."""
    lines = event.log.filter(subject__startswith=f"{round_.ordinal}/")
    made = lines.filter(action__in=CORRECTIONS, after__match=match.number)
    if made.filter(after__version=decided.version).exists():
        return True
    # What is done again is stored as another version, and then told by a line of its own.
    again = lines.filter(action=REDONE.key, at__gte=decided.at).order_by("number").first()
    return again is not None and made.filter(number=again.after["line"]).exists()


@dataclass(frozen=True, slots=True, kw_only=True)
class NextMatch:
    """The match that a player plays after the one of the page.

    ``name``: of the match; ``maybe``: text on possible opponents while ``opponents`` is empty;
    ``at``: (ordinal of the round, match number), None until the match exists.
    """

    name: str
    table: int | None
    opponents: tuple[EntryRow, ...]
    maybe: str
    at: MatchAddress | None


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchPageSeat:
    """A player of a match, for the match's public page.

    ``marks``: the result from the player's side, once it is final. ``follows``: text on how the
    match ended for the player in a bracket, or that the player dropped. ``next``: the player's next
    match, if known.
    """

    entry: EntryRow
    score: str
    won: bool
    marks: Marks
    follows: str
    next: NextMatch | None


def public_match_context(
    facts: EventFacts, at: MatchAddress, rulings: Rulings
) -> dict[str, Any] | None:
    """Return the template context of a match's public page.

    ``at``: (ordinal of the round, match number); None for an unknown match and for a bye. ``facts``
    must be loaded without drafts. ``rulings``: judges' rulings by match key.

    Keys: ``result``: the final result or the state as text, with its ``tone``; ``decided``: time of
    the result; ``was``: text of the result that a correction replaced, or ""; ``goes``: texts on
    where the players of an open bracket match may advance to; ``published``: time, None if the
    match is replayed. One query once the result is final, two more if the staff entered it after
    another report.
    """
    stage, item = facts.round_at(at[0]) or (None, None)
    if stage is None or item is None:
        return None
    match = next((each for each in stage.matches_of(item) if each.number == at[1]), None)
    if match is None or match.size < len(SEAT_WINNERS):
        return None
    source = bracket_source(facts, stage) if stage.kind.has_bracket else None
    entries = facts.entries_by_pk
    players = tuple(entries[key] for key in match.seats)
    decision = match.decision if match.state == Match.State.FINAL else None
    result, tone, games = _result_words(match, players)
    put_up = next((each for each in pending_replays(facts) if each.match.pk == match.pk), None)
    if put_up is not None and match.state == Match.State.OPEN:
        result, tone = " ".join((_("to play"), f"({put_up.when})")), "warn"
    decided = Report.objects.filter(pk=decision.pk).first() if decision else None
    played_again = match.again is not None or match.plays_at != match.table
    seats = tuple(_seats(facts, stage, item, match, players))
    seated = tuple(seat.entry for seat in seats)
    goes = tuple(_ways_on(source, match.number)) if source and decision is None else ()
    return {
        "name": _match_name(stage, item, match, source),
        "title": join_names(seated),
        "players": seated,
        "stage": translate(stage.plan.label),
        "round": item,
        "round_label": round_label(stage, item),
        "group": _group_name(stage, item, match),
        "table": current_table(stage, item, match),
        "best_of": match.best_of,
        "extra": 0 if decision else match.extra_minutes,
        "seats": seats,
        "result": result,
        "tone": tone,
        "games": games,
        "published": None if played_again else item.published_at,
        "decided": decided.at if decided else None,
        "was": replaced_result_text(facts.event, item, match, decided, players) if decided else "",
        "rulings": rulings.get(match.pk, ()),
        "goes": goes,
        "has_sequel": bool(goes) or any(seat.follows or seat.next for seat in seats),
        "in_bracket": source is not None,
    }


def _match_name(
    stage: StageFacts, round_: RoundRow, match: MatchRow, source: BracketSource | None
) -> str:
    """Return what a match is called: "Semi-final 2", else its round."""
    if source is None:
        return match_round_label(stage, round_, match)
    return _bracket_name(source, source.by_number[match.number])


def _bracket_name(source: BracketSource, match: BracketMatch) -> str:
    return match_name(source, match)


def _group_name(stage: StageFacts, round_: RoundRow, match: MatchRow) -> str:
    if len(stage.plan.groups) == 1 or round_.is_extra:
        return ""
    return group_label(stage.plan, next(g.name for g in stage.groups if g.pk == match.group_id))


def _result_words(match: MatchRow, players: Sequence[EntryRow]) -> tuple[str, str, str]:
    """Return the result in words, else the state of the match; its tone; who won which game."""
    if len(players) != len(SEAT_WINNERS):
        return "", "", ""
    names = (players[0].display_name, players[1].display_name)
    decision = match.decision
    if decision is None or match.state != Match.State.FINAL:
        words, tone = result_text_and_tone(match, names)
        return words or _("Playing"), tone or "info", ""
    return (
        result_with_names(decision, *names),
        "",
        game_winners_text(outcome_from_report(decision, 2), *names),
    )


def _seats(
    facts: EventFacts,
    stage: StageFacts,
    round_: RoundRow,
    match: MatchRow,
    players: Sequence[EntryRow],
) -> Iterator[MatchPageSeat]:
    """Yield the players with their side of the result; of more than two none is known."""
    decision = match.decision if match.state == Match.State.FINAL else None
    known = decision if len(players) == len(SEAT_WINNERS) else None
    scores = (report_score(known) or (report_games(known) or ())[:2]) if known else ()
    result = match_result(match, round_.number, facts.numbers) if known else None
    for entry, score, side in zip_longest(players, scores, SEAT_WINNERS[: len(players)]):
        mark = match_mark(result, entry.number) if result else None
        yield MatchPageSeat(
            entry=entry,
            score="" if score is None else str(score),
            won=known is not None and known.winner == side,
            marks=(mark,) if mark else (),
            follows=_sequel_words(facts, stage, match, entry) if decision else "",
            next=_next_match(facts, stage, match, entry),
        )


def _sequel_words(facts: EventFacts, stage: StageFacts, match: MatchRow, entry: EntryRow) -> str:
    """Return what became of a player in a bracket, "" elsewhere; whoever left has left."""
    if not entry.plays:
        return entry.get_status_display()
    if not stage.kind.has_bracket:
        return ""
    source = bracket_source(facts, stage)
    ended = bracket_progress(stage.state)[match.number]
    third = source.by_number[match.number].third_place
    if entry.number == ended.winner:
        if stage.plan.survivors > 1 or _match_after(source, MatchSource(match=match.number)):
            return _("advances")
        return "" if third else _("wins the bracket")
    lost = MatchSource(match=match.number, winner=False)
    plays = entry.number == ended.loser and _match_after(source, lost)
    return "" if plays or third else _("out")


def _match_after(source: BracketSource, origin: MatchSource) -> BracketMatch | None:
    found = (match for match in source.shape if origin in match.sources)
    return next((match for match in found if match.number in source.boxes), None)


def _ways_on(source: BracketSource, number: int) -> Iterator[str]:
    """Yield where whoever wins an open match goes, and whoever loses it.

    Whether the grand final is played again is not said before it has been played.
    """
    ways = {True: _("The winner goes to: %(match)s"), False: _("The loser goes to: %(match)s")}
    for winner, words in ways.items():
        after = _match_after(source, MatchSource(match=number, winner=winner))
        if after is not None and after.part is not BracketPart.AGAIN:
            yield words % {"match": _bracket_name(source, after)}


def _next_match(
    facts: EventFacts, stage: StageFacts, match: MatchRow, entry: EntryRow
) -> NextMatch | None:
    """Return a player's next match that is made, else the one of the bracket that is to come."""
    mine = player_matches(facts, entry)
    here = next(at for at, (_stage, each) in enumerate(mine) if each.pk == match.pk)
    if later := mine[here + 1 :]:
        found = next((each for each in later if _precedes(match, each[1])), None)
        return _made_match(facts, stage, *found, entry) if found else None
    if not stage.kind.has_bracket or not entry.plays or match.state != Match.State.FINAL:
        return None
    source, ended = bracket_source(facts, stage), bracket_progress(stage.state)[match.number]
    if entry.number not in (ended.winner, ended.loser):
        return None
    origin = MatchSource(match=match.number, winner=entry.number == ended.winner)
    after = _match_after(source, origin)
    return _coming_match(source, after, origin) if after else None


def _precedes(match: MatchRow, later: MatchRow) -> bool:
    """Return whether a match is played before one of a later round; not so if it is put up again.

    An open match is played beside a later one. Of one that was played beside others, reports in
    the order in which they were stored tell what came before it.
    """
    if match.state != Match.State.FINAL:
        return False
    if not match.put_up or not match.decision or not later.decision:
        return True
    return match.decision.pk < later.decision.pk


def _made_match(
    facts: EventFacts, stage: StageFacts, later: StageFacts, match: MatchRow, entry: EntryRow
) -> NextMatch:
    item = next(each for each in later.rounds if each.pk == match.round_id)
    source = bracket_source(facts, later) if later.kind.has_bracket else None
    name = _match_name(later, item, match, source)
    entries_by_pk = facts.entries_by_pk
    return NextMatch(
        name=name if later is stage else stage_and_round_label(translate(later.plan.label), name),
        table=current_table(later, item, match),
        opponents=tuple(entries_by_pk[key] for key in match.seats if key != entry.pk),
        maybe=pgettext("of a match", "bye") if match.size == 1 else "",
        at=(item.ordinal, match.number) if match.size > 1 else None,
    )


def _coming_match(source: BracketSource, match: BracketMatch, origin: MatchSource) -> NextMatch:
    """Return a match of a bracket that is not made, as whoever comes from ``origin`` sees it."""
    side = 1 - match.sources.index(origin)
    line = source.boxes[match.number].lines[side]
    known = line.entry if isinstance(line.entry, EntryRow) else None
    maybe = (
        ""
        if known
        else " ".join((_("against"), possible_players_text(source, match, side, line.place)))
    )
    return NextMatch(
        name=_bracket_name(source, match),
        table=None,
        opponents=(known,) if known else (),
        maybe=maybe,
        at=None,
    )
