"""The draft of a formula: exactly what was typed, valid or not."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from django.forms import IntegerField

from rules.formulas.custom.definition import Definition, StageDefinition
from rules.formulas.custom.json import LONGEST_GROUP, START, VERSION
from rules.stages import STAGE_KINDS
from rules.stages.kind import StageKind
from rules.stages.settings import Value
from tournaments.formulas.builder.sources import Source, from_definition, from_token, to_json

MOST_SEATS = 512
LARGEST = 9999
FLAGS = ("timed", "third_place", "apart", "without_last", "second_final")
NUMBERS = ("legs", "rounds", "survivors")
"""Settings that stages of several kinds have; a kind has its own beside them."""
Values = dict[str, str]


@dataclass(slots=True, kw_only=True)
class GroupDraft:
    """A group. ``everybody``: players without a place of their own are dealt to it.

    ``seats`` are tokens of sources in seat order, "" for an empty seat.
    """

    name: str = ""
    everybody: bool = False
    seats: list[str] = field(default_factory=list)

    def sources(self) -> list[Source | None]:
        """Return the seats as sources, None for an empty or invalid one."""
        return [from_token(seat) for seat in self.seats]


@dataclass(slots=True, kw_only=True)
class StageDraft:
    """A stage: ``values`` are the texts of its fields by name.

    They hold a number of groups only if it is invalid.
    """

    kind: str
    values: Values = field(default_factory=dict)
    groups: list[GroupDraft] = field(default_factory=list)

    @property
    def shape(self) -> StageKind:
        """Return the shape of this kind of stage."""
        return STAGE_KINDS.get(self.kind)

    def sources(self) -> list[Source]:
        """Return the sources of all seats that have one, in seat order."""
        return [source for group in self.groups for source in group.sources() if source]

    def group_names(self) -> list[str]:
        """Return the names of the groups; that of the stage for kinds with one group."""
        if not self.shape.several_groups:
            return [self.values.get("name", "").strip()[:LONGEST_GROUP].strip() or self.kind]
        return [group.name.strip() for group in self.groups]


@dataclass(slots=True, kw_only=True)
class Draft:
    """A formula being built; ``values`` are its name, note, fewest and most players.

    ``version`` is that of the stored formula it began from; 0 for a new one.
    """

    values: Values = field(default_factory=dict)
    stages: list[StageDraft] = field(default_factory=list)
    version: int = 0

    def names(self) -> list[list[str]]:
        """Return the names of all groups by stage."""
        return [stage.group_names() for stage in self.stages]

    @property
    def miscounted(self) -> bool:
        """Return whether an invalid number of groups was typed."""
        return any("groups" in stage.values for stage in self.stages)

    def number(self, key: str, usual: int) -> int:
        """Return a number from the draft's own fields, or the default if invalid."""
        return number_typed(self.values.get(key, ""), usual)

    def to_plain(self) -> dict[str, Any]:
        """Return the draft as JSON values for the session."""
        return asdict(self)

    @classmethod
    def from_plain(cls, data: Mapping[str, Any]) -> "Draft":
        """Return the draft from the data of :meth:`to_plain`."""
        stages = [
            StageDraft(
                kind=stage["kind"],
                values=dict(stage["values"]),
                groups=[GroupDraft(**group) for group in stage["groups"]],
            )
            for stage in data["stages"]
        ]
        return cls(values=dict(data["values"]), stages=stages, version=data["version"])

    def copy(self) -> "Draft":
        """Return a deep copy."""
        return Draft.from_plain(self.to_plain())


def number_typed(text: str, usual: int) -> int:
    """Return a typed number from 0 to 9999 as the form reads it, or the default."""
    try:
        found = int(IntegerField.re_decimal.sub("", text))
    except ValueError:
        return usual
    return found if 0 <= found <= LARGEST else usual


def number_or_text(text: str) -> object:
    """Return a typed number for a definition: an int, or the text if invalid."""
    found = number_typed(text, -1)
    return text if found < 0 else found


# --- From and to a definition ----------------------------------------------------------------
def draft_of(definition: Definition, *, version: int = 0) -> Draft:
    """Return the draft of a definition."""
    values = {
        "name": definition.name,
        "about": definition.about,
        "lowest": str(definition.lowest),
        "highest": str(definition.highest),
    }
    names = [[group.name for group in stage.groups] for stage in definition.stages]
    stages = [_stage_of(stage, names) for stage in definition.stages]
    return Draft(values=values, stages=stages, version=version)


