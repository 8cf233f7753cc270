"""The definition of a formula as JSON, as it is exported and stored."""

from rules.formulas.custom.definition import Definition, GroupDefinition, StageDefinition
from rules.formulas.custom.reading import START, VERSION
from rules.stages.kind import STAGE_KINDS

SHARED_SETTINGS = (
    *("legs", "third_place", "survivors", "apart", "rounds", "without_last", "second_final"),
)


def write_definition(definition: Definition) -> dict[str, object]:
    """Return plain data that :func:`read_definition` reads back as the same definition.

    Settings that a kind of stage does not have are left out where they are as usual.
    """
    return {
        "girone_formula": VERSION,
        "name": definition.name,
        "about": definition.about,
        "players": {"lowest": definition.lowest, "highest": definition.highest},
        "stages": [_stage(stage) for stage in definition.stages],
    }


def _stage(stage: StageDefinition) -> dict[str, object]:
    kind = STAGE_KINDS.get(stage.kind)
    usual = StageDefinition(name=stage.name, kind=stage.kind, groups=())
    settings = {
        key: getattr(stage, key)
        for key in SHARED_SETTINGS
        if kind.has_setting(key) or getattr(stage, key) != getattr(usual, key)
    }
    return {
        "name": stage.name,
        "kind": stage.kind,
        "best_of": list(stage.best_of),
        "timed": stage.timed,
        **settings,
        **{setting.key: kind.value_of(stage, setting.key) for setting in kind.own_settings},
        "groups": [_group(group) for group in stage.groups],
    }


def _group(group: GroupDefinition) -> dict[str, object]:
    if group.entrants is None:
        return {"name": group.name, "entrants": START}
    return {
        "name": group.name,
        "entrants": [
            {key: getattr(source, key) for key in type(source).__slots__}
            for source in group.entrants
        ],
    }
