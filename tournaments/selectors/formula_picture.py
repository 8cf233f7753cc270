"""The whole formula: who sits where, for the picture and for the list below it."""

from dataclasses import dataclass, field
from itertools import groupby

from django.utils.translation import gettext as _

from config.wording import translate
from rules.brackets import BracketMatch, From, Source, bracket
from rules.places import NthAmong, Place, RankOf
from rules.plan import KNOCKOUT, FormulaPlan, StagePlan
from rules.results import PlayerId, Winner
from rules.stages.knockout import loser_of, played_matches, winner_of
from tournaments.models import Entry, Stage
from tournaments.selectors.advance import known_places
from tournaments.selectors.facts import EventFacts, StageFacts
from tournaments.selectors.labels import group_label, place_label


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A seat or a side of a match: the place's name, and who holds it once that is known."""

    place: str
    entry: Entry | None = None
    mark: str = ""
    strong: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Box:
    """A group, or a match of a knock-out; ``feeds`` is the number of the match it leads to."""

    heading: str
    lines: tuple[Line, ...]
    number: int = 0
    feeds: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """A stage of groups, or a round of a knock-out; ``first`` opens its stage."""

    stage: str
    heading: str
    state: str
    first: bool
    boxes: tuple[Box, ...]
    goes_on: str = ""


@dataclass(frozen=True, kw_only=True)
class _Known:
    """What is known of the event while the columns are made."""

    entries: dict[PlayerId, Entry]
    places: dict[str, PlayerId] = field(default_factory=dict)

    def line(self, place: str, number: PlayerId | None = None, **more: object) -> Line:
        holder = number if number is not None else self.places.get(place)
        entry = self.entries.get(holder) if holder is not None else None
        return Line(place=place_label(place), entry=entry, **more)  # type: ignore[arg-type]


def formula_columns(facts: EventFacts, plan: FormulaPlan) -> tuple[Column, ...]:
    """Return the columns of a formula; no query beside the facts'.

    Before the start ``plan`` is the one that the event would have now.
    """
    known = _Known(entries=facts.entries, places=known_places(facts))
    columns: list[Column] = []
    for index, stage_plan in enumerate(plan.stages):
        stage = facts.stages[index] if facts.stages else None
        pending = stage is None or stage.stage.state == Stage.State.PENDING
        begun = None if pending else stage
        state = stage.stage.get_state_display() if stage else _("To come")
        used = plan.used_places(index)
        made = _bracket if stage_plan.kind == KNOCKOUT else _groups
        columns += made(stage_plan, begun, known, state, used)
    return tuple(columns)


def _groups(
    plan: StagePlan, stage: StageFacts | None, known: _Known, state: str, used: frozenset[str]
) -> list[Column]:
    boxes = []
    for group in plan.groups:
        seated = stage.state.seats.get(group.name) if stage else None
        holders = seated or (None,) * len(group.seats)
        ranks = _ranks(stage, group.name)
        lines = tuple(
            known.line(place, holder, mark=ranks.get(holder, "") if holder is not None else "")
            for place, holder in zip(group.seats, holders, strict=True)
        )
        boxes.append(Box(heading=group_label(plan, group.name), lines=lines))
    return [
        Column(
            stage=translate(plan.label),
            heading=translate(plan.label),
            state=state,
            first=True,
            boxes=tuple(boxes),
            goes_on="; ".join(going_on(plan, used)),
        )
    ]


def _ranks(stage: StageFacts | None, group: str) -> dict[PlayerId, str]:
    if stage is None or not stage.state.rounds:
        return {}
    return {row.player: f"{row.rank}." for row in stage.outcome.standings[group].rows}


def going_on(plan: StagePlan, used: frozenset[str]) -> tuple[str, ...]:
    """Return the places that later stages seat, with what it takes to win them."""
    said = []
    for rank, places in groupby((p for p in plan.places if p.name in used), _compared_rank):
        level = list(places)
        if rank is None:
            said += [_rank_words(plan, place) for place in level if isinstance(place, RankOf)]
        else:
            names = [place_label(place.name) for place in level]
            shown = ", ".join(names) if len(names) <= 3 else f"{names[0]} … {names[-1]}"
            said.append(
                _("%(names)s: the best of those on rank %(rank)s, in order")
                % {"names": shown, "rank": rank}
            )
    return tuple(said)


