"""The forms of corrections: what is right, and which option is chosen."""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, cast

from django import forms
from django.http import HttpRequest, HttpResponse, QueryDict
from django.utils.html import format_html
from django.utils.translation import gettext_lazy as _

from config.api import status_code
from config.web import render_page
from config.wording import add_rule_error, error_message
from rules.errors import BadInput, RuleError
from rules.results import PlayerId
from tournaments.core.event_state import EventFacts
from tournaments.core.facts_cache import read_facts
from tournaments.core.permissions import Actor, can_manage, can_rule
from tournaments.core.replays import (
    before_round_text,
    during_round_text,
    next_round_ordinal,
    open_round_ordinal,
)
from tournaments.core.rows import AnyEntry
from tournaments.corrections.selectors.choices import (
    FOLLOW,
    KEEP,
    TAKE_BACK,
    TAKE_OUT,
    Correction,
    DisplayNames,
    replayable_match_keys,
)
from tournaments.corrections.selectors.page import correction_options_context
from tournaments.corrections.selectors.seat import seat_correction_context
from tournaments.models import Entry, Event
from tournaments.players.services.entries import clean_person
from tournaments.results.selectors import contradicted_rounds

NOW, LATER = "now", "later"


class ByeForm(forms.Form):
    """Form to choose the player, by number, who gets the bye instead."""

    player = forms.TypedChoiceField(
        coerce=int,
        label=_("Bye"),
        error_messages={"invalid_choice": _("Choose one of the options.")},
    )

    def __init__(self, data: Any, *, players: Iterable[AnyEntry]) -> None:
        """Offer these players."""
        super().__init__(data)
        choices = [(str(entry.number), entry.display_name) for entry in players]
        self.fields["player"].choices = [("", "—"), *choices]  # type: ignore[attr-defined]


class ConfirmCorrectionForm(forms.Form):
    """Form to choose and confirm an option of a correction.

    The option (keep, follow, take_back or take_out) is the value of ``later`` or of the pressed
    button. ``shown``: the ``Correction.mark`` of the page. ``again``: primary keys of the matches
    to be replayed; ``when``: now or before the next round. ``typed``: the event's name, needed if
    results are deleted.
    """

    reason = forms.CharField(label=_("Reason (public)"), max_length=500)
    later = forms.ChoiceField(
        choices=[(KEEP, ""), (FOLLOW, ""), (TAKE_BACK, ""), (TAKE_OUT, "")],
        required=False,
        widget=forms.HiddenInput,
    )
    shown = forms.CharField(max_length=40, required=False, widget=forms.HiddenInput)
    when = forms.ChoiceField(choices=[(NOW, ""), (LATER, "")], required=False)
    again = forms.TypedMultipleChoiceField(coerce=int, required=False)
    typed = forms.CharField(max_length=140, required=False)

    def __init__(self, data: Any = None, *, found: Correction, **options: Any) -> None:
        """Offer the matches of a correction that may be played again."""
        super().__init__(data, **options)
        self.found = found
        keys = [(str(pk), "") for pk in replayable_match_keys(found)]
        self.fields["again"].choices = keys  # type: ignore[attr-defined]
        if self.way == TAKE_BACK:
            self.fields["reason"].required = False

    @property
    def way(self) -> str:
        """Return the way that was chosen, by a button or by what goes along with one."""
        chosen = self.data.get("later") or self.data.get("confirm")
        return chosen if chosen in (FOLLOW, TAKE_BACK, TAKE_OUT) else KEEP

    @property
    def now(self) -> bool:
        """Return whether what is played again is played now, not before the round to come."""
        return bool(self.data.get("when") == NOW)

    @property
    def before(self) -> str:
        """Return before which round matches can be played again, in words; "" if only now."""
        target = self.found.target
        coming = next_round_ordinal(target) if target else 0
        return before_round_text(target, coming) if target and coming else ""

    @property
    def during(self) -> str:
        """Return during which round they are played if now, in words; "" if none is going on."""
        target = self.found.target
        number = open_round_ordinal(target) if target else 0
        return during_round_text(target, number) if target and number else ""

    @property
    def void(self) -> frozenset[int]:
        """Return the keys of the matches that are not played again."""
        again = {
            int(each) for each in cast(QueryDict, self.data).getlist("again") if each.isdecimal()
        }
        return frozenset(replayable_match_keys(self.found)) - again

    def arguments(self, usual_reason: str) -> dict[str, Any]:
        """Return what a valid form asks of a service of corrections, by its arguments."""
        return {
            "way": self.way,
            "shown": self.cleaned_data["shown"],
            "reason": self.cleaned_data["reason"] or usual_reason,
            "void": self.void,
            "now": self.now,
            "confirm": self.cleaned_data["typed"],
        }


