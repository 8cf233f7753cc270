"""The draft of a formula, exactly what was typed, valid or not: new, kept in the session, and the
places that it gives.

A definition refers to groups by name, a token of the form by number, so that renaming a group
keeps the seats. Stages, groups, ranks and matches count from 1.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from django.contrib.sessions.backends.base import SessionBase
from django.forms import IntegerField

from rules.brackets import BracketMatch
from rules.formulas.custom import definition
from rules.formulas.custom.checks import THIRD_PLACE_FROM
from rules.formulas.custom.definition import (
    LONGEST_GROUP,
    MOST_PLAYERS,
    START,
    VERSION,
    FormulaDefinition,
    StageDefinition,
)
from rules.stages import STAGE_KINDS
from rules.stages.base import StageKind, Value

RANK, BEST, WINNER, LOSER = "rank", "best", "winner", "loser"
KINDS = START, RANK, BEST, WINNER, LOSER
"""What a source is, as in tokens; other modules ask its properties."""
LONGEST_NUMBER = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class EntrantSource:
    """The origin of a group's entrant: starting place, group rank, match and so on.

    ``kind`` is one of ``KINDS``. ``stage`` and ``group`` count from 1. ``number``: starting place,
    rank or match number. ``nth``: position, from 1, when players of that rank in all groups are
    compared.
    """

    kind: str
    stage: int = 0
    group: int = 0
    number: int
    nth: int = 0

    @property
    def token(self) -> str:
        """Return the source as a form value."""
        return f"{self.kind}-{self.stage}-{self.group}-{self.number}-{self.nth}"

    @property
    def from_start(self) -> bool:
        """Return whether it is a place of the starting order, not of an earlier stage."""
        return self.kind == START

    @property
    def in_group(self) -> bool:
        """Return whether it is a rank of one group."""
        return self.kind == RANK

    @property
    def across_groups(self) -> bool:
        """Return whether it is one of those compared on a rank of all groups."""
        return self.kind == BEST

    @property
    def wins(self) -> bool:
        """Return whether it is the winner of a match."""
        return self.kind == WINNER

    def moved(self, stages: Mapping[int, int]) -> "EntrantSource | None":
        """Return the source after stages were renumbered; None if its stage was removed."""
        if self.from_start:
            return self
        return replace(self, stage=stages[self.stage]) if self.stage in stages else None

    def without_group(self, stage: int, gone: int) -> "EntrantSource | None":
        """Return the source after a group of a stage was removed; None if it was of that group."""
        if not self.in_group or self.stage != stage or self.group < gone:
            return self
        return None if self.group == gone else replace(self, group=self.group - 1)


def source_from_token(token: str) -> EntrantSource | None:
    """Return the source that a form value names, None if empty or invalid."""
    kind, *numbers = token.split("-")
    well_formed = all(
        part.isascii() and part.isdigit() and len(part) <= LONGEST_NUMBER for part in numbers
    )
    if kind not in KINDS or len(numbers) != 4 or not well_formed:
        return None
    stage, group, number, nth = map(int, numbers)
    return EntrantSource(kind=kind, stage=stage, group=group, number=number, nth=nth)


def token_from_definition(source: definition.Source, groups: Sequence[Sequence[str]]) -> str:
    """Return the form value of a definition's source, "" if its group does not exist.

    ``groups``: group names by stage.
    """
    match source:
        case definition.StartPlace(start=number):
            return EntrantSource(kind=START, number=number).token
        case definition.BestOfRank(stage=stage, best=rank, nth=nth):
            return EntrantSource(kind=BEST, stage=stage, number=rank, nth=nth).token
        case definition.MatchWinner(stage=stage, winner=number):
            return EntrantSource(kind=WINNER, stage=stage, number=number).token
        case definition.MatchLoser(stage=stage, loser=number):
            return EntrantSource(kind=LOSER, stage=stage, number=number).token
        case definition.GroupRank(stage=stage, group=group, rank=rank):
            names = groups[stage - 1] if stage <= len(groups) else ()
            if group in names:
                return EntrantSource(
                    kind=RANK, stage=stage, group=names.index(group) + 1, number=rank
                ).token
    return ""


def source_to_json(source: EntrantSource, groups: Sequence[Sequence[str]]) -> dict[str, Any] | None:
    """Return a source as definition JSON, None if its stage or group was removed.

    ``groups``: group names by stage.
    """
    if source.from_start:
        return {"start": source.number}
    if not 0 < source.stage <= len(groups):
        return None
    if source.across_groups:
        return {"stage": source.stage, "best": source.number, "nth": source.nth}
    if not source.in_group:
        return {"stage": source.stage, source.kind: source.number}
    names = groups[source.stage - 1]
    if not 0 < source.group <= len(names):
        return None
    return {"stage": source.stage, "group": names[source.group - 1], "rank": source.number}


MOST_SEATS = 512
LARGEST = 9999
FLAGS = ("timed", "third_place", "apart", "without_last", "second_final")
NUMBERS = ("legs", "rounds", "survivors")
"""Settings that stages of several kinds have; a kind has its own beside them."""
Values = dict[str, str]


@dataclass(slots=True, kw_only=True)
class GroupDraft:
    """A group being edited; ``seats``: form values of sources, "" for an empty seat.

    ``everybody``: players without a seat of their own are distributed to it.
    """

    name: str = ""
    everybody: bool = False
    seats: list[str] = field(default_factory=list)

    def sources(self) -> list[EntrantSource | None]:
        """Return the seats as sources, None for an empty or invalid one."""
        return [source_from_token(seat) for seat in self.seats]


@dataclass(slots=True, kw_only=True)
class StageDraft:
    """A stage being edited; ``values``: texts of its form fields by name.

    ``groups`` is in ``values`` only if the typed number of groups is invalid.
    """

    kind: str
    values: Values = field(default_factory=dict)
    groups: list[GroupDraft] = field(default_factory=list)

    @property
    def shape(self) -> StageKind:
        """Return the shape of this kind of stage."""
        return STAGE_KINDS.get(self.kind)

    def sources(self) -> list[EntrantSource]:
        """Return the sources of all seats that have one, in seat order."""
        return [source for group in self.groups for source in group.sources() if source]

    def group_names(self) -> list[str]:
        """Return the names of the groups; that of the stage for kinds with one group."""
        if not self.shape.several_groups:
            return [self.values.get("name", "").strip()[:LONGEST_GROUP].strip() or self.kind]
        return [group.name.strip() for group in self.groups]


@dataclass(slots=True, kw_only=True)
class FormulaDraft:
    """A formula being edited.

    ``values``: texts of name, note, fewest and most players by field. ``version``: of the stored
    formula it started from, 0 for a new one.
    """

    values: Values = field(default_factory=dict)
    stages: list[StageDraft] = field(default_factory=list)
    version: int = 0

    def names(self) -> list[list[str]]:
        """Return the names of all groups by stage."""
        return [stage.group_names() for stage in self.stages]

    @property
    def miscounted(self) -> bool:
        return any("groups" in stage.values for stage in self.stages)

    def number(self, key: str, usual: int) -> int:
        """Return a number from the draft's own fields, or the default if invalid."""
        return parse_number(self.values.get(key, ""), usual)

    def to_plain(self) -> dict[str, Any]:
        """Return the draft as JSON values for the session."""
        return asdict(self)

    @classmethod
    def from_plain(cls, data: Mapping[str, Any]) -> "FormulaDraft":
        stages = [
            StageDraft(
                kind=stage["kind"],
                values=dict(stage["values"]),
                groups=[GroupDraft(**group) for group in stage["groups"]],
            )
            for stage in data["stages"]
        ]
        return cls(values=dict(data["values"]), stages=stages, version=data["version"])

    def copy(self) -> "FormulaDraft":
        """Return a deep copy."""
        return FormulaDraft.from_plain(self.to_plain())