def _stage_of(stage: StageDefinition, names: list[list[str]]) -> StageDraft:
    games = list(stage.best_of)
    kind = STAGE_KINDS.get(stage.kind)
    games += games[-1:] * (kind.games_asked - len(games))
    values = {
        "name": stage.name,
        **{key: str(getattr(stage, key)) for key in NUMBERS if kind.has_setting(key)},
        **{key: "on" for key in FLAGS if _has_setting(kind, key) and getattr(stage, key)},
        **typed_values(kind, dict(stage.own)),
        **{f"games_{at}": str(count) for at, count in enumerate(games)},
    }
    groups = [
        GroupDraft(
            name=group.name,
            everybody=group.entrants is None,
            seats=[from_definition(source, names) for source in group.entrants or ()],
        )
        for group in stage.groups
    ]
    return StageDraft(kind=stage.kind, values=values, groups=groups)


def definition_of(draft: Draft) -> dict[str, Any]:
    """Return the draft's definition as JSON; empty seats are left out."""
    names = draft.names()
    return {
        "girone_formula": VERSION,
        "name": draft.values.get("name", "").strip(),
        "about": draft.values.get("about", "").strip(),
        "players": {
            key: number_or_text(draft.values.get(key, "")) for key in ("lowest", "highest")
        },
        "stages": [_stage_json(stage, at, names) for at, stage in enumerate(draft.stages)],
    }


def _stage_json(stage: StageDraft, at: int, names: list[list[str]]) -> dict[str, Any]:
    kind = stage.shape
    return {
        "name": stage.values.get("name", "").strip(),
        "kind": stage.kind,
        "best_of": _games(stage),
        **{key: key in stage.values for key in FLAGS if _has_setting(kind, key)},
        **{
            key: number_or_text(stage.values.get(key, ""))
            for key in NUMBERS
            if kind.has_setting(key)
        },
        **{
            each.key: each.key in stage.values
            if each.is_flag
            else number_or_text(stage.values.get(each.key, ""))
            for each in kind.own_settings
        },
        "groups": [
            {"name": name, "entrants": START if group.everybody else _entrants(group, names)}
            for name, group in zip(names[at], stage.groups, strict=True)
        ],
    }


def _has_setting(kind: StageKind, key: str) -> bool:
    return key == "timed" or kind.has_setting(key)


def typed_values(kind: StageKind, chosen: Mapping[str, Value]) -> Values:
    """Return a kind's own settings as form texts; defaults where none are ``chosen``."""
    values = {each.key: chosen.get(each.key, each.usual) for each in kind.own_settings}
    return {
        key: "on" if isinstance(value, bool) else str(value)
        for key, value in values.items()
        if value is not False
    }


def _entrants(group: GroupDraft, names: list[list[str]]) -> list[dict[str, Any]]:
    found = (to_json(source, names) for source in group.sources() if source is not None)
    return [source for source in found if source is not None]


def _games(stage: StageDraft) -> list[object]:
    """Return the games of a match by distance from the last round, without repeats at the end."""
    games: list[object] = []
    while f"games_{len(games)}" in stage.values:
        games.append(number_or_text(stage.values[f"games_{len(games)}"]))
    if stage.shape.has_table:
        return games[:1] or [0]
    while len(games) > 1 and games[-1] == games[-2]:
        games.pop()
    return games or [0]


def with_stages(draft: Draft, order: list[int]) -> Draft:
    """Return the draft with its stages (from 0) reordered or removed.

    Seats that took places of a removed stage become empty; the others follow their stage.
    """
    moved = {old + 1: new + 1 for new, old in enumerate(order)}
    kept = [draft.stages[old] for old in order]
    return replace(draft, stages=[_with_sources(stage, moved) for stage in kept])


def _with_sources(stage: StageDraft, moved: Mapping[int, int]) -> StageDraft:
    groups = []
    for group in stage.groups:
        sources = [source.moved(moved) if source else None for source in group.sources()]
        seats = [source.token if source else "" for source in sources]
        groups.append(replace(group, seats=seats))
    return replace(stage, groups=groups)
