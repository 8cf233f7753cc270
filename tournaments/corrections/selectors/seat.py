"""The page that gives a seat to somebody else, with the standings afterwards, and who could have
the bye instead.
"""

from collections.abc import Collection, Iterator, Sequence
from fractions import Fraction
from typing import Any

from django.utils.translation import gettext as _

from rules.corrections import (
    CorrectedStage,
    CorrectionEffect,
    Key,
    MatchChange,
    bye_candidates,
    bye_fixed_reason,
    move_bye,
)
from rules.errors import PASSED
from rules.numbers import format_points
from rules.results import PlayerId
from rules.stages.tables import assign_additional_tables, parse_table_ranges
from rules.standings.table import Standing
from rules.wording import Sentence
from tournaments.core.event_state import EventFacts, StageFacts
from tournaments.core.labels import format_rank, group_label, shared_ranks
from tournaments.core.replays import latest_published_round, matches_in_play
from tournaments.core.rows import AnyEntry, AnyMatch, MatchRow, RoundRow
from tournaments.corrections.selectors.choices import (
    Correction,
    DisplayNames,
    is_running,
    matches_by_key,
    started_match_keys,
)
from tournaments.corrections.selectors.page import eliminated_players, swapped_players
from tournaments.corrections.selectors.wording import (
    changed_place_label,
    describe_match_before,
    describe_match_change,
)
from tournaments.models import Round, Stage
from tournaments.results.selectors import Effects


def replay_tables(
    facts: EventFacts, stage: StageFacts, changes: Sequence[MatchChange]
) -> dict[Key, dict[str, Any]]:
    """Return the tables for changed matches of earlier rounds; no query.

    They are played alongside the latest round, at tables that are free then: {(round index, match
    number): {"beside": its ordinal, "table": number}}. A match that has such a table already keeps
    it.
    """
    latest = latest_published_round(stage)
    if latest is None:
        return {}
    rows, rounds = matches_by_key(stage), stage.regular_rounds
    found: dict[Key, dict[str, Any]] = {}
    new: list[MatchChange] = []
    for change in changes:
        if not is_still_to_play(change) or rounds[change.round].ordinal >= latest.ordinal:
            continue
        was = rows[change.key].put_up
        if was.get("beside") == latest.ordinal and "table" in was:
            found[change.key] = {"beside": latest.ordinal, "table": was["table"]}
        else:
            new.append(change)
    fixed = {n: entry.fixed_table for n, entry in facts.entries.items() if entry.fixed_table}
    tables = assign_additional_tables(
        [change.after for change in new],
        fixed,
        _taken(facts, stage, changes, {rows[change.key].pk for change in new}),
        parse_table_ranges(facts.event.tables),
    )
    for change, table in zip(new, tables, strict=True):
        found[change.key] = {"beside": latest.ordinal, "table": table}
    return found


def is_still_to_play(change: MatchChange) -> bool:
    """Return whether a changed match will be played, again or for the first time."""
    return change.fate in (CorrectionEffect.AGAIN, CorrectionEffect.PASSES)


def _taken(
    facts: EventFacts, stage: StageFacts, changes: Sequence[MatchChange], but: Collection[int]
) -> dict[int, tuple[PlayerId, ...]]:
    """Return the tables of the latest rounds with who plays there, and those beside them.

    ``but`` are the keys of matches that have no table beside them yet.
    """
    rows = matches_by_key(stage)
    after = {rows[change.key].pk: change.after for change in changes}
    latest = latest_published_round(stage)
    found: dict[int, tuple[PlayerId, ...]] = {}
    for item in stage.rounds:
        if latest is None or item.ordinal < latest.ordinal:
            continue
        for match in stage.matches_of(item):
            seated = after.get(match.pk) or tuple(facts.numbers[key] for key in match.seats)
            if match.table is not None:
                found[match.table] = (*found.get(match.table, ()), *seated)
    for each in matches_in_play(stage):
        if each.beside and each.table is not None and each.match.pk not in but:
            found.setdefault(each.table, ())
    return found


def seat_correction_context(found: Correction, names: DisplayNames) -> dict[str, Any]:
    """Return the template context for confirming a correction with its new matches; no query."""
    return {
        "found": found,
        "exchange": swapped_players(found, names),
        "outs": eliminated_players(found, names),
        "place": changed_place_label(found),
        "matches": tuple(_matches(found, names)),
        "groups": tuple(_groups_after(found, names)),
        "again": any(
            change.fate in (CorrectionEffect.AGAIN, CorrectionEffect.VOID)
            for change in found.changes
        ),
        "concerned": tuple(_concerned(found, names)),
    }


def _changes(found: Correction) -> Iterator[tuple[MatchChange, RoundRow, MatchRow]]:
    if found.target is None:
        return
    rounds, rows = found.target.regular_rounds, matches_by_key(found.target)
    for change in found.changes:
        yield change, rounds[change.round], rows[change.key]