def parse_number(text: str, usual: int) -> int:
    """Return a typed number from 0 to 9999, or ``usual`` if invalid."""
    try:
        found = int(IntegerField.re_decimal.sub("", text))
    except ValueError:
        return usual
    return found if 0 <= found <= LARGEST else usual


def parse_number_or_text(text: str) -> object:
    """Return a typed number as int, or the text unchanged if invalid."""
    found = parse_number(text, -1)
    return text if found < 0 else found


# --- From and to a definition ----------------------------------------------------------------
def draft_from_definition(definition: FormulaDefinition, *, version: int = 0) -> FormulaDraft:
    """Return an editable draft of a definition.

    ``version`` is that of the saved formula, 0 for none.
    """
    values = {
        "name": definition.name,
        "about": definition.about,
        "lowest": str(definition.lowest),
        "highest": str(definition.highest),
    }
    names = [[group.name for group in stage.groups] for stage in definition.stages]
    stages = [_stage_of(stage, names) for stage in definition.stages]
    return FormulaDraft(values=values, stages=stages, version=version)


def _stage_of(stage: StageDefinition, names: list[list[str]]) -> StageDraft:
    games = list(stage.best_of)
    kind = STAGE_KINDS.get(stage.kind)
    games += games[-1:] * (kind.games_asked - len(games))
    values = {
        "name": stage.name,
        **{key: str(getattr(stage, key)) for key in NUMBERS if kind.has_setting(key)},
        **{key: "on" for key in FLAGS if _has_setting(kind, key) and getattr(stage, key)},
        **stage_form_texts(kind, dict(stage.own)),
        **{f"games_{at}": str(count) for at, count in enumerate(games)},
    }
    groups = [
        GroupDraft(
            name=group.name,
            everybody=group.entrants is None,
            seats=[token_from_definition(source, names) for source in group.entrants or ()],
        )
        for group in stage.groups
    ]
    return StageDraft(kind=stage.kind, values=values, groups=groups)


