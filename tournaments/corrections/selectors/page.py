"""The pages of a correction, of a result or of a player: what changes, and the options of
what each costs.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from config.wording import translate
from rules.corrections import CorrectionEffect
from rules.plans import ComparedRankPlace, RankPlace
from rules.results import PlayerId
from rules.stages.base import has_multiplayer_tables
from rules.stages.knockout import match_winner
from rules.standings.table import Standing
from rules.ties.decisions import tiebreaker_by_key
from tournaments.core.event_state import EventFacts, StageFacts
from tournaments.core.kept_places import stage_with_place_holders
from tournaments.core.labels import group_label, rank_ordinal
from tournaments.core.mapping import match_result
from tournaments.core.rows import AnyEntry
from tournaments.corrections.selectors.choices import (
    Correction,
    DisplayNames,
    describe_result,
    matches_by_key,
)
from tournaments.corrections.selectors.start import unreported_matches
from tournaments.corrections.selectors.wording import (
    AffectedMatch,
    affected_matches,
    changed_place_label,
    describe_match_before,
    describe_match_change,
    exchanged_players,
    place_change_texts,
    round_and_table_label,
)
from tournaments.standings.selectors.proofs import format_value

MOST_RANKS = 16
"""Rows of a table up to which none is folded away."""


def changed_standings(found: Correction) -> Iterator[dict[str, Any]]:
    """Yield the standings that a correction changes, as dicts; no query.

    Each has rows before and after. ``through``: how many advance. ``rows``: changed ranks and those
    at the cut; in long tables only players whose points change or who cross the cut, and then
    ``every`` has all. ``others``: (name, changed tiebreakers) of players who keep rank and points.
    """
    away = stage_with_place_holders(found.stage).state.withdrawn
    for label, then, now, through in (*_of_groups(found), *_across_groups(found)):
        table = _Compared(found.facts.entries, then, now)
        if not table.moved and not table.figures:
            continue
        ends = [cut_position(rows, through, away) for rows in (table.then, table.now)]
        at_line = {at for end in ends if end for at in (end - 1, end) if at < len(table.now)}
        every = shown = table.moved | at_line
        if len(every) > MOST_RANKS:
            shown = table.decisive(ends) | at_line
        named = {table.now[at].player for at in every}
        yield {
            "label": label,
            "rows": table.rows(shown, ends),
            "every": table.rows(every, ends) if shown != every else (),
            "others": tuple(
                (str(found.facts.entries[player]), " · ".join(figures))
                for player, figures in table.figures.items()
                if player not in named
            ),
            "through": through,
        }


Table = tuple[str, Sequence[Standing], Sequence[Standing], int]
"""What it is called, its rows before and after a correction, and how many of it go on."""


def _of_groups(found: Correction) -> Iterator[Table]:
    stage, after = found.stage, found.changed.outcome.standings
    for group, standings in stage.outcome.standings.items():
        label = group_label(stage.plan, group)
        yield label, standings.rows, after[group].rows, last_advancing_rank(stage, group)


def _across_groups(found: Correction) -> Iterator[Table]:
    """Yield the comparisons of a rank across groups whose order changes, if players advance by
    it."""
    stage, after = found.stage, found.changed.outcome.compared
    among = [each for each in stage.plan.places if isinstance(each, ComparedRankPlace)]
    for rank, standings in sorted(stage.outcome.compared.items()):
        used = [p for p in among if p.rank == rank and len(p.groups) > 1 and p.name in stage.used]
        then, now = standings.rows, after[rank].rows if rank in after else ()
        orders = [[row.player for row in rows] for rows in (then, now)]
        if used and len(then) == len(now) and orders[0] != orders[1]:
            values = {"stage": translate(stage.plan.label), "rank": rank}
            label = _("%(stage)s: comparison of players ranked %(rank)s in their group") % values
            yield label, then, now, len(used)


def last_advancing_rank(stage: StageFacts, group: str) -> int:
    """Return the last rank of a group that advances, 0 if none does.

    ``group``: its name in the plan.
    """
    places = [each for each in stage.plan.places if isinstance(each, RankPlace)]
    return max((p.rank for p in places if p.group == group and p.name in stage.used), default=0)


def cut_position(rows: Sequence[Standing], through: int, away: Collection[PlayerId]) -> int:
    """Return the number of rows above the cut, 0 without a cut.

    ``through``: how many advance; ``away``: dropped players, who don't count for it.
    """
    here = [at for at, row in enumerate(rows, start=1) if row.player not in away]
    return here[min(through, len(here)) - 1] if through and here else 0


class _Compared:
    """The standings of a group before and after a correction, row by row."""

    def __init__(
        self,
        entries: Mapping[PlayerId, AnyEntry],
        then: Sequence[Standing],
        now: Sequence[Standing],
    ) -> None:
        self.entries, self.then, self.now = entries, then, now
        had = {row.player: row for row in then}
        had |= {row.player: row for row in now if row.player not in had}  # who comes in
        changed = {row.player: changed_value_texts(had[row.player], row) for row in now}
        self.figures = {player: figures for player, figures in changed.items() if figures}
        self.points = {
            row.player
            for row in now
            if row.values.get("points") != had[row.player].values.get("points")
        }
        self.moved = {
            at
            for at, (old, new) in enumerate(zip(then, now, strict=True))
            if old.player != new.player
            or had[new.player].rank != new.rank
            or new.player in self.points
        }
        self.ranks = Counter(row.rank for row in now)

    def decisive(self, ends: Sequence[int]) -> set[int]:
        """Return the rows, before and after, of who has other points or crosses the line."""
        above = [
            {row.player for row in rows[:end]}
            for rows, end in zip((self.then, self.now), ends, strict=True)
        ]
        who = self.points | (above[0] ^ above[1])
        return {
            at for rows in (self.then, self.now) for at, row in enumerate(rows) if row.player in who
        }

    def rows(self, shown: Collection[int], ends: Sequence[int]) -> tuple[dict[str, Any], ...]:
        """Return these rows in their order: who stands there before and after.

        ``figures`` are the points and criteria that change of who stands there after. ``shared``
        says whether others are level with them: lots would have to decide. ``last_before``: they
        are the last who goes on; ``line``: below this row it is said how many do. ``gap``: rows
        above this one are left out.
        """
        before, after = ends
        return tuple(
            {
                "rank": at + 1,
                "changes": self.then[at].player != self.now[at].player,
                "before": str(self.entries[self.then[at].player]),
                "after": str(self.entries[self.now[at].player]),
                "figures": self.figures.get(self.now[at].player, ()),
                "shared": self.ranks[self.now[at].rank] > 1,
                "last_before": at + 1 == before,
                "last_after": at + 1 == after,
                "line": at + 1 == max(ends),
                "gap": at > 0 and at - 1 not in shown,
            }
            for at in sorted(shown)
        )


def changed_value_texts(then: Standing, now: Standing) -> tuple[str, ...]:
    """Return texts of a player's points and tiebreakers that change: "Pts 0 → 3".

    ``then`` and ``now``: the player's rows before and after.
    """
    parts = []
    for key, value in now.values.items():
        was = then.values.get(key)
        if was is not None and value != was:
            label = translate(tiebreaker_by_key(key).short)
            parts.append(f"{label} {format_value(was, key)} → {format_value(value, key)}")
    return tuple(parts)


MOST_CHANGES = 3
MOST_RESULTS = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class OptionCosts:
    """The cost of an option of a correction: two numbers, and minutes of play lost.

    If matches follow the players, ``first`` counts matches begun, ``second`` matches given to other
    players; if rounds are deleted, ``first`` counts deleted results, ``second`` their players.
    """

    first: int
    second: int
    minutes: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerSwap:
    """The names of the player who gets a seat (``new``) and who loses it (``old``).

    Empty if several seats change hands. ``out``: final place of ``old``, such as "13th", if that
    player is eliminated, else "".
    """

    new: str = ""
    old: str = ""
    out: str = ""


def correction_options_context(found: Correction, names: DisplayNames) -> dict[str, Any]:
    """Return the template context of a correction's options; no query.

    ``follow`` (costs) and ``becomes`` (texts) are empty if seats and matches can't follow; then
    ``why_not`` says why. ``outs``: (name, final place) of players who are eliminated.
    """
    numbers = found.facts.numbers
    every = tuple(dict.fromkeys(place_change_texts(found, names)))
    results = tuple(
        describe_result(match_result(row, item.number, numbers), names)
        for item, row in found.results_gone
    )
    can_follow = found.follows is not None and found.why_not is None
    return {
        "found": found,
        "changes": every[:MOST_CHANGES],
        "more_changes": every[MOST_CHANGES:],
        "facts": (*_wins_lost(found, names), *affected_matches(found, names)),
        "tables": tuple(changed_standings(found)),
        "exchange": swapped_players(found, names),
        "outs": eliminated_players(found, names),
        "place": changed_place_label(found),
        "follow": _cost_of_following(found) if can_follow else None,
        "becomes": tuple(_fates_in_words(found, names)) if can_follow else (),
        "back": _cost_of_taking_back(found),
        "back_to": translate(found.reopened.plan.label),
        "rounds": tuple(item.ordinal for item in found.goes[::-1]),
        "results": results[:MOST_RESULTS],
        "more_results": results[MOST_RESULTS:],
        "why_not": translate(found.why_not) if found.why_not else "",
    }


def _wins_lost(found: Correction, names: DisplayNames) -> Iterator[AffectedMatch]:
    """Yield the matches of which the correction gives somebody else, or nobody, the win."""
    old, new = found.stage, found.changed.state
    regular = zip(old.regular_rounds, old.state.rounds, new.rounds, strict=True)
    extra = (
        (item, was.played, now.played)
        for (item, was), now in zip(old.extra_sets, new.tiebreaker_rounds, strict=True)
    )
    for item, played, corrected in (*regular, *extra):
        rows = {row.number: row for row in old.matches_of(item)}
        for (pairing, was), (_same, becomes) in zip(played, corrected, strict=True):
            before, after = match_winner(was), match_winner(becomes)
            if before is not None and before != after and len(was.seats) == 2:
                winner = _("Winner")
                words = f"{winner}: {names.of(before)} → {names.of(after) or '–'}"
                yield AffectedMatch(
                    where=round_and_table_label(item, rows[pairing.number]), words=words
                )


def swapped_players(found: Correction, names: DisplayNames) -> PlayerSwap:
    """Return the one pair of players who swap a seat, an empty PlayerSwap if several do."""
    pairs = set(exchanged_players(found))
    if len(pairs) != 1:
        return PlayerSwap()
    ((old, new),) = pairs
    return PlayerSwap(new=names.of(new), old=names.of(old), out=_place_outside(found, old))


def eliminated_players(found: Correction, names: DisplayNames) -> tuple[tuple[str, str], ...]:
    """Return (name, final place) of each player whom a correction eliminates."""
    places = {old: _place_outside(found, old) for old, _new in exchanged_players(found)}
    return tuple((names.of(old), place) for old, place in places.items() if place)


def _place_outside(found: Correction, player: PlayerId) -> str:
    """Return "13th", the place afterwards of a player who plays no more; "" for others."""
    if found.follows is None or player in found.follows.state.players:
        return ""
    ranking, plan = found.after.ranking, found.after.plan
    still_in = plan.players - sum(map(len, ranking)) if plan is not None else 0
    rank = still_in + 1
    for level in ranking:
        if player in level:
            return rank_ordinal(rank, shared=len(level) > 1)
        rank += len(level)
    return ""


def _cost_of_following(found: Correction) -> OptionCosts:
    """Return how many matches are void or played again, how many pass on, and for how long."""
    begun = [each for each in found.changes if each.begun]
    passes = [each for each in found.changes if each.fate is CorrectionEffect.PASSES]
    rounds = found.target.regular_rounds if found.target else ()
    again = [
        (each.pairing.seats, clock.minutes)
        for each in begun
        if each.fate is CorrectionEffect.AGAIN and (clock := rounds[each.round].clock)
    ]
    return OptionCosts(first=len(begun), second=len(passes), minutes=longest_replay_minutes(again))


def longest_replay_minutes(again: Iterable[tuple[tuple[PlayerId, ...], int]]) -> int:
    """Return the most minutes that a single player has to replay.

    ``again``: (players, minutes) of each match; a player plays one match at a time.
    """
    minutes: Counter[PlayerId] = Counter()
    for players, each in again:
        minutes.update(dict.fromkeys(players, each))
    return max(minutes.values(), default=0)


def _cost_of_taking_back(found: Correction) -> OptionCosts:
    """Return how many results go, of how many who still play, and the minutes that were played."""
    gone, entries = found.results_gone, found.facts.entries.values()
    players = {each.pk for each in entries if each.plays}
    players &= {key for _item, match in gone for key in match.seats}
    played = {item.pk: item.clock.minutes for item, _match in gone if item.clock}
    return OptionCosts(first=len(gone), second=len(players), minutes=sum(played.values()))


def _fates_in_words(found: Correction, names: DisplayNames) -> Iterator[str]:
    """Yield what becomes of each match, in words: what was played, who plays again."""
    if found.target is None:
        return
    rounds, rows = found.target.regular_rounds, matches_by_key(found.target)
    for change in found.changes:
        was = names.pair(change.pairing.seats)
        if change.begun and change.was.is_played and len(change.was.seats) > 1:
            was = describe_result(change.was, names)
        where = round_and_table_label(rounds[change.round], rows[change.key])
        yield f"{where}: {was} → {describe_match_change(change, names)}"


@dataclass(frozen=True, slots=True, kw_only=True)
class RemovalPage:
    """The matches played with a player, and the options for removing the player.

    ``choices``: template context of the options. ``where``: label of the player's group in the open
    stage, or "". ``played``: number of results. ``lost``: texts on each unplayed match if the
    player drops; ``forfeits``: future opponents win without playing.
    """

    choices: dict[str, Any]
    where: str
    matches: tuple[AffectedMatch, ...]
    played: int
    lost: tuple[str, ...]
    forfeits: bool


def removal_page(
    facts: EventFacts, player: PlayerId, found: Correction, names: DisplayNames
) -> RemovalPage:
    """Return the page for removing a player who should not have taken part; no query.

    ``found``: the correction for it.
    """
    own, numbers = facts.entries[player].pk, facts.numbers
    matches, played = [], 0
    for stage in facts.stages:
        for item in stage.rounds:
            for row in stage.matches_of(item):
                if own in row.seats and not row.missed:
                    was = match_result(row, item.number, numbers)
                    played += was.is_played and len(row.seats) > 1
                    words = describe_match_before(item, row, was, names)
                    matches.append(
                        AffectedMatch(where=round_and_table_label(item, row), words=words)
                    )
    lost = []
    for item, row in unreported_matches(facts, player):
        company = [numbers[key] for key in row.seats if key != own]
        lost.append(f"{round_and_table_label(item, row)}: {_without_player(company, names)}")
    return RemovalPage(
        choices=correction_options_context(found, names),
        where=_where(facts, player),
        matches=tuple(matches),
        played=played,
        lost=tuple(lost),
        forfeits=_forfeits(facts, player),
    )


def _without_player(company: Sequence[PlayerId], names: DisplayNames) -> str:
    if len(company) == 1:
        return _("%(name)s wins") % {"name": names.of(company[0])}
    return _("The others continue")


def _where(facts: EventFacts, player: PlayerId) -> str:
    stage = facts.open_stage
    if stage is None:
        return ""
    held = (group for group, players in stage.state.seats.items() if player in players)
    return next((group_label(stage.plan, group) for group in held), "")


def _forfeits(facts: EventFacts, player: PlayerId) -> bool:
    """Return whether opponents still to come win without playing once a player is out."""
    stage = facts.open_stage
    if stage is None or player not in stage.state.players:
        return False
    return not stage.kind.pairs_by_points and not has_multiplayer_tables(stage.plan)
