"""Definitions of custom formulas, and the JSON that they are read from (``docs/formulas.md``).

A definition names stages, groups and their sizes, and the source of each player. Stages are
numbered from 1, also in the words of faults. Reading validates the structure only: whether a
formula can be played is for ``checks`` to say.

Source: tournament rules, Other formulas to ship (Custom).
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any

from rules.brackets import deal_snake
from rules.json_reader import (
    JsonObjectReader,
    Reader,
    WholeNumber,
    WrongValue,
    boolean,
    list_of,
    name_text,
    one_of,
    read_document,
    text,
)
from rules.names import clean_line
from rules.plans import OwnValue, start_places
from rules.stages.base import SHARED, STAGE_KINDS, Matches, Setting, Value, custom_stage_kinds
from rules.wording import Sentence

MOST_PLAYERS = 1024
MOST_STAGES = 20
MOST_GROUPS = 128


@dataclass(frozen=True, slots=True, kw_only=True)
class StartPlace:
    """The n-th player (from 1) of the event's starting order, as an entrant."""

    start: int


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupRank:
    """The player on a rank (from 1) of a group, as an entrant of a later stage."""

    stage: int
    group: str
    rank: int


@dataclass(frozen=True, slots=True, kw_only=True)
class BestOfRank:
    """The n-th best (``nth``) of the players on rank ``best`` of all groups of a stage.

    As an entrant of a later stage.
    """

    stage: int
    best: int
    nth: int


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchWinner:
    """The winner of a match, by its number in the bracket of a stage, as an entrant."""

    stage: int
    winner: int


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchLoser:
    """The loser of a match, by its number in the bracket of a stage, as an entrant."""

    stage: int
    loser: int


StageSource = GroupRank | BestOfRank | MatchWinner | MatchLoser
Source = StartPlace | StageSource


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupDefinition:
    """A group of a custom formula.

    ``entrants`` are in seat order; None: players are dealt to it from the starting order.
    """

    name: str
    entrants: tuple[Source, ...] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class StageDefinition:
    """A stage of a custom formula, with settings as in ``StagePlan``.

    ``own`` are settings that only this kind of stage has, as (key, value). In ``best_of`` 0 means
    the game's default; ``rounds`` 0: derived from the number of players.
    """

    name: str
    kind: str
    groups: tuple[GroupDefinition, ...]
    legs: int = 1
    best_of: tuple[int, ...] = (0,)
    timed: bool = True
    third_place: bool = False
    survivors: int = 1
    apart: bool = False
    rounds: int = 0
    without_last: bool = False
    second_final: bool = True
    own: tuple[tuple[str, OwnValue], ...] = ()

    @property
    def sources(self) -> Iterator[tuple[GroupDefinition, Source]]:
        """Yield every named entrant with its group."""
        for group in self.groups:
            for source in group.entrants or ():
                yield group, source

    @property
    def spread(self) -> tuple[GroupDefinition, ...]:
        """Return the groups to which starting players are dealt."""
        return tuple(group for group in self.groups if group.entrants is None)


@dataclass(frozen=True, slots=True, kw_only=True)
class FormulaDefinition:
    """A custom formula for ``lowest`` to ``highest`` players."""

    name: str
    about: str
    lowest: int
    highest: int
    stages: tuple[StageDefinition, ...]

    @property
    def sources(self) -> Iterator[tuple[int, GroupDefinition, Source]]:
        """Yield every named entrant with the number of its stage and its group."""
        for number, stage in enumerate(self.stages, start=1):
            for group, source in stage.sources:
                yield number, group, source

    def taken_from(self, stage: int) -> Iterator[StageSource]:
        """Yield the places of a stage that later stages take, in seat order."""
        for _number, _group, source in self.sources:
            if not isinstance(source, StartPlace) and source.stage == stage:
                yield source


Faults = Iterator[Sentence]


def stage_fault(
    definition: FormulaDefinition,
    number: int,
    problem: Sentence,
    group: GroupDefinition | None = None,
) -> Sentence:
    """Return the message of a fault with its stage, and its group if given.

    ``number`` is the stage's, from 1.
    """
    values: dict[str, object] = {
        "number": number,
        "stage": definition.stages[number - 1].name,
        "problem": problem,
    }
    if group is None:
        return Sentence("Stage %(number)s, %(stage)s: %(problem)s", values)
    values["group"] = group.name
    return Sentence("Stage %(number)s, %(stage)s, group %(group)s: %(problem)s", values)