def _compared_rank(place: Place) -> int | None:
    return place.rank if isinstance(place, NthAmong) else None


def _rank_words(plan: StagePlan, place: RankOf) -> str:
    name = place_label(place.name)
    if place.name == f"{place.group}{place.rank}":
        return name
    return _("%(name)s: rank %(rank)s, %(group)s") % {
        "name": name,
        "rank": place.rank,
        "group": group_label(plan, place.group),
    }


def _bracket(
    plan: StagePlan, stage: StageFacts | None, known: _Known, state: str, used: frozenset[str]
) -> list[Column]:
    group = plan.groups[0]
    matches = bracket(len(group.seats), plan.survivors, plan.third_place)
    seated = stage.state.seats.get(group.name) if stage else None
    holders = seated or tuple(known.places.get(place) for place in group.seats)
    if plan.apart and stage is None:
        holders = (None,) * len(group.seats)
    slots = dict(enumerate(zip(group.seats, holders, strict=True), start=1))
    feeds = {
        source.match: match.number
        for match in matches
        for source in match.sources
        if isinstance(source, From) and source.winner
    }
    rounds = sorted({match.round for match in matches})
    label = translate(plan.label)
    return [
        Column(
            stage=label,
            heading=_round_heading(label, matches, number, plan),
            state=state,
            first=number == 1,
            boxes=tuple(
                _match_box(match, stage, known, slots, feeds)
                for match in matches
                if match.round == number
            ),
        )
        for number in rounds
    ]


def _round_heading(
    label: str, matches: tuple[BracketMatch, ...], number: int, plan: StagePlan
) -> str:
    distance = next(match.distance for match in matches if match.round == number)
    if plan.survivors > 1:
        return _("Round %(number)s") % {"number": number}
    named = {0: _("Final"), 1: _("Semi-finals"), 2: _("Quarter-finals")}
    return named.get(distance) or _("Round of %(players)s") % {"players": 2 ** (distance + 1)}


def _match_box(
    match: BracketMatch,
    stage: StageFacts | None,
    known: _Known,
    slots: dict[int, tuple[str, PlayerId | None]],
    feeds: dict[int, int],
) -> Box:
    played = played_matches(stage.state).get(match.number) if stage else None
    if played is None:
        lines = tuple(_source_line(source, stage, known, slots) for source in match.sources)
    else:
        pairing, result = played
        figures = [str(n) for n in (result.games or result.score or ())[:2]] or ["", ""]
        lines = (
            _player_line(known, pairing.a, figures[0], won=result.winner is Winner.A),
            Line(place=_("bye"))
            if pairing.b is None
            else _player_line(known, pairing.b, figures[1], won=result.winner is Winner.B),
        )
    return Box(
        heading=translate(match.label),
        lines=lines,
        number=match.number,
        feeds=feeds.get(match.number, 0),
    )


def _player_line(known: _Known, number: PlayerId, mark: str, *, won: bool) -> Line:
    return Line(place="", entry=known.entries.get(number), mark=mark, strong=won)


def _source_line(
    source: Source,
    stage: StageFacts | None,
    known: _Known,
    slots: dict[int, tuple[str, PlayerId | None]],
) -> Line:
    if isinstance(source, From):
        words = _("Winner of match %(number)s") if source.winner else _("Loser of match %(number)s")
        holder = _decided(source, stage)
        return Line(
            place=words % {"number": source.match},
            entry=known.entries.get(holder) if holder is not None else None,
        )
    if source.number not in slots:
        return Line(place=_("bye"))
    place, player = slots[source.number]
    return Line(
        place=place_label(place), entry=known.entries.get(player) if player is not None else None
    )


def _decided(source: From, stage: StageFacts | None) -> PlayerId | None:
    """Return who comes out of an earlier match, as soon as it has a result."""
    played = played_matches(stage.state).get(source.match) if stage else None
    if played is None:
        return None
    _pairing, result = played
    return winner_of(result) if source.winner else loser_of(result)
