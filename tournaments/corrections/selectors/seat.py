"""The page that gives a seat to somebody else, with the standings afterwards; what it says of what
was wrong, and who could rest instead.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from rules.corrections import Fate, Followed, Key, MatchChange, bye_moved, may_rest, why_bye_stays
from rules.results import PlayerId
from rules.stages.tables import table_ranges, tables_beside
from rules.standings.table import Standing
from rules.wording import Sentence
from tournaments.core.event_state import EventFacts, StageFacts
from tournaments.core.labels import group_label, rank_figure, shared_ranks
from tournaments.core.replays import in_play, latest_round
from tournaments.core.rows import AnyEntry, AnyMatch, MatchRow, RoundRow
from tournaments.corrections.selectors.choices import (
    Correction,
    ShownNames,
    begun_matches,
    is_running,
    matches_by_key,
)
from tournaments.corrections.selectors.page import exchange_of, outs_of
from tournaments.corrections.selectors.wording import fate_words, place_of_change, what_was_played
from tournaments.models import Round, Stage
from tournaments.results.selectors import Effects


def places_beside(
    facts: EventFacts, stage: StageFacts, changes: Sequence[MatchChange]
) -> dict[Key, dict[str, Any]]:
    """Return where matches of earlier rounds are played, as ``Match.earlier`` keeps it; no query.

    That is beside the latest published round, at tables that neither it nor a draft uses. A match
    that stands beside it already keeps its table.
    """
    latest = latest_round(stage)
    if latest is None:
        return {}
    rows, rounds = matches_by_key(stage), stage.regular_rounds
    found: dict[Key, dict[str, Any]] = {}
    new: list[MatchChange] = []
    for change in changes:
        if not is_to_play(change) or rounds[change.round].ordinal >= latest.ordinal:
            continue
        was = rows[change.key].put_up
        if was.get("beside") == latest.ordinal and "table" in was:
            found[change.key] = {"beside": latest.ordinal, "table": was["table"]}
        else:
            new.append(change)
    fixed = {n: entry.fixed_table for n, entry in facts.entries.items() if entry.fixed_table}
    tables = tables_beside(
        [change.after for change in new],
        fixed,
        _taken(facts, stage, changes, {rows[change.key].pk for change in new}),
        table_ranges(facts.event.tables),
    )
    for change, table in zip(new, tables, strict=True):
        found[change.key] = {"beside": latest.ordinal, "table": table}
    return found


def is_to_play(change: MatchChange) -> bool:
    return change.fate in (Fate.AGAIN, Fate.PASSES)


def _taken(
    facts: EventFacts, stage: StageFacts, changes: Sequence[MatchChange], but: Collection[int]
) -> dict[int, tuple[PlayerId, ...]]:
    """Return the tables of the latest rounds with who plays there, and those beside them.

    ``but`` are the keys of matches that have no table beside them yet.
    """
    rows = matches_by_key(stage)
    after = {rows[change.key].pk: change.after for change in changes}
    latest = latest_round(stage)
    found: dict[int, tuple[PlayerId, ...]] = {}
    for item in stage.rounds:
        if latest is None or item.ordinal < latest.ordinal:
            continue
        for match in stage.matches_of(item):
            seated = after.get(match.pk) or tuple(facts.numbers[key] for key in match.seats)
            if match.table is not None:
                found[match.table] = (*found.get(match.table, ()), *seated)
    for each in in_play(stage):
        if each.beside and each.table is not None and each.match.pk not in but:
            found.setdefault(each.table, ())
    return found


def seat_page(found: Correction, names: ShownNames) -> dict[str, Any]:
    """Return the page of a correction that can follow; no query.

    The page of a correction that can follow; ``again``: some matches may be played again.
    """
    return {
        "found": found,
        "exchange": exchange_of(found, names),
        "place": place_of_change(found),
        "matches": tuple(_matches(found, names)),
        "groups": tuple(_groups_after(found, names)),
        "again": any(change.fate in (Fate.AGAIN, Fate.VOID) for change in found.changes),
        "concerned": tuple(_concerned(found, names)),
    }


def _changes(found: Correction) -> Iterator[tuple[MatchChange, RoundRow, MatchRow]]:
    if found.target is None:
        return
    rounds, rows = found.target.regular_rounds, matches_by_key(found.target)
    for change in found.changes:
        yield change, rounds[change.round], rows[change.key]


def _matches(found: Correction, names: ShownNames) -> Iterator[dict[str, Any]]:
    """A match that changes hands; ``sides`` are its seats as (who left, "" if nobody, who sits).

    ``may_choose``: it was begun, so that somebody says whether it is played again; ``must`` in a
    knock-out, where it has to be.
    """
    winners = found.target is not None and found.target.kind.needs_winners
    for change, item, row in _changes(found):
        both = zip(change.pairing.seats, change.after, strict=True)
        gone = {out for out, _new in change.exchanged}
        chosen = change.begun and change.fate in (Fate.AGAIN, Fate.VOID)
        yield {
            "pk": row.pk,
            "round": item.ordinal,
            "table": row.table,
            "sides": tuple(
                (names.of(old) if old in gone else "", names.of(new)) for old, new in both
            ),
            "was": what_was_played(item, row, change.was, names),
            "running": is_running(item, row),
            "may_choose": chosen and not winners,
            "must": chosen and winners,
            "again": change.fate is Fate.AGAIN,
            "becomes": fate_words(change, names),
        }


def _groups_after(found: Correction, names: ShownNames) -> Iterator[dict[str, Any]]:
    """Yield the tables of the groups in which a match changes hands; a knock-out has none."""
    if found.target is None or found.target.kind.needs_winners:
        return
    new = {player for change in found.changes for _out, player in change.exchanged}
    after = next(s for s in found.after.stages if s.stage.pk == found.target.stage.pk)
    for group in {change.pairing.group: None for change in found.changes}:
        if group not in after.outcome.standings:
            continue
        standings = after.outcome.standings[group]
        rows, shared = standings.rows, shared_ranks(standings)
        had = {row.player: row for row in found.target.outcome.standings[group].rows}
        lost = {
            row.player: _points(had[row.player]) - _points(row) for row in rows if row.player in had
        }
        yield {
            "label": group_label(after.plan, group),
            "rows": tuple(
                (
                    rank_figure(row.rank, shared=row.rank in shared),
                    row,
                    str(found.facts.entries[row.player]),
                    row.player in new,
                )
                for row in rows
            ),
            "losses": tuple(
                ngettext(
                    "%(name)s loses %(points)s point.",
                    "%(name)s loses %(points)s points.",
                    1 if points == 1 else 2,
                )
                % {"name": names.of(player), "points": points}
                for player, points in lost.items()
                if points > 0
            ),
        }


def _points(row: Standing) -> Fraction:
    return row.values.get("points", Fraction(0))


def _concerned(found: Correction, names: ShownNames) -> Iterator[tuple[str, str]]:
    """Yield the players concerned, each with what it means for them."""
    told = set[PlayerId]()
    beside = {}
    if found.target is not None:
        beside = places_beside(found.facts, found.target, found.changes)
    for old, place in outs_of(found, names):
        yield old, _("is out, %(place)s") % {"place": place}
    for change, item, row in _changes(found):
        for player in change.after:
            others = [other for other in change.after if other != player]
            if player in told or change.fate in (Fate.VOID, Fate.FORFEIT) or not others:
                continue
            told.add(player)
            table = beside.get(change.key, {}).get("table", row.table)
            values = {"other": names.together(others), "table": table, "round": item.ordinal}
            if table is None:
                words = _("meets %(other)s in round %(round)s")
            elif change.fate is Fate.AGAIN:
                words = _("plays %(other)s at table %(table)s")
                if change.was.is_played and player in change.pairing.seats:
                    words = _("plays %(other)s again at table %(table)s")
            else:
                words = _("meets %(other)s at table %(table)s in round %(round)s")
            yield names.of(player), words % values


@dataclass(frozen=True, slots=True, kw_only=True)
class Cause:
    """What the page of a correction says of what was wrong.

    ``unchanged`` is said where nothing made from it changes, ``recorded`` where the rest stays, and
    ``told`` who reads of it where somebody keeps a place that is another's then; ``respects`` is
    what the seats follow once they are given, and ``undo`` says what undo puts back. The others are
    labels: of the button where nothing follows, of that which leaves the rest, of pairings made and
    of those that would be.
    """

    unchanged: Promise
    recorded: Promise
    respects: Promise
    told: Promise
    undo: Promise
    alone: Promise
    leave: Promise
    made: Promise
    instead: Promise


RESULT = Cause(
    unchanged=gettext_lazy("Rounds already paired stay as they are."),
    recorded=gettext_lazy("The new result goes into the record."),
    respects=gettext_lazy("respects the standings"),
    told=gettext_lazy(
        "Record and standings say who is where against the standings, by whose decision and why"
    ),
    undo=gettext_lazy("The organiser’s “Undo” puts everybody back, until there is a new result"),
    alone=gettext_lazy("Correct the result"),
    leave=gettext_lazy("Correct the result and leave the rest"),
    made=gettext_lazy("With the old result"),
    instead=gettext_lazy("With the new result"),
)
IN_STAGE = replace(RESULT, respects=gettext_lazy("respects the result"))
"""Of a result of the stage in progress, whose matches follow from each other."""
LOTS = Cause(
    unchanged=gettext_lazy("Nobody’s seat changes: only the order does."),
    recorded=gettext_lazy("The right order goes into the record."),
    respects=gettext_lazy("respects the standings"),
    told=gettext_lazy(
        "Record and standings say who is where against the standings, by whose decision and why"
    ),
    undo=gettext_lazy(
        "The organiser’s “Undo” puts everybody back, until there is a new result; the random draw "
        "stays on record"
    ),
    alone=gettext_lazy("Record the right order"),
    leave=gettext_lazy("Record the right order and leave the rest"),
    made=gettext_lazy("With the old order"),
    instead=gettext_lazy("With the right order"),
)
SEEDS = Cause(
    unchanged=gettext_lazy("Nobody’s seat changes: only the seeds do."),
    recorded=gettext_lazy("The right seeds go into the record."),
    respects=gettext_lazy("respects the seeds"),
    told=gettext_lazy("The record says that seats and seeds differ, by whose decision and why"),
    undo=RESULT.undo,
    alone=gettext_lazy("Record the right seeds"),
    leave=gettext_lazy("Record the right seeds and leave the rest"),
    made=gettext_lazy("With the old seeds"),
    instead=gettext_lazy("With the right seeds"),
)
PLAYER = replace(RESULT, respects=gettext_lazy("all other tables play on"))


NOT_NOW = Sentence("Only in a published round of the stage in progress can somebody else rest.")


def why_not_moved(facts: EventFacts, match: AnyMatch) -> Sentence | None:
    """Return why nobody else can rest instead of who does in a match, None if somebody can."""
    stage, item, index = _place_of(facts, match)
    if stage.stage.state != Stage.State.OPEN or item.state != Round.State.PUBLISHED:
        return NOT_NOW
    if item.is_extra or match.missed or len(match.seats) != 1:
        return NOT_NOW
    return why_bye_stays(stage.state, index)


def could_rest(facts: EventFacts, match: AnyMatch) -> tuple[AnyEntry, ...]:
    stage, _item, index = _place_of(facts, match)
    found = [facts.entries[player] for player in may_rest(stage.state, index)]
    return tuple(sorted(found, key=lambda entry: entry.display_name.casefold()))


def bye_correction_of(
    facts: EventFacts, match: AnyMatch, player: PlayerId, *, void: bool = False
) -> Correction:
    """Return what follows if ``player`` rests instead of who does in ``match``; no query.

    ``void``: what that player has played in the round is void, and not played again.
    """
    stage, item, index = _place_of(facts, match)
    follows, why_not = Followed(state=stage.state), why_not_moved(facts, match)
    if why_not is None:
        keys = {
            pairing.number: (index, pairing.number)
            for pairing, _result in stage.state.rounds[index]
            if player in pairing.seats
        }
        begun = any(key in set(begun_matches(stage)) for key in keys.values())
        follows = bye_moved(stage.state, index, match.number, player, begun=begun, void=void)
    return Correction(
        facts=facts,
        stage=stage,
        effects=Effects(moves=(), places=(), rounds=(item,), stages=()),
        changed=stage,
        target=stage,
        follows=follows,
        why_not=why_not or follows.why_not,
    )


def doubts(found: Correction, names: ShownNames) -> Iterator[str]:
    """Yield what speaks against an exchange: who met already, and who has rested already."""
    for change in found.changes:
        players = frozenset(change.after)
        for item, played in zip(
            found.stage.regular_rounds[: change.round], found.stage.state.rounds, strict=False
        ):
            if not any(not p.missed and {*p.seats} == players for p, _result in played):
                continue
            values = {"players": names.together(change.after), "round": item.ordinal}
            words = _("%(players)s have met already, in round %(round)s.")
            if len(players) == 1:
                words = _("%(players)s has rested already, in round %(round)s.")
            yield words % values


def _place_of(facts: EventFacts, match: AnyMatch) -> tuple[StageFacts, RoundRow, int]:
    """Return the stage and the round of a match, and its index among those of the schedule."""
    stage = next(s for s in facts.stages if any(g.pk == match.group_id for g in s.groups))
    item = next(each for each in stage.rounds if each.pk == match.round_id)
    return stage, item, next((i for i, r in enumerate(stage.regular_rounds) if r is item), -1)
