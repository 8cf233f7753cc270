"""The public page of the prizes; the organiser's table, ticks and CSV file."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from django import forms
from django.forms import BoundField
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import path
from django.utils.text import format_lazy
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_safe

from config.web import done
from config.wording import translate
from rules.events.prizes import (
    BY,
    LONGEST_PRIZE,
    MOST_ROWS,
    PLACE,
    RECORD,
    PrizeTable,
    read_prizes,
)
from rules.json_reader import WrongValue
from tournaments.core.event_state import EventFacts
from tournaments.core.facts_cache import read_facts
from tournaments.exports.api import as_csv, as_download
from tournaments.pages.access import EVENT, OrganiserFormView, organiser_event
from tournaments.pages.offers import public_read
from tournaments.pages.views import acts, live_page
from tournaments.prizes.selectors import (
    has_prizes,
    money,
    prize_budget,
    prizes_of,
    table_rows,
    winner_rows,
)
from tournaments.prizes.services import mark_prize, prizes_fingerprint, set_prizes

COLUMNS = {"from": 12, "to": 12, "prize": LONGEST_PRIZE, "value": 12}
"""Fields of a row, and how many characters each takes."""
SPARE = 4
FEWEST = 6
LABELS = {
    "from": gettext_lazy("From"),
    "to": gettext_lazy("To"),
    "prize": gettext_lazy("Prize"),
    "value": gettext_lazy("Value"),
}
NAMES = (
    (PLACE, gettext_lazy("By place")),
    (RECORD, gettext_lazy("By record (W–L–D), such as 3–0")),
)
PATH = re.compile(r"rows\[(\d+)\](?:\.(\w+))?")


class PrizesForm(forms.Form):
    """The table of prizes; empty rows are ignored.

    ``seen`` is the fingerprint of the table that the page showed.
    """

    by = forms.ChoiceField(label=gettext_lazy("Prizes"), choices=NAMES, initial=BY[0])
    available = forms.CharField(
        label=gettext_lazy("Available"), max_length=COLUMNS["value"], required=False
    )
    published = forms.BooleanField(
        label=gettext_lazy("Show the prizes to everybody"), required=False
    )
    seen = forms.CharField(max_length=20, widget=forms.HiddenInput)

    def __init__(self, data: Any = None, *args: Any, table: PrizeTable, **kwargs: Any) -> None:
        super().__init__(data, *args, **kwargs)
        self.table: PrizeTable | None = None
        sent = sum(f"prize_{at}" in data for at in range(MOST_ROWS)) if data is not None else 0
        self.count = min(max(sent, len(table.rows) + SPARE, FEWEST), MOST_ROWS)
        for at in range(self.count):
            for name, most in COLUMNS.items():
                field = forms.CharField(max_length=most, required=False, label=LABELS[name])
                words = format_lazy("{} {}", LABELS[name], at + 1)
                field.widget.attrs |= {"autocomplete": "off", "aria-label": words}
                self.fields[f"{name}_{at}"] = field
        self.initial = {**initial_of(table), **self.initial}

    @property
    def rows(self) -> Iterator[list[BoundField]]:
        """Yield the fields of each row."""
        for at in range(self.count):
            yield [self[f"{name}_{at}"] for name in COLUMNS]

    def clean(self) -> dict[str, Any]:
        """Read the table; what is wrong with a row stands at its field."""
        sent = self.cleaned_data
        by = sent.get("by", PLACE)
        given = [
            at for at in range(self.count) if any(sent.get(f"{name}_{at}") for name in COLUMNS)
        ]
        found = {
            "by": by,
            "rows": [
                {
                    "from": _place(sent.get(f"from_{at}", ""), by),
                    "to": _place(sent.get(f"to_{at}", ""), by),
                    "prize": sent.get(f"prize_{at}", ""),
                    "value": sent.get(f"value_{at}", ""),
                }
                for at in given
            ],
            "available": sent.get("available", ""),
            "published": sent.get("published", False),
        }
        if self.errors:
            return sent
        try:
            self.table = read_prizes(found)
        except WrongValue as wrong:
            self.add_error(self._field_at(wrong, given), translate(wrong.problem))
        return sent

    def _field_at(self, wrong: WrongValue, given: list[int]) -> str | None:
        found = PATH.match(wrong.path)
        if found is None:
            return "available" if wrong.path == "available" else None
        return f"{found[2] or 'from'}_{given[int(found[1])]}"


def initial_of(table: PrizeTable) -> dict[str, object]:
    """Return the form's initial values for a table of prizes."""
    found: dict[str, object] = {"by": table.by, "published": table.published}
    found["available"] = money(table.available)
    for at, row in enumerate(table.rows):
        found |= {
            f"from_{at}": row.first,
            f"prize_{at}": row.prize,
            f"value_{at}": money(row.cents),
        }
        found[f"to_{at}"] = "" if row.last == row.first else row.last
    return found


