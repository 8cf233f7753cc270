"""Brackets as pictures: rounds side by side, each match in the slot where the next one meets it.

A slot without a match keeps its place, so that lines need no coordinates: the two slots before a
match are always as high as its own.

Each side of a large knock-out consists of folds, a quarter or an eighth of the bracket each, which
phones show one by one. Round ``r`` has a match for every ``2 ** r`` seats, so what belongs to a
fold follows from the order of the matches.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import Any

from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _

from config.wording import translate
from rules.brackets import BracketMatch, BracketPart, MatchSource
from rules.results import PlayerId
from rules.stages.base import bracket_matches
from tournaments.core.event_state import EventFacts, StageFacts, cached_value
from tournaments.core.names import fold_for_search, name_matches
from tournaments.core.rows import EntryRow
from tournaments.diagrams.selectors.brackets import (
    bracket_columns,
    diagram_players,
    group_by_round,
    next_match_numbers,
)
from tournaments.diagrams.selectors.drawn_slots import (
    DONE,
    LONG,
    PLAYING,
    WAITING,
    Begins,
    BracketDrawing,
    BracketHalf,
    BracketSource,
    BracketTree,
    DrawnPart,
    DrawnRound,
    FoldedPart,
    MatchSlot,
    MiddleMatches,
    PlayerPath,
    SlotPair,
    match_name,
    match_slot,
    player_path,
)
from tournaments.models import Stage

LEAST = 17
"""Seats of the first round from which a knock-out is drawn as a tree."""
OF_A_PART, OF_A_FOLD = 64, 16
"""Most seats of a part and of a fold."""
QUARTERS = 4
MANY = 99
"""More rounds than any bracket has."""


@dataclass(frozen=True, kw_only=True)
class _Level:
    """A round: its heading and all its slots in order."""

    round: DrawnRound
    matches: tuple[BracketMatch, ...]


def first_round_seats(shape: Sequence[BracketMatch]) -> int:
    """Return the number of seats in a knock-out's first round, byes included."""
    return 2 * sum(match.round == 1 for match in shape)


