"""Formulas, their options, choices that several of them share, and the registry of all formulas."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from rules.errors import BadInput
from rules.plans import FormulaPlan
from rules.registry import Registry
from rules.tables.rounds import validate_sizes
from rules.wording import Sentence, untranslated_text

OptionValue = int | bool | str | list[int]
Options = Mapping[str, OptionValue]


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """A possible value of an option, with its label."""

    value: int | str
    label: Sentence


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """A setting of a tournament format that the organiser chooses, as data for forms.

    ``kind`` is "choice" (one of ``choices``), "choices" (a list as long as ``items``, each one of
    ``choices``), "number" (``lowest`` to ``highest``; if there are ``choices``, forms offer only
    these), "yes_no" or "sizes" (of tables).
    """

    key: str
    label: Sentence
    kind: str
    default: OptionValue
    choices: tuple[Choice, ...] = ()
    items: tuple[Sentence, ...] = ()
    lowest: int = 0
    highest: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class DefaultGames:
    """The game's defaults for "best of": number of games of a match and of the final."""

    match: int = 1
    final: int = 1


def no_alternative_options(players: int, games: DefaultGames) -> Iterable[Options]:
    """Return (): the default of ``Formula.ways``, no options worth trying but the defaults."""
    return ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Formula:
    """A tournament format: builds the stages for a number of players.

    ``build`` takes the number of players, all options, validated and with defaults, and the games
    of a match unless the options set them. ``maximum`` is the maximum number of players, None if
    unlimited. ``ways`` returns non-default options worth trying for a number of players; those that
    the formula refuses are left out. ``fit`` raises BadInput for options that are incompatible for
    any number of players. ``of_tables``: its first stage has multiplayer tables. ``about``
    describes the choices; ``always`` what holds of every plan (None: ``about``), displayed beside
    one.
    """

    key: str
    label: Sentence
    about: Sentence
    minimum: int
    options: tuple[Option, ...]
    build: Callable[[int, Options, DefaultGames], FormulaPlan]
    maximum: int | None = None
    ways: Callable[[int, DefaultGames], Iterable[Options]] = no_alternative_options
    fit: Callable[[Options], None] = lambda options: None
    of_tables: bool = False
    always: tuple[Sentence, ...] | None = None

    @property
    def beside_plan(self) -> tuple[Sentence, ...]:
        """Return what is said of the formula where its plan is told."""
        return (self.about,) if self.always is None else self.always

    def option(self, key: str) -> Option | None:
        """Return an option by key, None if the formula lacks it."""
        return next((option for option in self.options if option.key == key), None)

    def plan(
        self, players: int, options: Options | None = None, games: DefaultGames | None = None
    ) -> FormulaPlan:
        """Return the stages for a number of players.

        Raises BadInput, such as ``too_few_players``, ``too_many_players`` or ``bad_option``.
        """
        chosen = self.checked(options or {})
        if players < self.minimum:
            raise BadInput(
                "too_few_players",
                "Too few players: %(players)s (at least %(minimum)s).",
                minimum=self.minimum,
                players=players,
            )
        if self.maximum is not None and players > self.maximum:
            raise BadInput(
                "too_many_players",
                "Too many players: %(players)s (at most %(maximum)s).",
                maximum=self.maximum,
                players=players,
            )
        return self.build(players, chosen, games or DefaultGames())

    def checked(self, options: Options) -> dict[str, OptionValue]:
        """Return all options with defaults; raises BadInput ``bad_option``."""
        known = {option.key: option for option in self.options}
        for key in options:
            if key not in known:
                raise BadInput(
                    "bad_option",
                    "Unknown option “%(key)s”. Options: %(known)s.",
                    key=key,
                    known=tuple(known),
                )
        checked = {
            key: check_option(option, options.get(key, option.default))
            for key, option in known.items()
        }
        self.fit(checked)
        return checked


def check_option(option: Option, value: object) -> OptionValue:
    """Return the value of an option if valid; raises BadInput ``bad_option``."""
    is_number = isinstance(value, int) and not isinstance(value, bool)
    allowed = tuple(choice.value for choice in option.choices)
    match option.kind, value:
        case "yes_no", bool():
            return value
        case "choice", int() | str() if not isinstance(value, bool) and value in allowed:
            return value
        case "sizes", list() | tuple() if all(type(item) is int for item in value):
            return list(validate_sizes(value))
        case "number", int() if is_number and option.lowest <= value <= option.highest:
            return value
        case "choices", list() | tuple() if len(value) == len(option.items) and all(
            type(item) is int and item in allowed for item in value
        ):
            return list(value)
    raise BadInput(
        "bad_option",
        "%(option)s can’t be “%(value)s”. Possible: %(possible)s.",
        value=str(value),
        option=option.label,
        possible=_possible_values(option),
    )


def _possible_values(option: Option) -> str:
    allowed = ", ".join(str(choice.value) for choice in option.choices)
    match option.kind:
        case "yes_no":
            return "true, false"
        case "number":
            return f"{option.lowest}–{option.highest}"
        case "sizes":
            return "[2–5, …]"
        case "choices":
            return f"{len(option.items)} × ({allowed})"
        case _:
            return allowed


FORMULAS = Registry("formula", Formula)
TABLE_FORMULAS = Registry("formula", Formula)
"""Formulas that begin with tables of three and more, which are never instead of one for two."""


def shipped_formula(key: str) -> Formula:
    """Return a built-in formula by its key; raises BadInput ``unknown_formula``."""
    return TABLE_FORMULAS.get(key) if key in TABLE_FORMULAS else FORMULAS.get(key)


LEGS = tuple(Choice(value=legs, label=untranslated_text(legs)) for legs in (1, 2, 3, 4))
"""How often each pair of a group meets."""
BEST_OF = (
    Choice(value=1, label=Sentence("One game")),
    *(
        Choice(value=games, label=Sentence("Best of %(games)s", {"games": games}))
        for games in (3, 5, 7)
    ),
)
ALL_MATCHES, WITHOUT_LAST = range(2)
UNEVEN = Option(
    key="uneven_groups",
    label=Sentence("Groups of different sizes"),
    kind="choice",
    default=ALL_MATCHES,
    choices=(
        Choice(value=ALL_MATCHES, label=Sentence("All matches count")),
        Choice(
            value=WITHOUT_LAST,
            label=Sentence("Matches against last place don’t count"),
        ),
    ),
)
