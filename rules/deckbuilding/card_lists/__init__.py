"""Banned, limited and other card lists as dated data: those in use, what changed, rows of a file.

Columns of a file stand in any order, English or Italian: list, card, expansion, aliases (separated
by ``|``), with (the other card of a forbidden pair). Every problem names its row.
"""

import csv
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property
from pathlib import Path

from rules.names import card_key, clean_line, name_key
from rules.wording import Sentence
from rules.wording import gettext_noop as _

DATA = Path(__file__).parent / "data"

BANNED = "banned"
LIMITED = "limited"
SEMI_LIMITED = "semi_limited"
EXCLUDED_TOGETHER = "excluded_together"
REMOVE_AFTER_USE = "remove_after_use"

LABELS: dict[str, Sentence] = {
    BANNED: Sentence("Banned cards"),
    LIMITED: Sentence("Limited cards"),
    SEMI_LIMITED: Sentence("Semi-limited cards"),
    EXCLUDED_TOGETHER: Sentence("Cards that exclude each other"),
    REMOVE_AFTER_USE: Sentence("Cards removed from the game after use"),
}

COPIES: dict[str, int] = {BANNED: 0, LIMITED: 1, SEMI_LIMITED: 2}
"""Maximum copies by list; a card is in at most one of these lists."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedCard:
    """A card on a banned, limited or similar list; ``expansion`` is a code.

    ``aliases`` are other names of the card, ``partner`` the card that it must not be combined with.
    """

    name: str
    expansion: str = ""
    aliases: tuple[str, ...] = ()
    partner: str = ""


@dataclass(frozen=True, kw_only=True)
class CardLists:
    """Banned, limited and similar lists as of a date; an entry applies to every printing.

    ``cards`` are by list (``banned``, ``limited``, ``semi_limited``, ``excluded_together``,
    ``remove_after_use``). ``originals`` maps the card key of an alias to that of its card.
    """

    dated: date | None = None
    cards: Mapping[str, tuple[ListedCard, ...]] = field(default_factory=dict)
    originals: Mapping[str, str] = field(default_factory=dict)

    def key(self, name: str) -> str:
        """Return the key under which a name counts: its own, or its card's if it is an alias."""
        key = card_key(name)
        return self.originals.get(key, key)

    def names(self, which: str) -> frozenset[str]:
        """Return the keys of the cards of one list."""
        return self._keys.get(which, frozenset())

    @cached_property
    def most_copies(self) -> Mapping[str, int]:
        return {key: most for which, most in COPIES.items() for key in self.names(which)}

    @cached_property
    def pairs(self) -> tuple[tuple[str, str], ...]:
        """Return the keys of the cards that are never together, pair by pair."""
        pairs = self.cards.get(EXCLUDED_TOGETHER, ())
        return tuple((self.key(pair.name), self.key(pair.partner)) for pair in pairs)

    @cached_property
    def concerned(self) -> frozenset[str]:
        """Return the keys of aliases, of cards with a maximum, and of those of a pair."""
        together = [key for pair in self.pairs for key in pair]
        return frozenset([*self.originals, *self.most_copies, *together])

    @cached_property
    def listed(self) -> frozenset[str]:
        """Return the keys of all cards of the lists, partners of a pair included."""
        cards = [card for listed in self.cards.values() for card in listed]
        return frozenset(card_key(name) for card in cards for name in (card.name, card.partner))

    @cached_property
    def _keys(self) -> Mapping[str, frozenset[str]]:
        return {
            which: frozenset(card_key(card.name) for card in cards)
            for which, cards in self.cards.items()
        }


NO_LISTS = CardLists()