def _place(typed: str, by: str) -> object:
    """Return what was typed as programs send it: a number by place, None for nothing."""
    text = typed.strip()
    if not text:
        return None
    return int(text) if by == PLACE and text.isascii() and text.isdecimal() else text


@public_read()
def prizes(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the prizes, and their winners once the event is finished; 404 if private."""

    def show(facts: EventFacts) -> Mapping[str, Any]:
        if not has_prizes(facts.event):
            raise Http404
        table = prizes_of(facts.event)
        return {"table": table, "rows": table_rows(table), "winners": winner_rows(facts)}

    return live_page(request, slug, "tournaments/prizes/prizes.html", show)


class Prizes(OrganiserFormView):
    """Edit the table of prizes; of a finished event show winners and sums too."""

    template_name, form_class = "tournaments/prizes/manage.html", PrizesForm

    def get_initial(self) -> dict[str, Any]:
        """Remember which table is shown."""
        return {"seen": prizes_fingerprint(self.event)}

    def get_form_kwargs(self) -> dict[str, Any]:
        """Add the present table."""
        return super().get_form_kwargs() | {"table": prizes_of(self.event)}

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Add winners and sums."""
        facts, is_set = read_facts(self.event), bool(prizes_of(self.event).rows)
        sums, winners = prize_budget(facts), winner_rows(facts)
        figures = (
            (_("Prizes"), sums.prizes if is_set else None),
            (_("Available"), sums.available),
            (_("Fees collected"), sums.fees),
            (_("Remaining"), sums.left if is_set else None),
        )
        return super().get_context_data(
            winners=winners,
            handed=sum(row.given for row in winners),
            figures=[(label, money(cents)) for label, cents in figures if cents is not None],
            short=sums.left is not None and sums.left < 0,
            **kwargs,
        )

    def act(self, form: PrizesForm) -> HttpResponse:
        """Store the table."""
        seen = form.cleaned_data["seen"]
        table = form.table.as_json() if form.table else {}
        set_prizes(event=self.event, table=table, seen=seen, by=self.actor)
        return done(self.request, _("Saved."), "tournaments:manage-prizes", self.event.slug)


@acts("tournaments:manage-prizes")
def hand_out(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Record whether a prize was handed out."""
    event, actor = organiser_event(request, slug)
    given = request.POST.get("given") == "1"
    mark_prize(event=event, number=number, given=given, by=actor)
    return done(request, _("Saved."), "tournaments:manage-prizes", slug)


@require_safe
def prizes_csv(request: HttpRequest, slug: str) -> HttpResponse:
    """Return the winners and their prizes as CSV, for organisers."""
    event, _actor = organiser_event(request, slug)
    rows: list[Mapping[str, Any]] = [
        {
            "number": row.entry.number,
            "name": row.entry.display_name,
            "rank": row.rank,
            "record": row.record,
            "prize": row.prize,
            "value": row.value,
            "handed_out": row.given,
        }
        for row in winner_rows(read_facts(event))
    ]
    heads = ("number", "name", "rank", "record", "prize", "value", "handed_out")
    return as_download(as_csv(rows, heads), f"{event.slug}-prizes")


urlpatterns = [
    path(f"{EVENT}prizes/", prizes, name="prizes"),
    path(f"{EVENT}manage/prizes/", Prizes.as_view(), name="manage-prizes"),
    path(f"{EVENT}manage/prizes/<int:number>/", hand_out, name="manage-prize"),
    path(f"{EVENT}manage/prizes/winners.csv", prizes_csv, name="prizes-csv"),
]