def _matches(found: Correction, names: DisplayNames) -> Iterator[dict[str, Any]]:
    """A match that changes hands; ``sides`` are its seats as (who left, "" if nobody, who sits).

    ``may_choose``: it was begun, so that somebody says whether it is played again; ``must`` in a
    knock-out, where it has to be.
    """
    winners = found.target is not None and found.target.kind.needs_winners
    for change, item, row in _changes(found):
        both = zip(change.pairing.seats, change.after, strict=True)
        gone = {out for out, _new in change.exchanged}
        chosen = change.begun and change.fate in (CorrectionEffect.AGAIN, CorrectionEffect.VOID)
        yield {
            "pk": row.pk,
            "round": item.ordinal,
            "table": row.table,
            "sides": tuple(
                (names.of(old) if old in gone else "", names.of(new)) for old, new in both
            ),
            "was": describe_match_before(item, row, change.was, names),
            "running": is_running(item, row),
            "may_choose": chosen and not winners,
            "must": chosen and winners,
            "again": change.fate is CorrectionEffect.AGAIN,
            "becomes": describe_match_change(change, names),
        }


def _groups_after(found: Correction, names: DisplayNames) -> Iterator[dict[str, Any]]:
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
                    format_rank(row.rank, shared=row.rank in shared),
                    row,
                    str(found.facts.entries[row.player]),
                    row.player in new,
                )
                for row in rows
            ),
            "losses": tuple(
                f"{names.of(player)}: −{format_points(points)}"
                for player, points in lost.items()
                if points > 0
            ),
        }


def _points(row: Standing) -> Fraction:
    return row.values.get("points", Fraction(0))


def _concerned(found: Correction, names: DisplayNames) -> Iterator[tuple[str, str]]:
    """Yield the players concerned, each with what it means for them: "Round 2 · table 3 · Bea"."""
    seen = set[PlayerId]()
    beside = {}
    if found.target is not None:
        beside = replay_tables(found.facts, found.target, found.changes)
    for old, place in eliminated_players(found, names):
        yield old, ", ".join([_("out"), place])
    for change, item, row in _changes(found):
        for player in change.after:
            others = [other for other in change.after if other != player]
            if (
                player in seen
                or change.fate in (CorrectionEffect.VOID, CorrectionEffect.FORFEIT)
                or not others
            ):
                continue
            seen.add(player)
            table = beside.get(change.key, {}).get("table", row.table)
            values = {"number": item.ordinal, "table": table}
            where = _("Round %(number)s · table %(table)s")
            if table is None:
                where = _("Round %(number)s")
            yield names.of(player), f"{where % values} · {names.pair(others)}"


NOT_NOW = Sentence(PASSED)


def bye_change_refusal(facts: EventFacts, match: AnyMatch) -> Sentence | None:
    """Return the reason why a match's bye can't go to another player, None if it can."""
    stage, item, index = _place_of(facts, match)
    if stage.stage.state != Stage.State.OPEN or item.state != Round.State.PUBLISHED:
        return NOT_NOW
    if item.is_extra or match.missed or len(match.seats) != 1:
        return NOT_NOW
    return bye_fixed_reason(stage.state, index)


def bye_candidate_entries(facts: EventFacts, match: AnyMatch) -> tuple[AnyEntry, ...]:
    """Return the players who can get a match's bye instead, sorted by name."""
    stage, _item, index = _place_of(facts, match)
    found = [facts.entries[player] for player in bye_candidates(stage.state, index)]
    return tuple(sorted(found, key=lambda entry: entry.display_name.casefold()))


def bye_correction(
    facts: EventFacts, match: AnyMatch, player: PlayerId, *, void: bool = False
) -> Correction:
    """Return the effects if ``player`` gets the bye of ``match``; no query.

    ``void``: the match that ``player`` has in this round becomes void instead of being replayed.
    """
    stage, item, index = _place_of(facts, match)
    follows, why_not = CorrectedStage(state=stage.state), bye_change_refusal(facts, match)
    if why_not is None:
        keys = {
            pairing.number: (index, pairing.number)
            for pairing, _result in stage.state.rounds[index]
            if player in pairing.seats
        }
        begun = any(key in set(started_match_keys(stage)) for key in keys.values())
        follows = move_bye(stage.state, index, match.number, player, begun=begun, void=void)
    return Correction(
        facts=facts,
        stage=stage,
        effects=Effects(moves=(), places=(), rounds=(item,), stages=()),
        changed=stage,
        target=stage,
        follows=follows,
        why_not=why_not or follows.why_not,
    )


def exchange_warnings(found: Correction, names: DisplayNames) -> Iterator[str]:
    """Yield warnings about the new pairings: players who met already, repeated byes."""
    for change in found.changes:
        players = frozenset(change.after)
        for item, played in zip(
            found.stage.regular_rounds[: change.round], found.stage.state.rounds, strict=False
        ):
            if not any(not p.missed and {*p.seats} == players for p, _result in played):
                continue
            label = _("Already had a bye.") if len(players) == 1 else _("Already met.")
            where = _("Round %(number)s") % {"number": item.ordinal}
            yield f"{names.pair(change.after)} · {where}: {label}"


def _place_of(facts: EventFacts, match: AnyMatch) -> tuple[StageFacts, RoundRow, int]:
    """Return the stage and the round of a match, and its index among those of the schedule."""
    stage = next(s for s in facts.stages if any(g.pk == match.group_id for g in s.groups))
    item = next(each for each in stage.rounds if each.pk == match.round_id)
    return stage, item, next((i for i, r in enumerate(stage.regular_rounds) if r is item), -1)