def definition_from_draft(draft: FormulaDraft) -> dict[str, Any]:
    """Return the draft as definition JSON; empty seats are left out."""
    names = draft.names()
    return {
        "girone_formula": VERSION,
        "name": draft.values.get("name", "").strip(),
        "about": draft.values.get("about", "").strip(),
        "players": {
            key: parse_number_or_text(draft.values.get(key, "")) for key in ("lowest", "highest")
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
            key: parse_number_or_text(stage.values.get(key, ""))
            for key in NUMBERS
            if kind.has_setting(key)
        },
        **{
            each.key: each.key in stage.values
            if each.is_flag
            else parse_number_or_text(stage.values.get(each.key, ""))
            for each in kind.own_settings
        },
        "groups": [
            {"name": name, "entrants": START if group.everybody else _entrants(group, names)}
            for name, group in zip(names[at], stage.groups, strict=True)
        ],
    }


def _has_setting(kind: StageKind, key: str) -> bool:
    return key == "timed" or kind.has_setting(key)


def stage_form_texts(kind: StageKind, chosen: Mapping[str, Value]) -> Values:
    """Return {setting: form text} of a kind of stage.

    Settings that are not in ``chosen`` get their defaults.
    """
    values = {each.key: chosen.get(each.key, each.usual) for each in kind.own_settings}
    return {
        key: "on" if isinstance(value, bool) else str(value)
        for key, value in values.items()
        if value is not False
    }


def _entrants(group: GroupDraft, names: list[list[str]]) -> list[dict[str, Any]]:
    found = (source_to_json(source, names) for source in group.sources() if source is not None)
    return [source for source in found if source is not None]


def _games(stage: StageDraft) -> list[object]:
    """Return the games of a match by distance from the last round, without repeats at the end."""
    games: list[object] = []
    while f"games_{len(games)}" in stage.values:
        games.append(parse_number_or_text(stage.values[f"games_{len(games)}"]))
    if stage.shape.has_table:
        return games[:1] or [0]
    while len(games) > 1 and games[-1] == games[-2]:
        games.pop()
    return games or [0]


def reorder_stages(draft: FormulaDraft, order: list[int]) -> FormulaDraft:
    """Return the draft with the stages at these indexes (from 0), in this order.

    Other stages are removed; seats filled from them become empty.
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


KEY = "formulas_begun"
NEW = "new"
MOST = 5
"""Most drafts kept: those edited last."""


class UnsavedDraft:
    """Access to the unsaved draft of a formula in the session.

    ``slug`` is that of a saved formula, NEW for a new one.
    """

    def __init__(self, session: SessionBase, slug: str = NEW) -> None:
        self._session, self._slug = session, slug

    def draft(self) -> FormulaDraft | None:
        """Return the draft, None if there is none."""
        return _read(self._kept().get("draft"))

    def before(self) -> FormulaDraft | None:
        """Return the draft before the last step, if that step removed something."""
        return _read(self._kept().get("before"))

    def keep(self, draft: FormulaDraft, before: FormulaDraft | None = None) -> None:
        """Store a draft, and the one before a step that removed something."""
        kept = {"draft": draft.to_plain(), "before": before.to_plain() if before else None}
        others = {
            key: value for key, value in self._drafts_in_session().items() if key != self._slug
        }
        latest = dict(list(others.items())[1 - MOST :])
        self._session[KEY] = {**latest, self._slug: kept}

    def drop(self) -> None:
        """Delete the draft."""
        if self._slug in self._drafts_in_session():
            self._session[KEY] = {
                k: v for k, v in self._drafts_in_session().items() if k != self._slug
            }

    def _drafts_in_session(self) -> dict[str, Any]:
        found: dict[str, Any] = self._session.get(KEY, {})
        return found

    def _kept(self) -> dict[str, Any]:
        found: dict[str, Any] = self._drafts_in_session().get(self._slug, {})
        return found


def _read(plain: dict[str, Any] | None) -> FormulaDraft | None:
    return FormulaDraft.from_plain(plain) if plain else None


def most_players(draft: FormulaDraft) -> int:
    """Return the draft's largest number of players, 0 if invalid."""
    return min(draft.number("highest", 0), MOST_PLAYERS)


