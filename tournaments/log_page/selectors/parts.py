"""Values of log lines that hold several, such as a formula's options, in words part by part."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from typing import Any

from django.utils.translation import gettext as _

from rules.errors import RuleError
from rules.formulas import FORMULAS, TABLE_FORMULAS
from rules.results import Mark
from rules.standings.table_points_json import points_from
from tournaments.core.formulas import is_saved
from tournaments.core.labels import group_label, place_label
from tournaments.core.mapping import plan_of
from tournaments.core.option_words import option_in_words
from tournaments.log_page.selectors.words import FATES, TERMS
from tournaments.matches.table_words import mark_word, points_in_words
from tournaments.models import LogLine

Parts = dict[str, str]
"""Values by what each is of, in words."""


def parts_of(line: LogLine, key: str, label: str, value: object) -> Parts | None:
    """Return the parts of one value of a line; None if it does not hold several.

    What has no words here, because another program wrote it, has no part.
    """
    if isinstance(value, dict) and key in OBJECTS:
        with suppress(RuleError, TypeError, ValueError):
            return {str(name): text for name, text in OBJECTS[key](line, label, value)}
        return {}
    if isinstance(value, dict):
        return {}
    if isinstance(value, list) and key in LISTS:
        with suppress(KeyError, TypeError, ValueError):
            return {} if not value else {label: ", ".join(LISTS[key](line, each) for each in value)}
        return {}
    return None


def _options(line: LogLine, _label: str, options: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield the options of a formula, as the formula of that time calls them."""
    slug = str(line.after.get("formula") or line.event.formula)
    known = sorted((*FORMULAS, *TABLE_FORMULAS), key=lambda formula: formula.key != slug)
    if is_saved(slug):
        return
    for key, value in options.items():
        found = next((o for formula in known for o in formula.options if o.key == key), None)
        if found is not None:
            yield from option_in_words(found, value)


def _marks(_line: LogLine, _label: str, marks: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for seat, mark in marks.items():
        yield _("seat %(number)s") % {"number": seat}, mark_word(Mark(mark))


def _points(_line: LogLine, label: str, points: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    yield label, points_in_words(points_from(points))


def _terms(_line: LogLine, label: str, terms: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for key, words in TERMS.items():
        match terms.get(key):
            case bool() as asked:
                yield f"{label}: {words}", _("yes") if asked else _("no")
            case [*names]:
                yield f"{label}: {words}", ", ".join(map(str, names))
            case str() | int() as value if value:
                yield f"{label}: {words}", str(value)


def _places(_line: LogLine, label: str, places: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield the places that a stage gave as one, each with the number of who has it."""
    yield label, ", ".join(f"{place_label(name)}: {holder}" for name, holder in places.items())


def _seeds(_line: LogLine, _label: str, seeds: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for player, seed in seeds.items():
        words = _("seed of player %(number)s") % {"number": player}
        yield words, "" if seed is None else str(seed)


def _seat(line: LogLine, seat: Mapping[str, Any]) -> str:
    """Return who left a seat and who has it now, by number: "Group A, seat 4: 1 → 7"."""
    plans = plan_of(line.event).stages if line.event.plan else ()
    stage = next((each for each in plans if each.key == line.after.get("stage")), None)
    values = {name: "–" if each is None else each for name, each in seat.items()}
    where = group_label(stage, str(seat["group"])) if stage else ""
    words = _("seat %(seat)s: %(out)s → %(in)s") % values
    return ", ".join(filter(None, (where, words)))


def _match(_line: LogLine, match: Mapping[str, Any]) -> str:
    words = _("round %(round)s, match %(match)s: %(fate)s")
    return words % {**match, "fate": FATES[match["fate"]]}


def _break(_line: LogLine, one: Mapping[str, Any]) -> str:
    minutes = _("%(minutes)s min") % {"minutes": one["minutes"]}
    return " ".join(filter(None, (one["at"], minutes, one.get("label", ""))))


OBJECTS: Mapping[str, Callable[[LogLine, str, Mapping[str, Any]], Iterator[tuple[str, str]]]] = {
    "options": _options,
    "marks": _marks,
    "table_points": _points,
    "contact_terms": _terms,
    "places": _places,
    "seeds": _seeds,
}
LISTS: Mapping[str, Callable[[LogLine, Mapping[str, Any]], str]] = {
    "seats": _seat,
    "matches": _match,
    "breaks": _break,
}