def read_card_lists(rows: Iterable[Mapping[str, str]], *, dated: date) -> CardLists:
    """Return the card lists that valid rows of a file describe.

    Keys of a row: list, card, expansion, aliases (separated by ``|``), with (the partner).
    """
    cards: dict[str, list[ListedCard]] = {}
    originals: dict[str, str] = {}
    for row in rows:
        card = ListedCard(
            name=row["card"],
            expansion=row.get("expansion") or "",
            aliases=tuple(alias for alias in (row.get("aliases") or "").split("|") if alias),
            partner=row.get("with") or "",
        )
        cards.setdefault(row["list"], []).append(card)
        originals |= {card_key(alias): card_key(card.name) for alias in card.aliases}
    return CardLists(
        dated=dated,
        cards={which: tuple(listed) for which, listed in cards.items()},
        originals=originals,
    )


def shipped_lists(name: str) -> tuple[CardLists, ...]:
    """Return all dated card lists shipped for a game, oldest first.

    ``name`` is the game's in ``data/<name>-<date>.csv``. Old files are kept: events that started
    with them still use them.
    """
    found = []
    for path in sorted(DATA.glob(f"{name}-????-??-??.csv")):
        dated = date.fromisoformat(path.stem.removeprefix(f"{name}-"))
        with path.open(encoding="utf-8", newline="") as file:
            found.append(read_card_lists(csv.DictReader(file), dated=dated))
    return tuple(found)


@dataclass(frozen=True, slots=True, kw_only=True)
class ListChanges:
    """The differences between two versions of the card lists.

    ``added``, ``removed`` and ``changed`` (another expansion or other aliases) are by list;
    ``moved`` are (card, old list, new list).
    """

    added: Mapping[str, tuple[ListedCard, ...]]
    removed: Mapping[str, tuple[ListedCard, ...]]
    changed: Mapping[str, tuple[ListedCard, ...]]
    moved: tuple[tuple[ListedCard, str, str], ...]

    @property
    def is_empty(self) -> bool:
        """Return whether there are no changes."""
        return not (self.added or self.removed or self.changed or self.moved)


def compare_lists(old: CardLists, new: CardLists) -> ListChanges:
    """Return the changes from the old lists to the new ones."""
    before = {which: _cards_by_key(old, which) for which in LABELS}
    after = {which: _cards_by_key(new, which) for which in LABELS}
    places = _list_of_card(after)
    moved = {
        key: (after[places[key]][key], here, places[key])
        for key, here in _list_of_card(before).items()
        if places.get(key, here) != here
    }
    gone = {(here, key) for key, (_card, here, _there) in moved.items()}
    come = {(there, key) for key, (_card, _here, there) in moved.items()}
    return ListChanges(
        added=_select_cards(after, lambda which, key: key not in before[which], come),
        removed=_select_cards(before, lambda which, key: key not in after[which], gone),
        changed=_select_cards(
            after,
            lambda which, key: key in before[which] and before[which][key] != after[which][key],
            set(),
        ),
        moved=tuple(moved.values()),
    )


Cards = Mapping[str, Mapping[str, ListedCard]]


def _cards_by_key(lists: CardLists, which: str) -> dict[str, ListedCard]:
    """Return the cards of a list by name; a pair by both names in sorted order."""
    return {
        "\n".join(sorted(filter(None, (name_key(card.name), name_key(card.partner))))): card
        for card in lists.cards.get(which, ())
    }


def _list_of_card(cards: Cards) -> dict[str, str]:
    return {key: which for which in COPIES for key in cards[which]}


def _select_cards(
    cards: Cards, wanted: Callable[[str, str], bool], but: set[tuple[str, str]]
) -> dict[str, tuple[ListedCard, ...]]:
    picked = {
        which: tuple(
            card for key, card in kept.items() if wanted(which, key) and (which, key) not in but
        )
        for which, kept in cards.items()
    }
    return {which: kept for which, kept in picked.items() if kept}


COLUMN_NAMES: Mapping[str, Sentence] = {
    "list": Sentence("List"),
    "card": Sentence("Card"),
    "expansion": Sentence("Expansion"),
    "aliases": Sentence("Aliases"),
    "with": Sentence("With"),
}
"""Accepted headers of each column, in English and Italian."""

