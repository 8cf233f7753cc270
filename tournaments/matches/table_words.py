"""Results of tables of three and more as text."""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from rules.people.person_names import joined
from rules.point_parts import points_as_text
from rules.results import EndedBy, Mark, Outcome, Result
from rules.tables.results import UNITS, TablePoints
from tournaments.core.labels import ending_label, ordinal
from tournaments.core.rows import AnyReport

MARK_WORDS: Mapping[Mark, Promise] = {
    Mark.ABSENT: gettext_lazy("absent: %(names)s"),
    Mark.CONCEDED: gettext_lazy("conceded: %(names)s"),
    Mark.DISQUALIFIED: gettext_lazy("disqualified: %(names)s"),
}
"""Who has a mark, at the end of a result."""


def mark_word(mark: Mark) -> str:
    """Return what is noted of a seat, in a word."""
    return {Mark.ABSENT: _("absent"), Mark.CONCEDED: _("concedes")}.get(mark, _("disqualified"))


def points_in_words(points: TablePoints) -> str:
    """Return what a table is worth, as one or two sentences."""
    if points.by_place:
        words = _("Points by place: %(places)s. Whoever shares places shares their points.")
        return words % {"places": ", ".join(map(str, points.by_place))}
    words = _(
        "Points at a table: %(first)s for the winner, %(drawn)s each for those between whom it is "
        "drawn, %(other)s for the others."
    )
    return words % {"first": points.first, "drawn": points.drawn, "other": points.other}


def absent_words(names: Sequence[str]) -> str:
    """Return who is absent at a table at which the others play on."""
    if not names:
        return _("all are there")
    words = ngettext(
        "%(names)s is absent, the others play on",
        "%(names)s are absent, the others play on",
        len(names),
    )
    return words % {"names": joined(names)}


def in_figures(report: AnyReport) -> str:
    """Return the places by seat, "2–1–2–2", "×" for one without; how a void one ended."""
    if report.places is None:
        return ending_label(EndedBy.VOID)
    return "–".join(str(place or "×") for place in report.places)


def table_with_names(outcome: Outcome, names: Sequence[str]) -> str:
    """Return a result with names in the order of seats: who won, or drew, or the order."""
    return ", ".join([_head(outcome, names), *_marked(outcome, names)])


def worth_in_words(outcome: Outcome, names: Sequence[str], points: TablePoints) -> str:
    """Return the points that a result gives, "Points: Dora 5 · Anna, Bruno 0"; "" for none."""
    if not outcome.counts:
        return ""
    table = Result(seats=tuple(names), outcome=outcome)
    by_points: dict[int, list[str]] = {}
    for name, made in zip(names, points.of(table), strict=True):
        by_points.setdefault(made, []).append(name)
    each = (
        f"{', '.join(by_points[made])} {points_as_text(Fraction(made, UNITS))}"
        for made in sorted(by_points, reverse=True)
    )
    return _("Points: %(each)s") % {"each": " · ".join(each)}


def _head(outcome: Outcome, names: Sequence[str]) -> str:
    if not outcome.counts:
        return _("Counts for nothing")
    at = {place: _names_at(place, outcome, names) for place in outcome.places if place}
    first, others = at.get(1, []), [place for place in sorted(at) if place > 1]
    if not first:
        return _("Nobody wins")
    if len(others) > 1:
        order = [f"{ordinal(place)} {joined(at[place])}" for place in sorted(at)]
        return ", ".join(order)
    if len(first) > 1:
        return _("Drawn between %(names)s") % {"names": joined(first)}
    return _("%(name)s wins") % {"name": first[0]}


def _names_at(place: int, outcome: Outcome, names: Sequence[str]) -> list[str]:
    found = zip(names, outcome.places, strict=True)
    return [name for name, own in found if own == place]


def _marked(outcome: Outcome, names: Sequence[str]) -> Iterator[str]:
    for mark, words in MARK_WORDS.items():
        seats = [seat for seat, own in outcome.marks if own is mark]
        if seats:
            yield str(words) % {"names": joined(names[seat - 1] for seat in seats)}