def describe_source(source: Source) -> Sentence:
    """Return the description of an entrant as a message, such as "Start no. 3"."""
    match source:
        case StartPlace(start=number):
            return Sentence("Start no. %(number)s", {"number": number})
        case GroupRank(stage=stage, group=group, rank=rank):
            return Sentence(
                "Stage %(stage)s, %(group)s, rank %(rank)s",
                {"rank": rank, "group": group, "stage": stage},
            )
        case BestOfRank(stage=stage, best=rank, nth=nth):
            return Sentence(
                "Stage %(stage)s: place %(nth)s among the players ranked %(rank)s in their groups",
                {"nth": nth, "rank": rank, "stage": stage},
            )
        case MatchWinner(stage=stage, winner=number):
            return Sentence(
                "Stage %(stage)s, winner of match %(match)s",
                {"match": number, "stage": stage},
            )
        case _:
            return Sentence(
                "Stage %(stage)s, loser of match %(match)s",
                {"match": source.loser, "stage": source.stage},
            )


def dealt_seats(definition: FormulaDefinition, players: int) -> dict[str, tuple[str, ...]]:
    """Return the start places dealt to each first-stage group without named entrants.

    The result is by group name. Dealt are the places that no stage names, in snake order.
    """
    groups = definition.stages[0].spread
    named = {
        source.start
        for _stage, _group, source in definition.sources
        if isinstance(source, StartPlace)
    }
    field = [place for number, place in enumerate(start_places(players), 1) if number not in named]
    dealt = deal_snake(field, len(groups)) if groups else ()
    return {group.name: seats for group, seats in zip(groups, dealt, strict=True)}


def group_sizes_by_stage(definition: FormulaDefinition, players: int) -> tuple[dict[str, int], ...]:
    """Return the group sizes of each stage, by group name, for so many players."""
    spread = dealt_seats(definition, players)
    return tuple(
        {
            group.name: len(spread.get(group.name, ()))
            if group.entrants is None
            else len(group.entrants)
            for group in stage.groups
        }
        for stage in definition.stages
    )


def stage_bracket_matches(stage: StageDefinition, sizes: Mapping[str, int]) -> Matches:
    """Return the matches of a stage's bracket; () without a bracket.

    ``sizes`` are the stage's group sizes, by group name.
    """
    seats = sum(sizes.values())
    if seats < 2 or not stage.survivors:
        return ()
    return STAGE_KINDS.get(stage.kind).named_matches(seats, stage)


def representative_sizes(definition: FormulaDefinition) -> tuple[int, ...]:
    """Return numbers of players that together represent the whole range of a formula.

    Groups only grow with the number of players. So ranks and minimum sizes are decided by the
    lowest number, maximum sizes by the highest, and bracket matches by each number that adds a
    round. Groups without dealt players may be empty: then the first number with a player in them
    counts too.
    """
    found = {definition.lowest, definition.highest}
    first = definition.stages[0]
    if first.spread:
        every = range(definition.lowest, definition.highest + 1)
        seated = (players for players in every if any(dealt_seats(definition, players).values()))
        found |= set(islice(seated, 1))
    if first.spread and any(definition.taken_from(1)) and STAGE_KINDS.get(first.kind).has_bracket:
        before: tuple[int, ...] = ()
        for players in range(definition.lowest, definition.highest + 1):
            matches = stage_bracket_matches(first, group_sizes_by_stage(definition, players)[0])
            numbers = tuple(match.number for match in matches)
            if numbers != before:
                found.add(players)
                before = numbers
    return tuple(sorted(found))


VERSION = 1
START = "start"
LONGEST_NAME, LONGEST_ABOUT, LONGEST_STAGE, LONGEST_GROUP = 80, 1000, 40, 20
MOST_GAMES = 12
"""Maximum length of ``best_of``: more rounds than any bracket has."""
SOURCES: Mapping[frozenset[str], type[Source]] = {
    frozenset(shape.__slots__): shape
    for shape in (StartPlace, GroupRank, BestOfRank, MatchWinner, MatchLoser)
}
STAGE_FIELDS = tuple(key for key in StageDefinition.__slots__ if key != "own")
SHARED_SETTINGS = (
    *("legs", "third_place", "survivors", "apart", "rounds", "without_last", "second_final"),
)
FEWEST, NUMBER = WholeNumber(2, MOST_PLAYERS), WholeNumber(0, MOST_PLAYERS)
GAMES = list_of(NUMBER, MOST_GAMES)
GROUP_NAME = name_text(LONGEST_GROUP)


def read_definition(data: object) -> FormulaDefinition:
    """Return the custom formula that a JSON document describes.

    Raises BadInput ``bad_formula`` with the path of the offending value as ``path`` and ``field``,
    such as ``stages[0].groups[1].name`` (indexes from 0), and the message without the path as
    ``problem``.
    """
    return read_document("bad_formula", _definition, data, also_as="field")