LIST_NAMES: Mapping[str, Sentence] = {
    BANNED: Sentence("banned"),
    LIMITED: Sentence("limited"),
    SEMI_LIMITED: Sentence("semi-limited"),
    EXCLUDED_TOGETHER: Sentence("excluded together"),
    REMOVE_AFTER_USE: Sentence("removed after use"),
}
"""Accepted names of each list, in English and Italian."""

_COLUMN_WORDS = {
    "list": ("list", "lists", "lista", "liste", "elenco"),
    "card": ("card", "carta", "name", "nome"),
    "expansion": ("expansion", "espansione", "set"),
    "aliases": ("aliases", "alias"),
    "with": ("with", "con", "insieme a"),
}
_LIST_WORDS = {
    BANNED: ("banned", "forbidden", "vietate", "vietata", "bandite", "bandita", "proibite"),
    LIMITED: ("limited", "limitate", "limitata"),
    SEMI_LIMITED: ("semi limited", "semilimited", "semi limitate", "semilimitate", "semilimitata"),
    EXCLUDED_TOGETHER: ("excluded together", "escluse insieme", "mai insieme", "never together"),
    REMOVE_AFTER_USE: (
        *("remove after use", "removed after use", "rimosse dopo l'uso", "rimossa dopo l'uso"),
        *("da rimuovere dopo l'uso", "rimuovere dopo l'uso"),
    ),
}


def column_key(header: str) -> str | None:
    """Return the column (a key of ``COLUMN_NAMES``) that a header names, else None."""
    return _key_of_word(header, _COLUMN_WORDS)


def card_list_key(word: str) -> str | None:
    """Return the card list (a key of ``LIST_NAMES``) that a cell names, else None."""
    return _key_of_word(word, _LIST_WORDS)


def _key_of_word(text: str, words: Mapping[str, tuple[str, ...]]) -> str | None:
    folded = " ".join(name_key(text).replace("-", " ").replace("_", " ").split())
    return next((key for key, known in words.items() if folded in known), None)


COLUMNS = tuple(COLUMN_NAMES)
MOST_ROWS = 5000
LONGEST = {"card": 160, "expansion": 80, "aliases": 400, "with": 160}

