"""The settings of an event as chips: each shows its value and opens alone."""

from collections.abc import Iterable, Iterator, Sized
from dataclasses import dataclass, replace
from typing import Any

from django.forms import BoundField
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from config.wording import translate
from rules.formulas.base import Formula
from tournaments.core.formulas import is_saved
from tournaments.events.forms.event import EventForm
from tournaments.events.forms.table_points import FIELDS as TABLE_POINTS
from tournaments.events.forms.table_points import POINTS
from tournaments.models import Event


@dataclass(frozen=True, slots=True, kw_only=True)
class Chip:
    """A setting: its label, its value in words, and its fields; ``open`` where one is wrong.

    ``part`` is the template that draws its fields where they depend on the formula. ``url`` is the
    page that changes it, where it has one; ``fixed`` settings stay as they are since the start.
    """

    key: str
    label: str
    value: str
    fields: tuple[BoundField, ...] = ()
    open: bool = False
    part: str = ""
    url: str = ""
    fixed: bool = False


ICONS = {
    "swiss-cut": "list-ordered",
    "groups-knockout": "network",
    "single-group": "asterisk",
    "single-elimination": "git-merge",
    "double-elimination": "git-fork",
    "tables-cut": "users",
    "mutant-chronicles": "workflow",
}
"""Icons of Lucide for the ways of playing; a saved one has another."""
ORDER = tuple(ICONS)


def chips_of(form: EventForm) -> tuple[Chip, ...]:
    """Return the chips of the form of a new event; no query."""
    return tuple(_chips(form, new=True))


def settings_chips(form: EventForm, event: Event) -> tuple[Chip, ...]:
    """Return the settings of an event, those fixed since the start last; no query."""

    def address(name: str) -> str:
        return reverse(f"tournaments:{name}", args=[event.slug])

    found = list(_chips(form, new=False))
    if form.locked:
        elsewhere = {"criteria": "manage-criteria"}
        if event.state == Event.State.RUNNING:
            elsewhere["way"] = "plan"
        for at, chip in enumerate(found):
            if chip.key in elsewhere:
                found[at] = replace(chip, fixed=False, url=address(elsewhere[chip.key]))
    others = (
        ("questions", _("Questions and consents"), _count(event.questions) or _("none")),
        ("contact", _("E-mail and membership numbers"), ""),
        ("information", _("Information"), _("written") if event.information else _("none")),
        ("prizes", _("Prizes"), _count(event.prizes.get("rows")) or pgettext("prizes", "none")),
    )
    for key, label, value in others:
        found.append(Chip(key=key, label=label, value=value, url=address(f"manage-{key}")))
    return tuple(sorted(found, key=lambda chip: chip.fixed))


def _count(some: Sized | None) -> str:
    return str(len(some)) if some else ""


def _chips(form: EventForm, *, new: bool) -> Iterator[Chip]:
    formula = form.formula_fields()

    def chip(key: str, label: str, value: str, *names: str, part: str = "") -> Chip:
        own = [name for name in names if name in form.fields]
        beside = [name for name in _beside(form, key, formula) if name in form.fields]
        wrong = any(name in form.errors for name in (*own, *beside))
        wrong = wrong or (key == "criteria" and bool(form.non_field_errors()))
        free = [name for name in (*own, *beside) if not form.fields[name].disabled]
        fields = tuple(form[name] for name in own if not form.locked or name in free)
        return Chip(
            key=key,
            label=label,
            value=value,
            fields=fields,
            open=wrong,
            part=part,
            fixed=form.locked and not free,
        )

    if not new:
        label = str(form.fields["format"].label)
        yield chip("format", label, _chosen(form, "format"), "format")
        yield chip("way", _("Tournament format"), _chosen(form, "formula"), part="way")
    elif "score" in form.fields:
        yield chip("result", _("Result"), _chosen(form, "score").partition(",")[0], "score")
        rules = _chosen(form, "ready").rpartition(" · ")[2]
        yield chip("rules", _("Deck rules"), rules, "ready", "format_name")
    yield chip("minutes", _("Minutes"), _typed(form, "minutes"), "minutes", "overtime", "warnings")
    yield chip("breaks", _("Breaks"), _breaks(form), "breaks", "ends_by")
    yield chip("points", _("Points"), _points(form), part="points")
    yield chip("criteria", _("Tiebreakers"), _order(form), part="criteria")
    if new and formula and formula["more"]:
        yield chip("options", _("Matches"), _options(form), part="more_options")
    limit = _typed(form, "capacity") or pgettext("limit", "none")
    yield chip("limit", _("Limit"), limit, "capacity")
    names: tuple[str, ...] = ("registration_opens", "registration_closes")
    yield chip("registration", _("Registration"), _opening(form), *names)
    if form.decks:
        names = ("decklist_deadline", "cards", "show_leaders")
        if new:
            yield chip("lists", _("Decklists until"), _until(form), *names)
        else:
            shown = _chosen(form, "decklists")
            yield chip("lists", _("Decklists"), shown, "decklists", *names)
        if formula and formula["lists"]:
            yield chip("open_lists", _("Open decklists"), _open_stages(formula), part="lists")
    names = ("player_reports", "confirm_after")
    yield chip("reports", _("Results from phones"), _yes(form, "player_reports"), *names)
    names = ("standings_held", "show_prospects")
    shown = _chosen(form, "standings_held") if _typed(form, "standings_held") else _("at once")
    yield chip("standings", _("Standings"), shown, *names)
    yield chip("fee", _("Fee"), _typed(form, "fee")[:24] or _("none"), "fee")
    pairing = () if form.in_sight else ("paired_elsewhere",)
    others = ("apart_clubs", *pairing, "tables", "listed", "about", "time_zone")
    yield chip("others", _("Others…"), _typed(form, "tables"), *others)