def _definition(value: object) -> FormulaDefinition:
    given = JsonObjectReader(value, ("girone_formula", "name", "about", "players", "stages"))
    given.read("girone_formula", _version)
    lowest, highest = given.read("players", _players)
    return FormulaDefinition(
        name=given.read("name", name_text(LONGEST_NAME)),
        about=clean_line(given.read("about", text(LONGEST_ABOUT), "")),
        lowest=lowest,
        highest=highest,
        stages=given.read("stages", list_of(_stage, MOST_STAGES)),
    )


def _version(value: object) -> None:
    if value != VERSION or value is True:
        raise WrongValue("Use one of: %(known)s.", known=(str(VERSION),))


def _players(value: object) -> tuple[int, int]:
    given = JsonObjectReader(value, ("lowest", "highest"))
    lowest, highest = given.read("lowest", FEWEST), given.read("highest", FEWEST)
    if highest < lowest:
        raise WrongValue(
            "Enter a whole number from %(least)s to %(most)s.",
            at="highest",
            least=lowest,
            most=MOST_PLAYERS,
        )
    return lowest, highest


def _stage(value: object) -> StageDefinition:
    kind = JsonObjectReader(value).read("kind", _kind)
    own = STAGE_KINDS.get(kind).own_settings
    given = JsonObjectReader(value, (*STAGE_FIELDS, *(setting.key for setting in own)))
    usual = StageDefinition(name="", kind=kind, groups=())
    shared: Any = {
        key: given.read(key, boolean if SHARED[key].is_flag else NUMBER, getattr(usual, key))
        for key in SHARED_SETTINGS
    }
    return StageDefinition(
        name=given.read("name", name_text(LONGEST_STAGE)),
        kind=kind,
        groups=given.read("groups", list_of(_group, MOST_GROUPS)),
        best_of=given.read("best_of", GAMES, usual.best_of),
        timed=given.read("timed", boolean, usual.timed),
        own=tuple(_setting(given, each) for each in own),
        **shared,
    )


def _kind(value: object) -> str:
    return one_of(tuple(each.key for each in custom_stage_kinds()))(value)


def _setting(given: JsonObjectReader, setting: Setting) -> tuple[str, Value]:
    reader: Reader[Value] = boolean if setting.is_flag else WholeNumber(setting.least, setting.most)
    there = setting.key in given
    return setting.key, given.read(setting.key, reader) if there else setting.usual


def _group(value: object) -> GroupDefinition:
    given = JsonObjectReader(value, ("name", "entrants"))
    return GroupDefinition(
        name=given.read("name", GROUP_NAME), entrants=given.read("entrants", _entrants)
    )


def _entrants(value: object) -> tuple[Source, ...] | None:
    return None if value == START else list_of(_source, MOST_PLAYERS)(value)


def _source(value: object) -> Source:
    shape = SOURCES.get(frozenset(value)) if isinstance(value, dict) else None
    if shape is None:
        raise WrongValue(
            "Enter a seed, or a rank, match winner or match loser from an earlier stage."
        )
    given = JsonObjectReader(value)
    values: dict[str, object] = {
        key: given.read(key, GROUP_NAME if key == "group" else WholeNumber(1, MOST_PLAYERS))
        for key in shape.__slots__
    }
    return shape(**values)  # type: ignore[arg-type]


def definition_to_json(definition: FormulaDefinition) -> dict[str, object]:
    """Return a custom formula as JSON data, which :func:`read_definition` reads.

    Settings that a kind of stage does not have are omitted if they equal the default.
    """
    return {
        "girone_formula": VERSION,
        "name": definition.name,
        "about": definition.about,
        "players": {"lowest": definition.lowest, "highest": definition.highest},
        "stages": [_stage_to_json(stage) for stage in definition.stages],
    }


def _stage_to_json(stage: StageDefinition) -> dict[str, object]:
    kind = STAGE_KINDS.get(stage.kind)
    settings = {
        key: getattr(stage, key)
        for key in SHARED_SETTINGS
        if kind.has_setting(key) or getattr(stage, key) != SHARED[key].usual
    }
    return {
        "name": stage.name,
        "kind": stage.kind,
        "best_of": list(stage.best_of),
        "timed": stage.timed,
        **settings,
        **{setting.key: kind.value_of(stage, setting.key) for setting in kind.own_settings},
        "groups": [_group_to_json(group) for group in stage.groups],
    }


def _group_to_json(group: GroupDefinition) -> dict[str, object]:
    if group.entrants is None:
        return {"name": group.name, "entrants": START}
    return {
        "name": group.name,
        "entrants": [
            {key: getattr(source, key) for key in type(source).__slots__}
            for source in group.entrants
        ],
    }
