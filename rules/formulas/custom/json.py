"""Definitions of custom formulas as JSON, which ``docs/formulas.md`` describes.

Reading validates the structure only: whether a formula can be played is for ``checks`` to say.
"""

from collections.abc import Mapping

from rules.errors import BadInput
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
from rules.names import tidy
from rules.stages.kind import STAGE_KINDS, ordered_kinds
from rules.stages.settings import SHARED, Setting, Value
from rules.wording import Sentence
from rules.wording import gettext_noop as _

VERSION = 1
START = "start"
LONGEST_NAME, LONGEST_ABOUT, LONGEST_STAGE, LONGEST_GROUP = 80, 1000, 40, 20
MOST_GAMES = 12
"""Maximum length of ``best_of``: more rounds than any bracket has."""
SOURCES: Mapping[frozenset[str], type[Source]] = {
    frozenset(shape.__slots__): shape
    for shape in (StartPlace, GroupRank, BestOfRank, MatchWinner, MatchLoser)
}
FIELDS = frozenset({"girone_formula", "name", "about", "players", "stages"})
GROUP_FIELDS = frozenset({"name", "entrants"})
STAGE_FIELDS = frozenset(StageDefinition.__slots__) - {"own"}


def read_definition(data: object) -> Definition:
    """Return the definition that JSON describes.

    Raises BadInput ``bad_formula`` with the path of the offending value as ``field``, such as
    ``stages[0].groups[1].name`` (indexes from 0), and the sentence without the path as
    ``problem``.
    """
    given = _object(data, "", FIELDS)
    if "girone_formula" not in given:
        raise _bad_value("girone_formula", _("This is missing."))
    if given.get("girone_formula") != VERSION or given.get("girone_formula") is True:
        raise _bad_value("girone_formula", _("This must be %(version)s."), version=VERSION)
    players = _object(given.get("players"), "players", frozenset({"lowest", "highest"}))
    lowest = _number(players, "lowest", "players", least=2)
    highest = _number(players, "highest", "players", least=2)
    if highest < lowest:
        raise _bad_value("players.highest", _("The most players can't be fewer than the fewest."))
    return Definition(
        name=_name(given, "name", "", LONGEST_NAME),
        about=_note_of(given.get("about", "")),
        lowest=lowest,
        highest=highest,
        stages=tuple(
            _stage(item, f"stages[{at}]")
            for at, item in enumerate(_list(given, "stages", "", MOST_STAGES))
        ),
    )


def bad_formula(path: str, problem: Sentence) -> BadInput:
    """Return the error for a definition, with the path of the offending value."""
    return BadInput("bad_formula", "%(field)s: %(problem)s", field=path, problem=problem)


def _bad_value(path: str, problem: str, **values: object) -> BadInput:
    return bad_formula(path or "$", Sentence(problem, values))


def _object(value: object, path: str, known: frozenset[str]) -> Mapping[str, object]:
    if not isinstance(value, dict):
        raise _bad_value(path, _("This must be an object."))
    if unknown := sorted(str(key) for key in value if key not in known):
        raise _bad_value(_join_path(path, unknown[0][:LONGEST_STAGE]), _("No formula has this."))
    return value


def _join_path(path: str, key: str) -> str:
    return f"{path}.{key}" if path else key


def _list(given: Mapping[str, object], key: str, path: str, most: int) -> list[object]:
    value = given.get(key)
    if not isinstance(value, list):
        raise _bad_value(_join_path(path, key), _("This must be a list."))
    if len(value) > most:
        raise _bad_value(_join_path(path, key), _("There can be at most %(most)s."), most=most)
    return value


def _number(
    given: Mapping[str, object],
    key: str,
    path: str,
    *,
    least: int = 0,
    most: int = MOST_PLAYERS,
    default: int | None = None,
) -> int:
    value = given.get(key, default)
    if type(value) is not int or not least <= value <= most:
        raise _bad_value(
            _join_path(path, key),
            _("This must be a whole number from %(least)s to %(most)s."),
            least=least,
            most=most,
        )
    return value


def _flag(given: Mapping[str, object], key: str, path: str, *, default: bool) -> bool:
    value = given.get(key, default)
    if not isinstance(value, bool):
        raise _bad_value(_join_path(path, key), _("This must be true or false."))
    return value