def used_sources(draft: FormulaDraft, *, without: int = 0) -> list[EntrantSource]:
    """Return the sources of all filled seats, by stage and seat.

    ``without``: stage (from 1) to leave out.
    """
    return [
        source
        for at, stage in enumerate(draft.stages, start=1)
        if at != without
        for source in stage.sources()
    ]


def group_sizes(draft: FormulaDraft, at: int, players: int) -> list[int]:
    """Return the group sizes of stage ``at`` (from 1) for so many players."""
    stage = draft.stages[at - 1]
    found = [len(group.seats) for group in stage.groups]
    dealt = [index for index, group in enumerate(stage.groups) if group.everybody]
    if dealt:
        own = {source.number for source in used_sources(draft) if source.from_start}
        full, rest = divmod(max(0, players - len(own)), len(dealt))
        for order, index in enumerate(dealt):
            found[index] = full + (order < rest)
    return found


def stage_bracket_matches(draft: FormulaDraft, at: int) -> tuple[BracketMatch, ...]:
    """Return the matches of stage ``at``'s bracket (from 1), () without bracket.

    They are those of the largest number of players.
    """
    stage = draft.stages[at - 1]
    seats = sum(group_sizes(draft, at, most_players(draft)))
    left = max(1, parse_number(stage.values.get("survivors", ""), 1))
    if stage.shape.has_table or not left < seats <= stage.shape.most:
        return ()
    third_place = "third_place" in stage.values and seats > THIRD_PLACE_FROM - 1
    known = StageDefinition(
        name="",
        kind=stage.kind,
        groups=(),
        survivors=left,
        third_place=third_place,
        own=tuple(
            (each.key, each.key in stage.values)
            if each.is_flag
            else (each.key, parse_number(stage.values.get(each.key, ""), int(str(each.usual))))
            for each in stage.shape.own_settings
        ),
    )
    return stage.shape.named_matches(seats, known)


def rank_sources(draft: FormulaDraft, at: int, rank: int) -> Iterator[EntrantSource]:
    """Yield the sources for a rank of each group of stage ``at`` (from 1)."""
    for group, size in enumerate(group_sizes(draft, at, most_players(draft)), start=1):
        if size >= rank:
            yield EntrantSource(kind=RANK, stage=at, group=group, number=rank)


def compared_rank_sources(draft: FormulaDraft, at: int, rank: int) -> Iterator[EntrantSource]:
    """Yield the sources for comparing a rank across groups, best first.

    ``at``: stage, from 1.
    """
    count = sum(1 for _place in rank_sources(draft, at, rank))
    for nth in range(1, count + 1):
        yield EntrantSource(kind=BEST, stage=at, number=rank, nth=nth)


def available_sources(draft: FormulaDraft, at: int) -> list[EntrantSource]:
    """Return all sources that later stages can take from stage ``at`` (from 1)."""
    stage = draft.stages[at - 1]
    if stage.shape.has_bracket:
        return [
            EntrantSource(kind=kind, stage=at, number=match.number)
            for match in reversed(stage_bracket_matches(draft, at))
            for kind in (WINNER, LOSER)
        ]
    largest = max(group_sizes(draft, at, most_players(draft)), default=0)
    every = range(1, largest + 1)
    found = [place for rank in every for place in rank_sources(draft, at, rank)]
    if len(stage.groups) > 1:
        found += [place for rank in every for place in compared_rank_sources(draft, at, rank)]
    return found
