"""Columns, boxes and lines of diagrams, and brackets made of them: a knock-out round by round, a
double elimination by bracket.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from config.wording import translate
from rules.brackets import BracketMatch, BracketPart, MatchSource, SeedSource, Source
from rules.plans import FormulaPlan, StagePlan, WinnerPlace
from rules.results import PlayerId, Result
from rules.stages.base import Pairing, bracket_matches, stage_kind
from rules.stages.double_elimination import part_label, round_label
from rules.stages.knockout import (
    MatchProgress,
    bracket_progress,
    final_label,
    match_winner,
    matches_by_number,
)
from rules.stages.knockout import round_label as knockout_round
from tournaments.core.event_state import EventFacts, StageFacts
from tournaments.core.kept_places import decided_places
from tournaments.core.labels import place_label, place_text
from tournaments.core.names import Numbers, column_match_name, match_name, positions_in_rounds
from tournaments.core.rows import AnyEntry


@dataclass(frozen=True, slots=True, kw_only=True)
class DiagramLine:
    """A line of a box in a diagram: a side of a match, or a seat of a group.

    ``place``: where the player comes from, as text; ``entry``: the player, if known. ``mark``:
    games or score, in a group the rank; ``strong``: the winner. ``code``: label of the place, such
    as "A1"; ``short``: short form of ``place``, "" if none is needed.
    """

    place: str
    entry: AnyEntry | None = None
    mark: str = ""
    strong: bool = False
    code: str = ""
    short: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class DiagramBox:
    """A box in a diagram: a group, or a bracket match.

    ``number``: of the match in its bracket; ``feeds``: of its winner's next match; 0 for none.
    """

    heading: str
    lines: tuple[DiagramLine, ...]
    number: int = 0
    feeds: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class DiagramColumn:
    """A column of a diagram: a group stage, or a round of a bracket.

    ``state``: label of the stage's state. ``first``: it begins a stage. ``goes_on``: text, who
    advances. ``at``: column within the stage, from 1; 0: after the one before. ``below``: drawn
    under earlier columns (lower bracket). ``short``: the round's label without the stage;
    ``opens``: label of the bracket that the column begins, or "".
    """

    stage: str
    heading: str
    state: str
    first: bool
    boxes: tuple[DiagramBox, ...]
    goes_on: str = ""
    at: int = 0
    below: bool = False
    short: str = ""
    opens: str = ""


@dataclass(frozen=True, kw_only=True)
class DiagramPlayers:
    """Players by number, stages, and holders of places, for the lines of a diagram.

    ``places``: {place: player}, as far as decided.
    """

    entries: Mapping[PlayerId, AnyEntry]
    stages: tuple[StagePlan, ...]
    places: dict[str, PlayerId] = field(default_factory=dict)

    def line(self, place: str, number: PlayerId | None = None, **more: object) -> DiagramLine:
        """Return the line of a place, with its holder if known."""
        holder = number if number is not None else self.places.get(place)
        words, code, short = self.words(place), place_label(place), self.short(place)
        entry = self.entry(holder)
        return DiagramLine(place=words, code=code, short=short, entry=entry, **more)  # type: ignore[arg-type]

    def short(self, place: str) -> str:
        """Return a place that is won in a preliminary where there is little room, "" of others."""
        for plan in self.stages:
            won = next((each for each in plan.places if each.name == place), None)
            if isinstance(won, WinnerPlace) and plan.survivors > 1:
                (match,) = [each for each in bracket_matches(plan) if each.number == won.match]
                number, _of = positions_in_rounds(plan).get(won.match, (0, 0))  # none of a bye
                return short_winner_label(match.round, number) if number else ""
        return ""

    def words(self, place: str) -> str:
        """Return a place in words, as a line of its own begins."""
        return capfirst(place_text(self.stages, place))

    def entry(self, number: PlayerId | None) -> AnyEntry | None:
        """Return the entry with a player's number."""
        return self.entries.get(number) if number is not None else None


def short_winner_label(level: int, number: int) -> str:
    """Return a short label for the winner of a match: "Winner: Round 2 · 3".

    ``level``: number of the round; ``number``: of the match within it.
    """
    return _("Winner: %(match)s") % {"match": _in_round(level, number)}


def _in_round(level: int, number: int) -> str:
    level_words = _("Round %(number)s") % {"number": level}
    return f"{level_words} · {number}"