def _beside(form: EventForm, key: str, chosen: dict[str, Any] | None) -> Iterable[str]:
    """Return the names of the fields that a chip's template draws; ``chosen``: the formula's."""
    match key:
        case "points":
            return (*POINTS, *TABLE_POINTS)
        case "criteria":
            return tuple(name for name in form.fields if name.startswith(form.prefix_of_criteria))
        case "options" if chosen:
            return tuple(field.html_name for field in chosen["more"])
        case "way" if chosen:
            return ("formula", *(field.html_name for field in chosen["fields"]))
        case "open_lists" if chosen:
            return tuple(field.html_name for field in chosen["lists"])
        case _:
            return ()


def ways_of(form: EventForm) -> list[dict[str, Any]]:
    """Return the ways of playing to choose: those that came with the program, then saved ones."""
    return [
        {
            "key": one.key,
            "label": translate(one.label),
            "saved": is_saved(one.key),
            "about": translate(one.about),
            "icon": ICONS.get(one.key, "shapes"),
            "checked": one.key == form.chosen,
        }
        for one in sorted(form.offered.values(), key=_place_of)
    ]


def _place_of(one: Formula) -> int:
    return ORDER.index(one.key) if one.key in ORDER else len(ORDER)


def _typed(form: EventForm, name: str) -> str:
    value = form[name].value()
    return "" if value is None else str(value).strip()


def _yes(form: EventForm, name: str) -> str:
    return _("yes") if form[name].value() else _("no")


def _chosen(form: EventForm, name: str) -> str:
    """Return the label of the value of a field of choices."""
    flat = dict[str, Any]()
    for key, label in form.fields[name].choices:  # type: ignore[attr-defined]
        flat.update(label if isinstance(label, list | tuple) else [(key, label)])
    return str(flat.get(str(form[name].value()), ""))


def _breaks(form: EventForm) -> str:
    lines = [line.split() for line in _typed(form, "breaks").splitlines() if line.split()]
    shown = ", ".join(line[0] for line in lines)
    if until := _typed(form, "ends_by")[:5]:
        ends = _("end by %(time)s") % {"time": until}
        return f"{shown}, {ends}" if shown else ends
    return shown or _("none")


def _points(form: EventForm) -> str:
    if form.at_tables:
        return _chosen(form, "table_worth").partition(",")[0]
    return " · ".join(_typed(form, name) for name in POINTS)


def _order(form: EventForm) -> str:
    """Return the name of the order of criteria that is chosen, else its first two after points."""
    prefix, presets = form.prefix_of_criteria, form.presets
    used = [field.html_name.removeprefix(prefix) for field in form.criteria_used()]
    if form["preset"].value() in presets:
        used = list(presets.get(str(form["preset"].value())).criteria)
    after = [key for key in used if key != "points"][:2]
    return ", ".join(translate(form.criteria.get(key).short) for key in after)


def _options(form: EventForm) -> str:
    play = form.play()
    if play is None:
        return ""
    if play.best_of == 1:
        return pgettext("matches of one game", "one game")
    return _("best of %(games)s") % {"games": play.best_of}


def _open_stages(chosen: dict[str, Any]) -> str:
    return ", ".join(str(field.label) for field in chosen["lists"] if field.value()) or _("none")


def _opening(form: EventForm) -> str:
    opens = _typed(form, "registration_opens")
    return opens.replace("T", " ")[:16] if opens else _("when you open it")


def _until(form: EventForm) -> str:
    until = _typed(form, "decklist_deadline")
    return until.replace("T", " ")[:16] if until else _("the start")
