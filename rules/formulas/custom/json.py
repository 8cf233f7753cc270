"""Definitions of custom formulas as JSON, which ``docs/formulas.md`` describes.

Reading validates the structure only: whether a formula can be played is for ``checks`` to say.
"""

from collections.abc import Mapping
from typing import Any

from rules.formulas.custom.definition import (
    MOST_GROUPS,
    MOST_PLAYERS,
    MOST_STAGES,
    BestOfRank,
    Definition,
    GroupDefinition,
    GroupRank,
    MatchLoser,
    MatchWinner,
    Source,
    StageDefinition,
    StartPlace,
)
from rules.json_reader import (
    Fields,
    Reader,
    Whole,
    WrongValue,
    flag,
    list_of,
    name_up_to,
    one_of,
    read_document,
    text,
)
from rules.names import tidy
from rules.stages.base import SHARED, Setting, Value
from rules.stages.kind import STAGE_KINDS, ordered_kinds

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
FEWEST, NUMBER = Whole(2, MOST_PLAYERS), Whole(0, MOST_PLAYERS)
GAMES = list_of(NUMBER, MOST_GAMES)
GROUP_NAME = name_up_to(LONGEST_GROUP)


def read_definition(data: object) -> Definition:
    """Return the definition that JSON describes.

    Raises BadInput ``bad_formula`` with the path of the offending value as ``path`` and ``field``,
    such as ``stages[0].groups[1].name`` (indexes from 0), and the sentence without the path as
    ``problem``.
    """
    return read_document("bad_formula", _definition, data, also_as="field")


def _definition(value: object) -> Definition:
    given = Fields(value, ("girone_formula", "name", "about", "players", "stages"))
    given.read("girone_formula", _version)
    lowest, highest = given.read("players", _players)
    return Definition(
        name=given.read("name", name_up_to(LONGEST_NAME)),
        about=tidy(given.read("about", text(LONGEST_ABOUT), "")),
        lowest=lowest,
        highest=highest,
        stages=given.read("stages", list_of(_stage, MOST_STAGES)),
    )


def _version(value: object) -> None:
    if value != VERSION or value is True:
        raise WrongValue("This must be %(version)s.", version=VERSION)


def _players(value: object) -> tuple[int, int]:
    given = Fields(value, ("lowest", "highest"))
    lowest, highest = given.read("lowest", FEWEST), given.read("highest", FEWEST)
    if highest < lowest:
        raise WrongValue("The most players can't be fewer than the fewest.", at="highest")
    return lowest, highest


def _stage(value: object) -> StageDefinition:
    kind = Fields(value).read("kind", _kind)
    own = STAGE_KINDS.get(kind).own_settings
    given = Fields(value, (*STAGE_FIELDS, *(setting.key for setting in own)))
    usual = StageDefinition(name="", kind=kind, groups=())
    shared: Any = {
        key: given.read(key, flag if SHARED[key].is_flag else NUMBER, getattr(usual, key))
        for key in SHARED_SETTINGS
    }
    return StageDefinition(
        name=given.read("name", name_up_to(LONGEST_STAGE)),
        kind=kind,
        groups=given.read("groups", list_of(_group, MOST_GROUPS)),
        best_of=given.read("best_of", GAMES, usual.best_of),
        timed=given.read("timed", flag, usual.timed),
        own=tuple(_setting(given, each) for each in own),
        **shared,
    )


def _kind(value: object) -> str:
    known = tuple(each.key for each in ordered_kinds())
    if isinstance(value, str) and value in STAGE_KINDS and value not in known:
        raise WrongValue(
            "Rounds at tables of three and more are no stage of a formula of your own: choose the "
            "formula “Tables and cut”, which has a cut by tables or a knock-out of two."
        )
    return one_of(known)(value)


def _setting(given: Fields, setting: Setting) -> tuple[str, Value]:
    reader: Reader[Value] = flag if setting.is_flag else Whole(setting.least, setting.most)
    there = setting.key in given
    return setting.key, given.read(setting.key, reader) if there else setting.usual


def _group(value: object) -> GroupDefinition:
    given = Fields(value, ("name", "entrants"))
    return GroupDefinition(
        name=given.read("name", GROUP_NAME), entrants=given.read("entrants", _entrants)
    )


def _entrants(value: object) -> tuple[Source, ...] | None:
    return None if value == START else list_of(_source, MOST_PLAYERS)(value)


def _source(value: object) -> Source:
    shape = SOURCES.get(frozenset(value)) if isinstance(value, dict) else None
    if shape is None:
        raise WrongValue("An entrant is a place of the start or of an earlier stage.")
    given = Fields(value)
    values: dict[str, object] = {
        key: given.read(key, GROUP_NAME if key == "group" else Whole(1, MOST_PLAYERS))
        for key in shape.__slots__
    }
    return shape(**values)  # type: ignore[arg-type]


def write_definition(definition: Definition) -> dict[str, object]:
    """Return JSON data that :func:`read_definition` reads back as the same definition.

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