Row = Mapping[str, str]
"""One row by column, without its empty columns."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RowProblem:
    """Why a row of a file is rejected: a message; ``line`` is its row number, from 1."""

    line: int
    sentence: Sentence


@dataclass(frozen=True, slots=True, kw_only=True)
class CardListRows:
    """The valid rows of a file, problems of the others, and the columns that the file has."""

    rows: tuple[Row, ...]
    problems: tuple[RowProblem, ...]
    columns: frozenset[str] = frozenset()


def read_card_list_rows(numbered: Iterable[tuple[int, Mapping[str, str]]]) -> CardListRows:
    """Return the valid rows of a file of card lists, and the problems of the others.

    ``numbered`` are (row number, cells by header). Blank rows are skipped. A file without cards or
    without a required column is a problem too.
    """
    rows: list[Row] = []
    problems: list[RowProblem] = []
    columns: set[str] = set()
    lines: dict[tuple[str, ...], int] = {}
    meant: dict[str, str] = {}
    for line, given in numbered:
        named = _cells_by_column(given)
        columns |= named.keys()
        if not rows and not problems and (lacking := {"list", "card"} - named.keys()):
            missing = tuple(COLUMN_NAMES[column] for column in sorted(lacking))
            problems.append(_row_problem(1, _("Columns missing: %(columns)s."), columns=missing))
            break
        row = {column: text for column in COLUMNS if (text := named.get(column, ""))}
        if not row:
            continue
        if len(rows) + len(problems) >= MOST_ROWS:
            problems.append(_row_problem(line, _("At most %(most)s rows."), most=MOST_ROWS))
            break
        row["list"] = card_list_key(row.get("list", "")) or row.get("list", "")
        found = [
            RowProblem(line=line, sentence=fault) for fault in _faults(row, line, lines, meant)
        ]
        problems.extend(found)
        if not found:
            rows.append(row)
    if not rows and not problems:
        problems.append(_row_problem(1, _("The file has no cards.")))
    return CardListRows(rows=tuple(rows), problems=tuple(problems), columns=frozenset(columns))


def fill_in_missing_columns(read: CardListRows, before: CardLists) -> tuple[Row, ...]:
    """Return a file's rows, with columns that it lacks copied from the ``before`` lists.

    A file without aliases keeps those of its cards; one without pairs keeps the pairs.
    """
    rows = list(read.rows)
    if "aliases" not in read.columns:
        known = {
            name_key(card.name): "|".join(card.aliases)
            for cards in before.cards.values()
            for card in cards
            if card.aliases
        }
        named = {name_key(row["card"]) for row in rows}
        rows = [
            {**row, "aliases": aliases}
            if (aliases := known.get(name_key(row["card"])))
            and not named & set(map(name_key, aliases.split("|")))
            else row
            for row in rows
        ]
    if "with" not in read.columns:
        rows += [
            {"list": EXCLUDED_TOGETHER, "card": pair.name, "with": pair.partner}
            for pair in before.cards.get(EXCLUDED_TOGETHER, ())
        ]
    return tuple(rows)


def _row_problem(line: int, template: str, **values: object) -> RowProblem:
    return RowProblem(line=line, sentence=Sentence(template, values))


def _cells_by_column(given: Mapping[str, str]) -> dict[str, str]:
    """Return the normalised cells by column name; unknown columns are ignored."""
    named: dict[str, str] = {}
    for header, text in given.items():
        column = column_key(header) if isinstance(header, str) else None
        if column is not None:
            named[column] = clean_line(text) if isinstance(text, str) else ""
    if "aliases" in named:
        aliases = (alias.strip() for alias in named["aliases"].split("|"))
        named["aliases"] = "|".join(dict.fromkeys(filter(None, aliases)))
    return named


def _faults(
    row: Row, line: int, lines: dict[tuple[str, ...], int], meant: dict[str, str]
) -> Iterable[Sentence]:
    if row["list"] not in LIST_NAMES:
        return [
            Sentence(
                "Use one of: %(known)s.",
                {"known": tuple(LIST_NAMES.values())},
            )
        ]
    faults = [
        Sentence(
            "%(column)s: at most %(most)s characters.",
            {"column": COLUMN_NAMES[column], "most": most},
        )
        for column, most in LONGEST.items()
        if len(row.get(column, "")) > most
    ]
    if not _is_name(row.get("card", "")):
        faults.append(Sentence("The card name is missing."))
    pair, second = row["list"] == EXCLUDED_TOGETHER, row.get("with", "")
    if pair and (not _is_name(second) or card_key(second) == card_key(row.get("card", ""))):
        faults.append(Sentence("A pair needs two different cards."))
    elif not pair and second:
        faults.append(Sentence("Only pairs can have a second card."))
    return faults or [*_clashes(row, line, lines, meant)]


def _is_name(text: str) -> bool:
    return any(char.isalpha() for char in text)


def _clashes(
    row: Row, line: int, lines: dict[tuple[str, ...], int], meant: dict[str, str]
) -> Iterable[Sentence]:
    """Yield contradictions of a row with earlier rows about the same card.

    ``lines`` has the line of each card in each list, ``meant`` the card of each alias.
    """
    card = card_key(row["card"])
    keys: list[tuple[str, ...]] = [(row["list"], card)]
    if row["list"] in COPIES:
        keys = [("copies", card)]
    elif row["list"] == EXCLUDED_TOGETHER:
        keys = [(row["list"], *sorted((card, card_key(row["with"]))))]
    for key in keys:
        earlier = lines.setdefault(key, line)
        if earlier != line:
            yield Sentence(
                "“%(card)s” is also in row %(row)s. Remove one.",
                {"card": row["card"], "row": earlier},
            )
    for name in filter(None, (row["card"], *row.get("aliases", "").split("|"))):
        if meant.setdefault(card_key(name), card) != card:
            yield Sentence("“%(name)s” matches two different cards.", {"name": name})
