"""Brackets as pictures: rounds side by side, each match in the slot where the next one meets it.

A slot without a match keeps its place, so that lines need no coordinates: the two slots before a
match are always as high as its own.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from django.utils.translation import gettext as _

from config.wording import translate
from rules.brackets.single import BracketMatch, FromMatch, Part
from rules.results import PlayerId
from rules.stages.kind import shape_of
from tournaments.core.event_state import EventFacts, StageFacts
from tournaments.core.places import known_places
from tournaments.core.rows import EntryRow
from tournaments.diagrams.selectors.brackets import bracket_columns, by_round, feeds_of
from tournaments.diagrams.selectors.drawn_nodes import DONE, Drawing, Half, Round, Slot
from tournaments.diagrams.selectors.drawn_slots import Source, followed_player, slot_of
from tournaments.diagrams.selectors.nodes import Known
from tournaments.models import Stage

MOST_ROUNDS = 5
"""Rounds drawn side by side; of longer brackets those from the one before the present one."""


def drawings(facts: EventFacts, follow: PlayerId = 0) -> tuple[Drawing, ...]:
    """Return the brackets of an event, the latest that has begun first; no query.

    ``follow`` is the number of the player whose path is lit, 0 for nobody.
    """
    found = [stage for stage in facts.stages if stage.kind.has_bracket]
    begun = [stage for stage in found if stage.stage.state != Stage.State.PENDING]
    coming = [stage for stage in found if stage.stage.state == Stage.State.PENDING]
    return tuple(_drawing(facts, stage, follow) for stage in (*reversed(begun), *coming))


def _drawing(facts: EventFacts, stage: StageFacts, follow: PlayerId) -> Drawing:
    begun = stage if stage.stage.state != Stage.State.PENDING else None
    known = Known(entries=facts.entries, places=known_places(facts))
    columns = tuple(bracket_columns(stage.plan, begun, known, stage.stage.get_state_display()))
    shape = shape_of(stage.plan)
    source = Source(
        facts=facts,
        stage=stage,
        follow=follow,
        shape=shape,
        boxes={box.number: box for column in columns for box in column.boxes},
        rows={match.number: match for match in stage.matches} if begun else {},
        feeds=feeds_of(shape),
    )
    headings = {box.number: column.heading for column in columns for box in column.boxes}
    folded: tuple[str, ...] = ()
    if stage.kind.two_brackets:
        halves = tuple(_halves_of_double(source, headings))
    else:
        only, folded = _rounds_drawn(
            _rounds(source, headings, [m for m in shape if not m.third_place])
        )
        halves = (Half(title="", note="", rounds=only),)
    final = (Part.FINAL, Part.AGAIN)
    third = next((match for match in shape if match.third_place), None)
    seated = [facts.entries[player] for player in stage.state.players] if begun else []
    return Drawing(
        id=f"stage-{stage.stage.number}",
        label=translate(stage.plan.label),
        halves=halves,
        last=tuple(
            slot_of(source, match)
            for match in shape
            if match.part in final and match.number in source.boxes
        ),
        third=slot_of(source, third) if third else None,
        folded=folded,
        columns=columns,
        players=tuple(sorted(seated, key=lambda entry: entry.name_key)),
        followed=followed_player(source) if begun else None,
        winner=_winner(source),
    )


def _winner(source: Source) -> EntryRow | None:
    """Return the winner of a bracket for one player, once its last match is over."""
    if not source.shape or source.stage.plan.survivors > 1:
        return None
    drawn = [match for match in source.shape if match.number in source.boxes]
    last = [line.entry for line in source.boxes[drawn[-1].number].lines if line.strong]
    return last[0] if last and isinstance(last[0], EntryRow) else None


def _rounds_drawn(rounds: Sequence[Round]) -> tuple[tuple[Round, ...], tuple[str, ...]]:
    """Return the rounds that are drawn, and the headings of earlier ones that are not."""
    now = next((at for at, each in enumerate(rounds) if each.now), len(rounds) - 1)
    first = max(0, min(now - 1, len(rounds) - 2)) if len(rounds) > MOST_ROUNDS else 0
    return tuple(rounds[first:]), tuple(each.heading for each in rounds[:first])


def _rounds(
    source: Source, headings: Mapping[int, str], matches: Sequence[BracketMatch]
) -> list[Round]:
    """Return the rounds of a bracket in which two matches always lead to one."""
    rounds = [
        _round(headings[level[0].number], [slot_of(source, match) for match in level])
        for level in by_round(matches)
    ]
    return _with_present_round(rounds)


def _with_present_round(rounds: Sequence[Round]) -> list[Round]:
    """Return rounds with the first that is not over as the present one."""
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


def _halves_of_double(source: Source, headings: Mapping[int, str]) -> Iterator[Half]:
    upper = [match for match in source.shape if match.part is Part.UPPER]
    yield Half(
        title=_("Upper bracket"),
        note=_("no loss yet: who loses goes down"),
        rounds=tuple(_rounds(source, headings, upper)),
    )
    lower = [match for match in source.shape if match.part is Part.LOWER]
    if lower:
        yield Half(
            title=_("Lower bracket"),
            note=_("one loss: who loses is out"),
            rounds=tuple(_with_present_round(list(_lower_rounds(source, headings, lower)))),
        )


def _lower_rounds(
    source: Source, headings: Mapping[int, str], matches: Sequence[BracketMatch]
) -> Iterator[Round]:
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
            yield _round(headings[shown[0]], slots, straight=level % 2 == 1)


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
