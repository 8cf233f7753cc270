"""The words of a file of card lists: its columns and the names of its lists, in two languages."""

from collections.abc import Mapping

from rules.deckbuilding.lists import (
    BANNED,
    EXCLUDED_TOGETHER,
    LIMITED,
    REMOVE_AFTER_USE,
    SEMI_LIMITED,
)
from rules.names import name_key
from rules.wording import Sentence
from rules.wording import gettext_noop as _

COLUMN_NAMES: Mapping[str, Sentence] = {
    "list": Sentence(_("list")),
    "card": Sentence(_("card")),
    "expansion": Sentence(_("expansion")),
    "aliases": Sentence(_("aliases")),
    "with": Sentence(_("with")),
}
"""Each column as its header may be written in the reader's language."""

LIST_NAMES: Mapping[str, Sentence] = {
    BANNED: Sentence(_("banned")),
    LIMITED: Sentence(_("limited")),
    SEMI_LIMITED: Sentence(_("semi-limited")),
    EXCLUDED_TOGETHER: Sentence(_("excluded together")),
    REMOVE_AFTER_USE: Sentence(_("removed after use")),
}
"""Each list as a row may name it in the reader's language."""

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


def column_of(header: str) -> str | None:
    """Return the column that a header names; None for any other."""
    return _meant(header, _COLUMN_WORDS)


def list_of(word: str) -> str | None:
    """Return the key of the list that a row names; None for any other word."""
    return _meant(word, _LIST_WORDS)


def _meant(text: str, words: Mapping[str, tuple[str, ...]]) -> str | None:
    folded = " ".join(name_key(text).replace("-", " ").replace("_", " ").split())
    return next((key for key, known in words.items() if folded in known), None)