def _name(given: Mapping[str, object], key: str, path: str, longest: int) -> str:
    value = given.get(key)
    name = tidy(value) if isinstance(value, str) else ""
    if not any(char.isalnum() for char in name) or len(name) > longest:
        raise _bad_value(
            _join_path(path, key), _("A name has 1 to %(most)s characters."), most=longest
        )
    return name


def _note_of(value: object) -> str:
    if not isinstance(value, str) or len(value) > LONGEST_ABOUT:
        raise _bad_value("about", _("A text has at most %(most)s characters."), most=LONGEST_ABOUT)
    return tidy(value)


def _stage(value: object, path: str) -> StageDefinition:
    own = _settings_of_kind(value)
    given = _object(value, path, STAGE_FIELDS | {setting.key for setting in own})
    kind = given.get("kind")
    known = tuple(each.key for each in ordered_kinds())
    if isinstance(kind, str) and kind in STAGE_KINDS and kind not in known:
        raise _bad_value(_join_path(path, "kind"), OF_TABLES)
    if not isinstance(kind, str) or kind not in known:
        raise _bad_value(
            _join_path(path, "kind"), _("This must be one of: %(known)s."), known=known
        )
    usual = StageDefinition(name="", kind=kind, groups=())
    return StageDefinition(
        name=_name(given, "name", path, LONGEST_STAGE),
        kind=kind,
        groups=tuple(
            _group(item, f"{path}.groups[{at}]")
            for at, item in enumerate(_list(given, "groups", path, MOST_GROUPS))
        ),
        legs=_number(given, "legs", path, default=usual.legs),
        best_of=_best_of(given, path, usual.best_of),
        timed=_flag(given, "timed", path, default=usual.timed),
        third_place=_flag(given, "third_place", path, default=usual.third_place),
        survivors=_number(given, "survivors", path, default=usual.survivors),
        apart=_flag(given, "apart", path, default=usual.apart),
        rounds=_number(given, "rounds", path, default=usual.rounds),
        without_last=_flag(given, "without_last", path, default=usual.without_last),
        second_final=_flag(given, "second_final", path, default=usual.second_final),
        own=tuple((setting.key, _value_of_setting(given, setting, path)) for setting in own),
    )


def _settings_of_kind(value: object) -> tuple[Setting, ...]:
    """Return the settings that only this stage's kind has, () if the value is not a stage."""
    kind = value.get("kind") if isinstance(value, dict) else None
    return (
        STAGE_KINDS.get(kind).own_settings if isinstance(kind, str) and kind in STAGE_KINDS else ()
    )


OF_TABLES = _(
    "Rounds at tables of three and more are no stage of a formula of your own: choose the formula "
    "“Tables and cut”, which has a cut by tables or a knock-out of two."
)


def _value_of_setting(given: Mapping[str, object], setting: Setting, path: str) -> Value:
    if isinstance(setting.usual, bool):
        return _flag(given, setting.key, path, default=setting.usual)
    usual = setting.usual if isinstance(setting.usual, int) else None
    return _number(given, setting.key, path, least=setting.least, most=setting.most, default=usual)


def _best_of(given: Mapping[str, object], path: str, usual: tuple[int, ...]) -> tuple[int, ...]:
    if "best_of" not in given:
        return usual
    games = _list(given, "best_of", path, MOST_GAMES)
    named = {f"best_of[{at}]": value for at, value in enumerate(games)}
    return tuple(_number(named, key, path) for key in named)


def _group(value: object, path: str) -> GroupDefinition:
    given = _object(value, path, GROUP_FIELDS)
    name = _name(given, "name", path, LONGEST_GROUP)
    if given.get("entrants") == START:
        return GroupDefinition(name=name, entrants=None)
    entrants = _list(given, "entrants", path, MOST_PLAYERS)
    return GroupDefinition(
        name=name,
        entrants=tuple(_source(item, f"{path}.entrants[{at}]") for at, item in enumerate(entrants)),
    )


def _source(value: object, path: str) -> Source:
    shape = SOURCES.get(frozenset(value)) if isinstance(value, dict) else None
    if shape is None or not isinstance(value, dict):
        raise _bad_value(path, _("An entrant is a place of the start or of an earlier stage."))
    values: dict[str, object] = {
        key: _name(value, key, path, LONGEST_GROUP)
        if key == "group"
        else _number(value, key, path, least=1)
        for key in shape.__slots__
    }
    return shape(**values)  # type: ignore[arg-type]


SHARED_SETTINGS = (
    *("legs", "third_place", "survivors", "apart", "rounds", "without_last", "second_final"),
)


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
