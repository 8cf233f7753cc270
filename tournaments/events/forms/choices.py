"""The folded groups of settings in the form of an event, each with a summary of one line."""

import json
from collections.abc import Iterator
from typing import Any

from django.forms import BoundField
from django.utils.translation import gettext as _

from config.wording import translate
from tournaments.events.forms.event import EventForm
from tournaments.events.forms.formula_fields import open_fields, option_names
from tournaments.events.forms.table_points import FIELDS as TABLE_POINTS

FIRST = ("name", "starts_at", "venue", "capacity", "decklists")
"""The fields that stand open; the template is chosen above them."""

PLAY, PEOPLE, STANDINGS, REST = "play", "people", "standings", "rest"
GROUPS = {
    PLAY: (
        *("format", "formula", "minutes", "overtime", "breaks", "ends_by", "warnings", "tables"),
        "paired_elsewhere",
    ),
    PEOPLE: (
        *("registration_opens", "registration_closes", "decklist_deadline", "cards"),
        *("player_reports", "confirm_after", "show_leaders", "apart_clubs"),
    ),
    STANDINGS: (
        *("points_win", "points_draw", "points_loss", "preset"),
        *("standings_held", "show_prospects"),
    ),
    REST: ("fee", "about", "time_zone", "listed"),
}


def groups_of(form: EventForm) -> tuple[dict[str, Any], ...]:
    """Return the groups of a form; no query.

    ``changed`` is the number of values that differ from the template's, ``wrong`` says whether a
    field has an error.
    """
    headings = {
        PLAY: _("How it is played"),
        PEOPLE: _("Players and decklists") if form.decks else _("Players"),
        STANDINGS: _("Points and standings"),
        REST: _("Fee, description, time zone"),
    }
    changed = {
        name
        for name, usual in _template_values(form).items()
        if _as_field_value(form[name].value()) != usual
    }
    return tuple(
        {
            "key": key,
            "heading": headings[key],
            "holds": " · ".join(filter(None, _summary_of_group(form, key))),
            "changed": len(changed & names),
            "wrong": bool(names & set(form.errors)) or (key == STANDINGS and _without_field(form)),
        }
        for key, names in ((key, set(_names(form, key))) for key in GROUPS)
    )


def usual_json(form: EventForm) -> str:
    """Return the template's value of each folded field as JSON, to count what was changed."""
    return json.dumps(_template_values(form))


def _template_values(form: EventForm) -> dict[str, str]:
    names = [name for key in GROUPS for name in _names(form, key)]
    fields = {name: form.fields[name] for name in names}
    return {
        name: _as_field_value(field.prepare_value(form.get_initial_for_field(field, name)))
        for name, field in fields.items()
    }


def _as_field_value(value: Any) -> str:
    """Return a value as the browser's field holds it; a ticked box holds "on"."""
    if value is None or value is False:
        return ""
    return "on" if value is True else str(value).replace("\r\n", "\n").strip()


def _names(form: EventForm, key: str) -> Iterator[str]:
    yield from (name for name in GROUPS[key] if name in form.fields)
    if key == STANDINGS:
        yield from (name for name in TABLE_POINTS if name in form.fields)
    formula = form.offered.get(form.chosen)
    if key == PLAY and formula:
        yield from option_names(formula)
        yield from (name for name, _field in open_fields(formula))
    if key == STANDINGS:
        yield from (bound.html_name for bound in (*form.criteria_used(), *form.criteria_unused()))


def _without_field(form: EventForm) -> bool:
    return bool(form.non_field_errors())


def _summary_of_group(form: EventForm, key: str) -> Iterator[str]:
    """Yield the parts of a group's summary, from the values in the form."""

    def value(name: str) -> str:
        shown = form[name].value() if name in form.fields else None
        return "" if shown is None or shown is False else str(shown)

    match key:
        case "play":
            yield _chosen_label(form["format"])
            yield _chosen_label(form["formula"])
            yield _("%(minutes)s min a round") % {"minutes": value("minutes")}
            if breaks := value("breaks").strip():
                at = ", ".join(line.split()[0] for line in breaks.splitlines() if line.split())
                yield _("break at %(time)s") % {"time": at}
            if until := value("ends_by"):
                yield _("must end by %(time)s") % {"time": until[:5]}
            if value("paired_elsewhere") == "True":
                yield _("paired elsewhere")
        case "people":
            opens, until = value("registration_opens"), value("decklist_deadline")
            yield _opening(opens)
            if until:
                yield _("decklists until %(moment)s") % {"moment": until.replace("T", " ")[:16]}
            if value("player_reports"):
                yield _("players report their results")
            else:
                yield _("the staff enter the results")
        case "standings":
            if form.at_tables:
                yield _("points: %(points)s") % {"points": _chosen_label(form["table_worth"])}
            else:
                yield _("%(win)s/%(draw)s/%(loss)s points") % {
                    key: value(f"points_{key}") for key in ("win", "draw", "loss")
                }
            yield _order(form)
            if value("standings_held"):
                yield _chosen_label(form["standings_held"]).lower()
        case _:
            yield value("fee")[:40]
            yield value("time_zone")
            if value("listed") == "False":
                yield _("not listed")


def _opening(opens: str) -> str:
    if opens:
        return _("registration from %(moment)s") % {"moment": opens.replace("T", " ")[:16]}
    return _("you open registration")


def _order(form: EventForm) -> str:
    prefix, presets = form.prefix_of_criteria, form.presets
    used = [field.html_name.removeprefix(prefix) for field in form.criteria_used()]
    if form["preset"].value() in presets:
        used = list(presets.get(str(form["preset"].value())).criteria)
    named = next((one for one in presets if list(one.criteria) == used), None)
    if named and not form.asks_game:
        return _("order: %(name)s") % {"name": translate(named.label)}
    return ", ".join(translate(form.criteria.get(key).label) for key in used[:3])


def _chosen_label(bound: BoundField) -> str:
    """Return the label of the value of a field of choices."""
    flat = dict[str, Any]()
    for key, label in bound.field.choices:  # type: ignore[attr-defined]
        flat.update(label if isinstance(label, list | tuple) else [(key, label)])
    return str(flat.get(str(bound.value()), ""))