def diagram_players(
    facts: EventFacts, plan: FormulaPlan | None = None, *, holders: bool = True
) -> DiagramPlayers:
    """Return an event's players and decided places for its diagrams; no query.

    ``plan``: the provisional one before the start. ``holders``: whether places of earlier stages
    show the players who hold them.
    """
    plan = plan or facts.plan
    return DiagramPlayers(
        entries=facts.entries,
        stages=plan.stages if plan else (),
        places=decided_places(facts) if holders else {},
    )


Matches = Sequence[BracketMatch]
QUARTERS = 2
"""The distance of the quarter-finals from the last round."""


@dataclass(frozen=True, kw_only=True)
class _BracketData:
    """The data for a bracket's boxes: seats, results, and where winners go."""

    plan: StagePlan
    known: DiagramPlayers
    slots: Mapping[int, tuple[str, PlayerId | None]]
    played: Mapping[int, tuple[Pairing, Result]]
    ways: Mapping[int, MatchProgress]
    feeds: Mapping[int, int]
    matches: Mapping[int, BracketMatch]
    in_round: Numbers


def bracket_columns(
    plan: StagePlan, stage: StageFacts | None, known: DiagramPlayers, state: str
) -> list[DiagramColumn]:
    """Return the rounds of a bracket as columns of a diagram.

    ``stage``: None before it begins; ``known``: players and decided places; ``state``: label of the
    stage's state.
    """
    matches = bracket_matches(plan)
    group = plan.groups[0]
    seated = stage.state.seats.get(group.name) if stage else None
    holders = seated or tuple(known.places.get(place) for place in group.seats)
    if plan.apart and stage is None:
        holders = (None,) * len(group.seats)
    drawn = _BracketData(
        plan=plan,
        known=known,
        slots=dict(enumerate(zip(group.seats, holders, strict=True), start=1)),
        played=matches_by_number(stage.state) if stage and seated else {},
        ways=bracket_progress(stage.state) if stage and seated else {},
        feeds=next_match_numbers(matches),
        matches={match.number: match for match in matches},
        in_round=positions_in_rounds(plan),
    )
    if stage_kind(plan).two_brackets:
        return list(_double_columns(plan, matches, drawn, state))
    return [_column(plan, each, drawn, state) for each in group_by_round(matches)]


def next_match_numbers(matches: Matches) -> dict[int, int]:
    """Return {match number: number of the match that its winner goes to}."""
    return {
        source.match: match.number
        for match in matches
        for source in match.sources
        if isinstance(source, MatchSource) and source.winner
    }


def origin_label(plan: StagePlan, match: BracketMatch, numbers: Numbers, *, winner: bool) -> str:
    """Return a label for a player who comes from a match: "Winner: Semi-final 2".

    ``numbers``: {match number: (position in its round, matches in the round)}. ``winner``: the
    match's winner, else its loser. Other rounds of a knock-out than the last three have the match's
    name alone.
    """
    name = match_name(plan, match, numbers)
    if match.part is None and plan.survivors == 1:
        named = {
            (1, True): _("Semi-final %(number)s"),
            (1, False): _("Semi-final %(number)s"),
            (QUARTERS, True): _("Quarter-final %(number)s"),
        }
        found = named.get((match.distance, winner))
        if found is None:
            return name
        name = found % {"number": numbers.get(match.number, (0, 0))[0]}
    words = _("Winner: %(match)s") if winner else _("Loser: %(match)s")
    return words % {"match": name}


def group_by_round(matches: Matches) -> list[list[BracketMatch]]:
    """Return bracket matches as lists, one per round, in the given order."""
    rounds: dict[int, list[BracketMatch]] = {}
    for match in matches:
        rounds.setdefault(match.round, []).append(match)
    return list(rounds.values())


def _column(plan: StagePlan, matches: Matches, drawn: _BracketData, state: str) -> DiagramColumn:
    return DiagramColumn(
        stage=translate(plan.label),
        heading=_round_heading(plan, matches[0]),
        state=state,
        first=matches[0].round == 1,
        boxes=tuple(_match_box(match, drawn) for match in matches),
    )