def two_sided_tree(source: BracketSource, rounds: Sequence[DrawnRound]) -> BracketTree:
    """Return the two-sided drawing of a large knock-out; no query.

    ``rounds``: its drawn rounds, without the match for third place.
    """
    matches = group_by_round([match for match in source.shape if not match.third_place])
    levels = [
        _Level(round=each, matches=tuple(level))
        for each, level in zip(rounds, matches, strict=True)
    ]
    third = next((match_slot(source, each) for each in source.shape if each.third_place), None)
    seats = first_round_seats(source.shape)
    of_a_part = min(OF_A_PART, seats)
    of_a_fold = OF_A_FOLD if seats > OF_A_PART // 2 else OF_A_FOLD // 2
    # The round in which a part has one match; parts of play-ins that are no power of two have none.
    depth = of_a_part.bit_length() - 1 if of_a_part == QUARTERS * of_a_fold else MANY
    has_last = len(levels) > depth
    folds = list(_folds(source, levels, of_a_fold))
    per_part = -(-of_a_part // of_a_fold)
    parts = [
        _part(
            source,
            levels,
            folds[at : at + per_part],
            at // per_part,
            depth,
            None if has_last else third,
        )
        for at in range(0, len(folds), per_part)
    ]
    last = tuple(level.round for level in levels[depth:])
    return BracketTree(
        parts=_with_first_open_fold(parts), last=last, third=third if has_last else None
    )


def _slots_in_piece(level: _Level, number: int, width: int, at: int) -> tuple[MatchSlot, ...]:
    """Return the slots of a round, from 1, that lie in the ``at``-th piece of ``width`` seats."""
    each = width >> number
    return level.round.slots[at * each : (at + 1) * each]


def _folds(source: BracketSource, levels: Sequence[_Level], width: int) -> Iterator[FoldedPart]:
    deep = min(len(levels), width.bit_length() - 1)
    count = -(-len(levels[0].round.slots) * 2 // width)
    for at in range(count):
        rounds = [
            replace(
                levels[number - 1].round,
                slots=(slots := _slots_in_piece(levels[number - 1], number, width, at)),
                done=sum(slot.state == DONE for slot in slots),
                total=sum(bool(slot.state) for slot in slots),
            )
            for number in range(1, deep + 1)
        ]
        shown = [each for each in rounds if each.total]
        found = [slot for each in rounds for slot in each.slots if slot.state]
        yield FoldedPart(
            id=f"{source.stage.stage.number}-f{at + 1}",
            title=_part_title(at, count),
            left=_who_is_left(rounds),
            playing=sum(slot.state == PLAYING for slot in found),
            waiting=sum(slot.state == WAITING for slot in found),
            rounds=tuple(
                {"round": each, "pairs": _pairs(source, each, following)}
                for each, following in zip_longest(shown, shown[1:])
            ),
            numbers=frozenset(slot.number for slot in found),
            slots=len(rounds[0].slots),
        )


def _part_title(at: int, count: int) -> str:
    return _("Part %(number)s of %(parts)s") % {"number": at + 1, "parts": count}


def _who_is_left(rounds: Sequence[DrawnRound]) -> str:
    """Return who may still come out of a fold: its winner, the last match's sides, or how many."""
    last = rounds[-1].slots
    if len(last) > 1:
        return ""
    winner = next((row.entry for row in last[0].rows if row.won and row.entry), None)
    if winner is not None:
        return winner.display_name
    sides = [row.entry.display_name if row.entry else row.words for row in last[0].rows]
    known = any(row.entry for row in last[0].rows) or (len(rounds) > 1 and rounds[-2].now)
    if known:
        return " · ".join(sides)
    rows = (row for each in rounds[:2] for slot in each.slots for row in slot.rows)
    players = len({row.entry.number for row in rows if row.entry})
    words = ngettext("%(number)s player", "%(number)s players", players) % {"number": players}
    return words if players else ""


def _pairs(
    source: BracketSource, each: DrawnRound, following: DrawnRound | None
) -> tuple[SlotPair, ...]:
    if len(each.slots) == 1 or len(each.slots) % 2:
        return tuple(SlotPair(slots=(slot,)) for slot in each.slots)
    to = following.slots if following is not None else ()
    pairs = zip(each.slots[::2], each.slots[1::2], strict=True)
    return tuple(
        SlotPair(slots=pair, then=_next_result(source, to[at]) if at < len(to) else "")
        for at, pair in enumerate(pairs)
    )


def _next_result(source: BracketSource, slot: MatchSlot) -> str:
    """Return what came of the match that two others lead to; "" while nothing is known."""
    names = [source.surnames[row.entry.number] for row in slot.rows if row.entry]
    if len(names) < len(slot.rows) or not names:
        return ""
    one, other = names
    if slot.state != DONE:
        following = f"{one} – {other}"
    elif all(row.score for row in slot.rows):
        following = f"{one} {'–'.join(row.score for row in slot.rows)} {other}"
    else:
        following = next((name for name, row in zip(names, slot.rows, strict=True) if row.won), "")
    return _("then: %(match)s") % {"match": following} if following else ""


def _part(
    source: BracketSource,
    levels: Sequence[_Level],
    folds: Sequence[FoldedPart],
    at: int,
    depth: int,
    third: MatchSlot | None,
) -> DrawnPart:
    half = -(-len(folds) // 2)
    left, right = _with_padding_marked(folds[:half]), _with_padding_marked(folds[half:])
    return DrawnPart(
        left=left,
        right=right,
        left_heads=_heads(left, levels),
        right_heads=_heads(right, levels),
        middle=_middle(source, levels, at, depth, third),
    )


def _with_padding_marked(folds: Sequence[FoldedPart]) -> tuple[FoldedPart, ...]:
    """Return the folds of a side, marked where they lack the first round of others."""
    most = max((len(fold.rounds) for fold in folds), default=0)
    return tuple(replace(fold, padded=len(fold.rounds) < most) for fold in folds)


def _heads(folds: Iterable[FoldedPart], levels: Sequence[_Level]) -> tuple[DrawnRound, ...]:
    shown = {each["round"].heading for fold in folds for each in fold.rounds}
    return tuple(level.round for level in levels if level.round.heading in shown)


def _middle(
    source: BracketSource, levels: Sequence[_Level], at: int, depth: int, third: MatchSlot | None
) -> MiddleMatches | None:
    if len(levels) < depth - 1:
        return None
    side = levels[depth - 2]
    centre = levels[depth - 1] if len(levels) >= depth else None
    sides = side.round.slots[2 * at : 2 * at + 2]
    slot = centre.round.slots[at] if centre else None
    is_last = len(levels) == depth and source.stage.plan.survivors == 1
    if is_last:
        title = _("Semi-finals and final")
    else:
        title = match_name(source, centre.matches[at]) if centre else side.round.heading
    numbers = frozenset(each.number for each in (*sides, slot, third) if each is not None)
    return MiddleMatches(
        id=f"{source.stage.stage.number}-m{at + 1}",
        title=title,
        sides=sides,
        centre=slot,
        third=third,
        heads=(side.round, side.round),
        centre_heading=centre.round.heading if centre else "",
        is_last=is_last,
        numbers=numbers,
    )


def _with_first_open_fold(parts: Sequence[DrawnPart]) -> tuple[DrawnPart, ...]:
    """Return parts with one fold that phones open at first: where something is being played."""
    folds = [fold for part in parts for fold in (*part.left, *part.right)]
    first = next((fold for fold in folds if fold.playing or fold.waiting), None)
    if first is None:
        return tuple(parts)

    def marked(several: Iterable[FoldedPart]) -> tuple[FoldedPart, ...]:
        return tuple(replace(fold, opens=fold is first) for fold in several)

    return tuple(replace(part, left=marked(part.left), right=marked(part.right)) for part in parts)


def bracket_drawings(facts: EventFacts) -> tuple[BracketDrawing, ...]:
    """Return the drawings of an event's brackets, the latest begun first; no query.

    They are cached by language.
    """
    return cached_value(
        facts, ("drawings", get_language()), lambda: tuple(map(_drawing, _sources(facts)))
    )


def player_paths(facts: EventFacts, number: PlayerId, begins: Begins) -> dict[str, PlayerPath]:
    """Return a player's path through each bracket, by the drawing's id; no query.

    ``number``: the player's; ``begins``: {(stage number, round number): planned start}.
    """
    found = ((source, player_path(source, number, begins)) for source in _sources(facts))
    return {_id(source.stage): player for source, player in found if player is not None}


def bracket_source(facts: EventFacts, stage: StageFacts) -> BracketSource:
    """Return the data for drawing the bracket of a stage; no query."""
    return next(each for each in _sources(facts) if each.stage is stage)


def _id(stage: StageFacts) -> str:
    return f"stage-{stage.stage.number}"


def _sources(facts: EventFacts) -> tuple[BracketSource, ...]:
    return cached_value(
        facts, ("drawn sources", get_language()), lambda: tuple(_all_sources(facts))
    )


def _all_sources(facts: EventFacts) -> Iterator[BracketSource]:
    found = [stage for stage in facts.stages if stage.kind.has_bracket]
    begun = [stage for stage in found if stage.stage.state != Stage.State.PENDING]
    coming = [stage for stage in found if stage.stage.state == Stage.State.PENDING]
    known = diagram_players(facts)
    for stage in (*reversed(begun), *coming):
        has_begun = stage if stage in begun else None
        columns = bracket_columns(stage.plan, has_begun, known, stage.stage.get_state_display())
        shape = bracket_matches(stage.plan)
        yield BracketSource(
            facts=facts,
            stage=stage,
            begun=has_begun is not None,
            shape=shape,
            columns=tuple(columns),
            boxes={box.number: box for column in columns for box in column.boxes},
            rows={match.number: match for match in stage.matches} if has_begun else {},
            feeds=next_match_numbers(shape),
            headings={box.number: column.heading for column in columns for box in column.boxes},
        )


def _drawing(source: BracketSource) -> BracketDrawing:
    shape, stage = source.shape, source.stage
    tree = None
    halves: tuple[BracketHalf, ...] = ()
    if stage.kind.two_brackets:
        halves = tuple(_halves_of_double(source))
    else:
        rounds = drawn_rounds(source, [match for match in shape if not match.third_place])
        if first_round_seats(shape) < LEAST:
            halves = (BracketHalf(title="", note="", rounds=tuple(rounds)),)
        else:
            tree = two_sided_tree(source, rounds)
    final = (BracketPart.FINAL, BracketPart.AGAIN)
    third = next((match for match in shape if match.third_place), None)
    players = stage.state.players if source.begun else ()
    seated = (source.facts.entries[player] for player in players)
    return BracketDrawing(
        id=_id(stage),
        label=translate(stage.plan.label),
        halves=halves,
        tree=tree,
        last=tuple(
            match_slot(source, match)
            for match in shape
            if match.part in final and match.number in source.boxes
        ),
        third=match_slot(source, third) if third else None,
        columns=source.columns,
        players=tuple(sorted(seated, key=lambda entry: entry.name_key)),
        winner=_winner(source),
    )


def remaining_bracket(facts: EventFacts, stage: StageFacts) -> BracketDrawing | None:
    """Return a drawing of an open bracket from the present round on; no query.

    Rounds of more than eight matches are left out. None without a begun bracket, or once all is
    played.
    """
    if not stage.kind.has_bracket:
        return None
    source = bracket_source(facts, stage)
    if not source.begun:
        return None
    whole = _drawing(source)
    if whole.tree:
        rounds = drawn_rounds(source, [match for match in source.shape if not match.third_place])
        halves = [BracketHalf(title="", note="", rounds=tuple(rounds))]
    else:
        halves = list(whole.halves)
    left = tuple(
        replace(half, rounds=some) for half in halves if (some := _rounds_left(half.rounds))
    )
    if not left:
        return None
    third = whole.tree.third_place if whole.tree else whole.third
    return replace(whole, id=f"rest-{whole.id}", halves=left, tree=None, third=third)


def _rounds_left(rounds: Sequence[DrawnRound]) -> tuple[DrawnRound, ...]:
    """Return the rounds from the present one on, but for those of too many matches."""
    now = next((at for at, each in enumerate(rounds) if each.now), len(rounds))
    return tuple(each for each in rounds[now:] if len(each.slots) <= LONG)


def _winner(source: BracketSource) -> EntryRow | None:
    """Return the winner of a bracket for one player, once its last match is over."""
    if not source.shape or source.stage.plan.survivors > 1:
        return None
    drawn = [match for match in source.shape if match.number in source.boxes]
    last = [line.entry for line in source.boxes[drawn[-1].number].lines if line.strong]
    return last[0] if last and isinstance(last[0], EntryRow) else None


def drawn_rounds(source: BracketSource, matches: Sequence[BracketMatch]) -> list[DrawnRound]:
    """Return bracket matches as the rounds of a drawing, in the order of the matches.

    The first unfinished round is the present one if the stage has begun.
    """
    rounds = [
        _round(source.headings[level[0].number], [match_slot(source, match) for match in level])
        for level in group_by_round(matches)
    ]
    return _with_present_round(source, rounds)


def _with_present_round(source: BracketSource, rounds: Sequence[DrawnRound]) -> list[DrawnRound]:
    """Return rounds, the first that is not over as the present one if the stage has begun."""
    if not source.begun:
        return list(rounds)
    now = next((at for at, each in enumerate(rounds) if each.total and not each.over), -1)
    return [replace(each, now=at == now) for at, each in enumerate(rounds)]


def _round(heading: str, slots: Sequence[MatchSlot], *, straight: bool = False) -> DrawnRound:
    real = [slot for slot in slots if slot.state]
    return DrawnRound(
        heading=heading,
        slots=tuple(slots),
        done=sum(slot.state == DONE for slot in real),
        total=len(real),
        now=False,
        straight=straight,
    )


def _halves_of_double(source: BracketSource) -> Iterator[BracketHalf]:
    upper = [match for match in source.shape if match.part is BracketPart.UPPER]
    yield BracketHalf(
        title=_("Upper bracket"),
        note=_("no loss yet"),
        rounds=tuple(drawn_rounds(source, upper)),
    )
    lower = [match for match in source.shape if match.part is BracketPart.LOWER]
    if lower:
        yield BracketHalf(
            title=_("Lower bracket"),
            note=_("one loss"),
            rounds=tuple(_with_present_round(source, list(_lower_rounds(source, lower)))),
        )


def _lower_rounds(source: BracketSource, matches: Sequence[BracketMatch]) -> Iterator[DrawnRound]:
    """Yield the rounds of a lower bracket; every second one has as many slots as the one before."""
    last = max(match.level for match in matches)
    places = _places(matches, last)
    for level in range(1, last + 1):
        here = {at: number for (lev, at), number in places.items() if lev == level}
        by_number = {match.number: match for match in matches}
        count = 2 ** ((last - level) // 2)
        slots = []
        for at in range(count):
            number = here.get(at, 0)
            if number > 0:
                slots.append(match_slot(source, by_number[number]))
            else:
                slots.append(MatchSlot(passes=number < 0))
        shown = [slot.number for slot in slots if slot.number]
        if shown:
            yield _round(source.headings[shown[0]], slots, straight=level % 2 == 1)


def _places(matches: Sequence[BracketMatch], last: int) -> dict[tuple[int, int], int]:
    """Return match numbers by (level, slot), −1 where a player passes without a match."""
    by_number = {match.number: match for match in matches}
    found: dict[tuple[int, int], int] = {}

    def put(match: BracketMatch, at: int) -> None:
        found[match.level, at] = match.number
        for side, origin in enumerate(match.sources):
            if not isinstance(origin, MatchSource) or origin.match not in by_number:
                continue
            if not origin.winner:
                continue
            before, slot = by_number[origin.match], at
            for level in range(match.level, before.level, -1):
                slot = slot if level % 2 == 0 else 2 * slot + (side if level == match.level else 0)
                if level - 1 > before.level:
                    found[level - 1, slot] = -1
            put(before, slot)

    put(max(matches, key=lambda match: match.level), 0)
    return found


LONGEST = 80
"""Letters of what is looked for; the rest is left out."""
MOST_HITS = 8
"""Players that are offered where several are meant."""


def brackets_page(
    facts: EventFacts, sought: str = "", begins: Begins | None = None
) -> dict[str, Any]:
    """Return the template context of the brackets page, with one player's path; no query.

    ``sought``: a player's number, or letters of a name; ``begins``: {(stage number, round number):
    planned start}.

    Keys: ``drawn``: (drawing, path or None) of each bracket; ``who``: the path in the latest
    bracket if one player matches; ``hits``: the first players if several match; ``count``: how many
    match.
    """
    drawn = bracket_drawings(facts)
    players = tuple(
        {entry.number: entry for drawing in drawn for entry in drawing.players}.values()
    )
    sought = sought.replace("\0", "").strip()[:LONGEST]
    found = find_players_by_text(players, sought) if sought else ()
    paths = player_paths(facts, found[0].number, begins or {}) if len(found) == 1 else {}
    who = next(iter(paths.values()), None)
    hits = found[:MOST_HITS] if len(found) > 1 else ()
    return {
        "drawn": tuple((drawing, paths.get(drawing.id)) for drawing in drawn),
        "players": tuple(sorted(players, key=lambda entry: entry.name_key)),
        "who": who,
        "follow": who.entry.number if who else 0,
        "has_tree": any(drawing.tree for drawing in drawn),
        "sought": sought,
        "hits": hits,
        "more": len(found) - len(hits),
        "count": len(found),
    }


def find_players_by_text(players: Sequence[EntryRow], sought: str) -> tuple[EntryRow, ...]:
    """Return the players with this number or name, else those with matching words.

    Each word of ``sought`` must begin a word of the name.
    """
    if sought.isascii() and sought.isdigit():
        found = tuple(entry for entry in players if str(entry.number) == sought)
        if found:
            return found
    wanted = fold_for_search(sought)
    exact = tuple(entry for entry in players if fold_for_search(entry.display_name) == wanted)
    if exact or not wanted:
        return exact
    return tuple(entry for entry in players if name_matches(entry.display_name, sought))
