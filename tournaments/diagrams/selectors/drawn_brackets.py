"""Brackets as pictures: rounds side by side, each match in the slot where the next one meets it.

A slot without a match keeps its place, so that lines need no coordinates: the two slots before a
match are always as high as its own.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from django.utils.translation import get_language
from django.utils.translation import gettext as _

from config.wording import translate
from rules.brackets.single import BracketMatch, FromMatch, Part
from rules.results import PlayerId
from rules.stages.kind import shape_of
from tournaments.core.event_state import EventFacts, StageFacts
from tournaments.core.rows import EntryRow
from tournaments.core.values_cache import cached
from tournaments.diagrams.selectors.brackets import bracket_columns, by_round, feeds_of
from tournaments.diagrams.selectors.drawn_nodes import DONE, LONG, Drawing, Half, Round, Slot
from tournaments.diagrams.selectors.drawn_paths import Begins, FollowedPlayer, followed_in
from tournaments.diagrams.selectors.drawn_slots import Source, slot_of
from tournaments.diagrams.selectors.drawn_trees import LEAST, seats_of, tree_of
from tournaments.diagrams.selectors.nodes import known_of
from tournaments.models import Stage


def drawings(facts: EventFacts) -> tuple[Drawing, ...]:
    """Return the brackets of an event, the latest that has begun first; no query.

    They are the same for all readers, and computed once a version and language.
    """
    return cached(
        facts, ("drawings", get_language()), lambda: tuple(map(_drawing, _sources(facts)))
    )


def followed_players(
    facts: EventFacts, number: PlayerId, begins: Begins
) -> dict[str, FollowedPlayer]:
    """Return the player of a number in each bracket that they are in, by id of the drawing."""
    found = ((source, followed_in(source, number, begins)) for source in _sources(facts))
    return {_id(source.stage): player for source, player in found if player is not None}


def source_of(facts: EventFacts, stage: StageFacts) -> Source:
    """Return the data of the drawing of a stage that has a bracket; no query."""
    return next(each for each in _sources(facts) if each.stage is stage)


def _id(stage: StageFacts) -> str:
    return f"stage-{stage.stage.number}"


def _sources(facts: EventFacts) -> tuple[Source, ...]:
    return cached(facts, ("drawn sources", get_language()), lambda: tuple(_all_sources(facts)))


def _all_sources(facts: EventFacts) -> Iterator[Source]:
    found = [stage for stage in facts.stages if stage.kind.has_bracket]
    begun = [stage for stage in found if stage.stage.state != Stage.State.PENDING]
    coming = [stage for stage in found if stage.stage.state == Stage.State.PENDING]
    known = known_of(facts)
    for stage in (*reversed(begun), *coming):
        has_begun = stage if stage in begun else None
        columns = bracket_columns(stage.plan, has_begun, known, stage.stage.get_state_display())
        shape = shape_of(stage.plan)
        yield Source(
            facts=facts,
            stage=stage,
            begun=has_begun is not None,
            shape=shape,
            columns=tuple(columns),
            boxes={box.number: box for column in columns for box in column.boxes},
            rows={match.number: match for match in stage.matches} if has_begun else {},
            feeds=feeds_of(shape),
            headings={box.number: column.heading for column in columns for box in column.boxes},
        )


def _drawing(source: Source) -> Drawing:
    shape, stage = source.shape, source.stage
    tree = None
    halves: tuple[Half, ...] = ()
    if stage.kind.two_brackets:
        halves = tuple(_halves_of_double(source))
    else:
        rounds = rounds_of(source, [match for match in shape if not match.third_place])
        if seats_of(shape) < LEAST:
            halves = (Half(title="", note="", rounds=tuple(rounds)),)
        else:
            tree = tree_of(source, rounds)
    final = (Part.FINAL, Part.AGAIN)
    third = next((match for match in shape if match.third_place), None)
    players = stage.state.players if source.begun else ()
    seated = (source.facts.entries[player] for player in players)
    return Drawing(
        id=_id(stage),
        label=translate(stage.plan.label),
        halves=halves,
        tree=tree,
        last=tuple(
            slot_of(source, match)
            for match in shape
            if match.part in final and match.number in source.boxes
        ),
        third=slot_of(source, third) if third else None,
        columns=source.columns,
        players=tuple(sorted(seated, key=lambda entry: entry.name_key)),
        winner=_winner(source),
    )


def rest_of(facts: EventFacts, stage: StageFacts) -> Drawing | None:
    """Return the matches left in an open stage's bracket: rounds of at most eight matches.

    None for a stage without a bracket, and once all is played; no query.
    """
    if not stage.kind.has_bracket:
        return None
    source = source_of(facts, stage)
    if not source.begun:
        return None
    whole = _drawing(source)
    if whole.tree:
        rounds = rounds_of(source, [match for match in source.shape if not match.third_place])
        halves = [Half(title="", note="", rounds=tuple(rounds))]
    else:
        halves = list(whole.halves)
    left = tuple(
        replace(half, rounds=some) for half in halves if (some := _rounds_left(half.rounds))
    )
    if not left:
        return None
    third = whole.tree.third_place if whole.tree else whole.third
    return replace(whole, id=f"rest-{whole.id}", halves=left, tree=None, third=third, small=True)


def _rounds_left(rounds: Sequence[Round]) -> tuple[Round, ...]:
    """Return the rounds from the present one on, but for those of too many matches."""
    now = next((at for at, each in enumerate(rounds) if each.now), len(rounds))
    return tuple(each for each in rounds[now:] if len(each.slots) <= LONG)


def _winner(source: Source) -> EntryRow | None:
    """Return the winner of a bracket for one player, once its last match is over."""
    if not source.shape or source.stage.plan.survivors > 1:
        return None
    drawn = [match for match in source.shape if match.number in source.boxes]
    last = [line.entry for line in source.boxes[drawn[-1].number].lines if line.strong]
    return last[0] if last and isinstance(last[0], EntryRow) else None


def rounds_of(source: Source, matches: Sequence[BracketMatch]) -> list[Round]:
    """Return the rounds of a bracket in which two matches always lead to one."""
    rounds = [
        _round(source.headings[level[0].number], [slot_of(source, match) for match in level])
        for level in by_round(matches)
    ]
    return _with_present_round(source, rounds)


def _with_present_round(source: Source, rounds: Sequence[Round]) -> list[Round]:
    """Return rounds, the first that is not over as the present one if the stage has begun."""
    if not source.begun:
        return list(rounds)
    now = next((at for at, each in enumerate(rounds) if each.total and not each.over), -1)
    return [replace(each, now=at == now) for at, each in enumerate(rounds)]


def _round(heading: str, slots: Sequence[Slot], *, straight: bool = False) -> Round:
    real = [slot for slot in slots if slot.state]
    return Round(
        heading=heading,
        slots=tuple(slots),
        done=sum(slot.state == DONE for slot in real),
        total=len(real),
        now=False,
        straight=straight,
    )


def _halves_of_double(source: Source) -> Iterator[Half]:
    upper = [match for match in source.shape if match.part is Part.UPPER]
    yield Half(
        title=_("Upper bracket"),
        note=_("no loss yet: who loses goes down"),
        rounds=tuple(rounds_of(source, upper)),
    )
    lower = [match for match in source.shape if match.part is Part.LOWER]
    if lower:
        yield Half(
            title=_("Lower bracket"),
            note=_("one loss: who loses is out"),
            rounds=tuple(_with_present_round(source, list(_lower_rounds(source, lower)))),
        )


def _lower_rounds(source: Source, matches: Sequence[BracketMatch]) -> Iterator[Round]:
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
                slots.append(slot_of(source, by_number[number]))
            else:
                slots.append(Slot(passes=number < 0))
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
            if not isinstance(origin, FromMatch) or origin.match not in by_number:
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