def _double_columns(
    plan: StagePlan, matches: Matches, drawn: _BracketData, state: str
) -> Iterator[DiagramColumn]:
    """Yield columns of the upper bracket, the lower bracket and the grand final, aligned by round.

    The second match of the grand final is drawn until it is known not to be needed.
    """
    label = translate(plan.label)
    for part in BracketPart:
        rounds = group_by_round([match for match in matches if match.part is part])
        for number, level in enumerate(rounds, start=1):
            match = level[0]
            needless = drawn.ways.get(match.number, MatchProgress(decided=False)).decided
            if part is BracketPart.AGAIN and needless and match.number not in drawn.played:
                continue
            final = part in (BracketPart.FINAL, BracketPart.AGAIN)
            heading, short = _headings(plan, match, number, drawn)
            yield DiagramColumn(
                stage=label if final else f"{label} · {translate(part_label(match))}",
                heading=heading,
                state=state,
                first=number == 1 and part is BracketPart.UPPER,
                boxes=tuple(_match_box(each, drawn) for each in level),
                at=match.round,
                below=part is BracketPart.LOWER,
                short=short,
                opens=translate(part_label(match))
                if number == 1 and part is not BracketPart.AGAIN
                else "",
            )


def _headings(
    plan: StagePlan, match: BracketMatch, number: int, drawn: _BracketData
) -> tuple[str, str]:
    """Return the label of a round under its bracket's name, and on its own."""
    short = translate(round_label(plan, match))
    if match.part is BracketPart.FINAL:
        return short, short
    if match.part is not BracketPart.AGAIN:
        return _part_heading(match, number), short
    if _sides_known(match, drawn):
        return _("Second match"), short
    needed = _("If needed")
    return needed, f"{short} · {needed}"


def _sides_known(match: BracketMatch, drawn: _BracketData) -> bool:
    ends = [source.match for source in match.sources if isinstance(source, MatchSource)]
    return all(drawn.ways[end].decided for end in ends) if drawn.ways else False


def _part_heading(match: BracketMatch, number: int) -> str:
    if match.to_go == 0:
        return _("Final")
    if match.to_go == 1:
        return _("Semi-finals") if match.part is BracketPart.UPPER else _("Semi-final")
    return _("Round %(number)s") % {"number": number}


def _round_heading(plan: StagePlan, match: BracketMatch) -> str:
    if plan.survivors > 1:
        return _("Round %(number)s") % {"number": match.round}
    return translate(knockout_round(match.distance) if match.distance else final_label(plan))


def _match_box(match: BracketMatch, drawn: _BracketData) -> DiagramBox:
    if match.number not in drawn.played:
        lines = tuple(_source_line(source, drawn) for source in match.sources)
    else:
        pairing, result = drawn.played[match.number]
        figures = [str(n) for n in (result.games_won or result.score or ())[:2]] or ["", ""]
        winner = match_winner(result)
        lines = tuple(
            DiagramLine(
                place="", entry=drawn.known.entry(player), mark=figure, strong=player == winner
            )
            for player, figure in zip(pairing.seats, figures, strict=False)
        )
        if len(lines) == 1:
            lines = (*lines, DiagramLine(place=pgettext("of a match", "bye")))
    return DiagramBox(
        heading=column_match_name(drawn.plan, match, drawn.in_round),
        lines=lines,
        number=match.number,
        feeds=drawn.feeds.get(match.number, 0),
    )


def _source_line(source: Source, drawn: _BracketData) -> DiagramLine:
    if not isinstance(source, MatchSource):
        if source.number not in drawn.slots:
            return DiagramLine(place=pgettext("of a match", "bye"))
        place, player = drawn.slots[source.number]
        return drawn.known.line(place, player)
    way = drawn.ways.get(source.match, MatchProgress(decided=False))
    holder = way.winner if source.winner else way.loser
    if way.decided and holder is None:
        return DiagramLine(place=_("nobody"))
    before = drawn.matches[source.match]
    if source.match not in drawn.in_round and not before.third_place:
        return _source_line(_beside_the_bye(before, drawn.plan.size), drawn)
    words = origin_label(drawn.plan, before, drawn.in_round, winner=source.winner)
    short = _short_origin(drawn.plan, before, drawn.in_round, winner=source.winner)
    return DiagramLine(place=capfirst(words), entry=drawn.known.entry(holder), short=short)


def _short_origin(plan: StagePlan, match: BracketMatch, numbers: Numbers, *, winner: bool) -> str:
    """Return who comes from a match of two brackets or a preliminary, if room is scarce."""
    if match.part not in (BracketPart.UPPER, BracketPart.LOWER) and plan.survivors == 1:
        return ""
    level, number = match.level if match.part else match.round, numbers[match.number][0]
    if winner:
        return short_winner_label(level, number)
    return _("Loser: %(match)s") % {"match": _in_round(level, number)}


def _beside_the_bye(match: BracketMatch, size: int) -> Source:
    one, other = match.sources
    return one if isinstance(one, SeedSource) and one.number <= size else other
