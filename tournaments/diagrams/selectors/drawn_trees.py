"""Knock-outs of more than sixteen: parts of 64 seats, whose two sides meet in the middle.

Each side consists of folds, a quarter or an eighth of the bracket each, which phones show one by
one. Round ``r`` has a match for every ``2 ** r`` seats, so what belongs to a fold follows from the
order of the matches.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from rules.brackets.single import BracketMatch
from tournaments.diagrams.selectors.brackets import by_round
from tournaments.diagrams.selectors.drawn_nodes import (
    DONE,
    PLAYING,
    WAITING,
    DrawnPart,
    Fold,
    FoldRound,
    Middle,
    Pair,
    Round,
    Slot,
    Tree,
)
from tournaments.diagrams.selectors.drawn_slots import Source, match_name, slot_of

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

    round: Round
    matches: tuple[BracketMatch, ...]


def seats_of(shape: Sequence[BracketMatch]) -> int:
    """Return the number of seats in the first round of a knock-out, free ones too."""
    return 2 * sum(match.round == 1 for match in shape)


def tree_of(source: Source, rounds: Sequence[Round]) -> Tree:
    """Return the picture of a knock-out with these rounds; no query."""
    matches = by_round([match for match in source.shape if not match.third_place])
    levels = [
        _Level(round=each, matches=tuple(level))
        for each, level in zip(rounds, matches, strict=True)
    ]
    third = next((slot_of(source, each) for each in source.shape if each.third_place), None)
    seats = seats_of(source.shape)
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
    return Tree(parts=_with_first_open_fold(parts), last=last, third=third if has_last else None)


def _slots_in_piece(level: _Level, number: int, width: int, at: int) -> tuple[Slot, ...]:
    """Return the slots of a round, from 1, that lie in the ``at``-th piece of ``width`` seats."""
    each = width >> number
    return level.round.slots[at * each : (at + 1) * each]


def _folds(source: Source, levels: Sequence[_Level], width: int) -> Iterator[Fold]:
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
        yield Fold(
            id=f"{source.stage.stage.number}-f{at + 1}",
            title=_part_title(at, count),
            left=_who_is_left(rounds),
            playing=sum(slot.state == PLAYING for slot in found),
            waiting=sum(slot.state == WAITING for slot in found),
            rounds=tuple(
                FoldRound(round=each, pairs=_pairs(source, each, following))
                for each, following in zip_longest(shown, shown[1:])
            ),
            numbers=frozenset(slot.number for slot in found),
            slots=len(rounds[0].slots),
        )


def _part_title(at: int, count: int) -> str:
    if count == QUARTERS:
        named = (_("First quarter"), _("Second quarter"), _("Third quarter"), _("Last quarter"))
        return named[at]
    return _("Part %(number)s of %(parts)s") % {"number": at + 1, "parts": count}


def _who_is_left(rounds: Sequence[Round]) -> str:
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


def _pairs(source: Source, each: Round, following: Round | None) -> tuple[Pair, ...]:
    if len(each.slots) == 1 or len(each.slots) % 2:
        return tuple(Pair(slots=(slot,)) for slot in each.slots)
    to = following.slots if following is not None else ()
    pairs = zip(each.slots[::2], each.slots[1::2], strict=True)
    return tuple(
        Pair(slots=pair, then=_next_result(source, to[at]) if at < len(to) else "")
        for at, pair in enumerate(pairs)
    )


def _next_result(source: Source, slot: Slot) -> str:
    """Return what came of the match that two others lead to; "" while nothing is known."""
    names = [source.surnames[row.entry.number] for row in slot.rows if row.entry]
    if len(names) < len(slot.rows) or not names:
        return ""
    one, other = names
    if slot.state != DONE:
        return _("then: %(one)s – %(other)s") % {"one": one, "other": other}
    if not all(row.score for row in slot.rows):
        winner = next((name for name, row in zip(names, slot.rows, strict=True) if row.won), "")
        return _("then: %(winner)s goes on") % {"winner": winner} if winner else ""
    values = {"one": one, "other": other, "score": "–".join(row.score for row in slot.rows)}
    return _("then: %(one)s %(score)s %(other)s") % values


def _part(
    source: Source,
    levels: Sequence[_Level],
    folds: Sequence[Fold],
    at: int,
    depth: int,
    third: Slot | None,
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


def _with_padding_marked(folds: Sequence[Fold]) -> tuple[Fold, ...]:
    """Return the folds of a side, marked where they lack the first round of others."""
    most = max((len(fold.rounds) for fold in folds), default=0)
    return tuple(replace(fold, padded=len(fold.rounds) < most) for fold in folds)


def _heads(folds: Iterable[Fold], levels: Sequence[_Level]) -> tuple[Round, ...]:
    shown = {each.round.heading for fold in folds for each in fold.rounds}
    return tuple(level.round for level in levels if level.round.heading in shown)


def _middle(
    source: Source, levels: Sequence[_Level], at: int, depth: int, third: Slot | None
) -> Middle | None:
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
    return Middle(
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

    def marked(several: Iterable[Fold]) -> tuple[Fold, ...]:
        return tuple(replace(fold, opens=fold is first) for fold in several)

    return tuple(replace(part, left=marked(part.left), right=marked(part.right)) for part in parts)