class SeedCorrectionForm(forms.Form):
    """Form with each player's correct seed or, for a start drawn by hand, position."""

    def __init__(self, data: Any = None, *, players: Sequence[AnyEntry], by_hand: bool) -> None:
        """Add a field for each player, in the order in which they are seated."""
        super().__init__(data)
        self.players, self.by_hand = players, by_hand
        for place, entry in enumerate(players, start=1):
            self.fields[self.name_of(entry)] = forms.IntegerField(
                label=format_html("<bdi>{}</bdi>", entry.display_name),
                required=by_hand,
                min_value=1,
                max_value=len(players) if by_hand else 10_000,
                initial=place if by_hand else entry.seed,
            )

    def name_of(self, entry: AnyEntry) -> str:
        """Return the name of a player's field."""
        return f"{'place' if self.by_hand else 'seed'}_{entry.number}"

    @property
    def rows(self) -> list[tuple[int, forms.BoundField]]:
        """Return the fields, each with the place in which the player is seated now."""
        bound = (self[self.name_of(entry)] for entry in self.players)
        return list(enumerate(bound, start=1))

    def clean(self) -> dict[str, Any]:
        """Return the cleaned data; add an error if two players have one number."""
        values = super().clean() or {}
        given = [each for each in values.values() if each is not None]
        if not self.errors and len({*given}) != len(given):
            raise forms.ValidationError(_("Two players have the same number."))
        return values

    @property
    def seeds(self) -> dict[PlayerId, int | None]:
        """Return the seed that each player should have had; empty of an order drawn by hand."""
        if self.by_hand:
            return {}
        return {entry.number: self.cleaned_data[self.name_of(entry)] for entry in self.players}

    @property
    def order(self) -> list[int]:
        """Return the right order of a start drawn by hand; else empty."""
        if not self.by_hand:
            return []
        places = {entry.number: self.cleaned_data[self.name_of(entry)] for entry in self.players}
        return sorted(places, key=lambda number: places[number])


class ReplacementForm(forms.Form):
    """Form to choose a player's replacement: from the waiting list, or a new name."""

    comes = forms.TypedChoiceField(
        coerce=int, empty_value=None, required=False, label=_("Waiting list")
    )
    name = forms.CharField(
        max_length=Entry._meta.get_field("name").max_length,
        required=False,
        label=_("New player"),
    )

    def __init__(self, data: Any = None, *, players: Iterable[AnyEntry]) -> None:
        """Offer these players."""
        super().__init__(data)
        self.waiting = [(str(entry.number), entry.display_name) for entry in players]
        self.fields["comes"].choices = [("", "—"), *self.waiting]  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        """Return the cleaned data; add an error if two are named for one seat, or no name."""
        values = super().clean() or {}
        if values.get("comes") and values.get("name"):
            raise forms.ValidationError(_("Choose one of the options."))
        if values.get("name"):
            try:
                values["name"] = clean_person(values["name"], "", "").name
            except BadInput as error:
                self.add_error("name", error_message(error))
        return values


STORED = 302
"""The status once a form is stored: another page is shown then."""
Foretell = Callable[[EventFacts, Collection[int]], Correction]
"""Returns what follows, without the matches of these keys being played again."""
Store = Callable[..., object]
"""Stores a correction, called with `ConfirmForm.arguments`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrectionHeader:
    """The top of a correction's page, as texts.

    ``after``: the correct value; ``before``: the wrong one; ``where``: what is corrected, such as
    "Final · Table 1".
    """

    after: str
    where: str
    before: str


def store_if_valid(confirm: ConfirmCorrectionForm, store: Store, usual_reason: str = "") -> int:
    """Store a correction if its form is valid; return an HTTP status.

    It is `STORED` (302), or that of the refusal, which is added to the form's errors. ``store`` is
    called with the form's `arguments`; ``usual_reason`` replaces an empty reason.
    """
    if not confirm.is_valid():
        return 400
    try:
        store(**confirm.arguments(usual_reason))
    except RuleError as error:
        add_rule_error(confirm, error)
        return status_code(error)
    return STORED


def correction_response(
    request: HttpRequest,
    *,
    event: Event,
    actor: Actor,
    foretell: Foretell,
    store: Store,
    head: CorrectionHeader,
    correct: str,
    sent: Sequence[tuple[str, str]],
    usual_reason: str = "",
) -> HttpResponse | None:
    """Return the page with a correction's effects and options, None once it is stored.

    ``foretell(facts, void)`` computes the correction; ``store`` carries it out. ``head``: the
    page's header. ``correct``: label of the button that stores the correction alone; ``sent``:
    (name, value) of hidden fields that describe the correction; ``usual_reason``: stored instead of
    an empty reason.
    """
    asked = ConfirmCorrectionForm(
        request.POST, found=foretell(read_facts(event, for_staff=True), ())
    )
    confirm, status = asked, 200
    if (
        "confirm" in request.POST
        and (status := store_if_valid(asked, store, usual_reason)) == STORED
    ):
        return None
    void = asked.void if {"confirm", "recount"} & {*request.POST} else ()
    found = foretell(read_facts(event, for_staff=True), void)
    if status == 200:
        confirm = ConfirmCorrectionForm(
            found=found, initial={"reason": request.POST.get("reason", "")}
        )
    context = {
        "event": event,
        "actor": actor,
        "head": head,
        "correct": correct,
        "sent": sent,
        "confirm": confirm,
        "may_follow": can_rule(actor, event),
        "may_take_back": can_manage(actor, event),
    }
    names = DisplayNames(found.facts.entries)
    if asked.way == FOLLOW and found.follows is not None and found.why_not is None:
        context["shown"] = seat_correction_context(found, names)
        return render_page(request, "tournaments/corrections/seat.html", context, status=status)
    context |= {
        "shown": correction_options_context(found, names),
        "effects": contradicted_rounds(found.facts, found.stage, found.effects),
    }
    return render_page(request, "tournaments/corrections/choices.html", context, status=status)
