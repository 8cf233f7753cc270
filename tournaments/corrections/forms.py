"""The form by which a way to go on with a correction is chosen."""

from collections.abc import Iterable
from typing import Any, cast

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from tournaments.core.replays import round_to_come
from tournaments.core.rows import AnyEntry
from tournaments.corrections.selectors.choices import (
    FOLLOW,
    KEEP,
    TAKE_BACK,
    Correction,
    played_again_at,
)

NOW, LATER = "now", "later"


class ByeForm(forms.Form):
    """Who should rest in a round, by number."""

    player = forms.TypedChoiceField(
        coerce=int,
        label=_("Who should rest"),
        error_messages={
            "required": _("Choose who should rest. Nothing was stored."),
            "invalid_choice": _("Choose one of these players. Nothing was stored."),
        },
    )

    def __init__(self, data: Any, *, players: Iterable[AnyEntry]) -> None:
        """Offer these players."""
        super().__init__(data)
        choices = [(str(entry.number), entry.display_name) for entry in players]
        self.fields["player"].choices = [("", "—"), *choices]  # type: ignore[attr-defined]


class ConfirmForm(forms.Form):
    """Which way to go on with a correction, and what each of them asks for.

    ``shown`` is the mark of what the page foretold, ``again`` the matches to be played again, by
    key, ``when`` that is, ``typed`` the event's name where results go.
    """

    reason = forms.CharField(label=_("Reason, which everybody reads"), max_length=500)
    later = forms.ChoiceField(
        choices=[(KEEP, ""), (FOLLOW, ""), (TAKE_BACK, "")],
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
        keys = [(str(pk), "") for pk in played_again_at(found)]
        self.fields["again"].choices = keys  # type: ignore[attr-defined]
        if self.way == TAKE_BACK:
            self.fields["reason"].required = False

    @property
    def way(self) -> str:
        """Return the way that was chosen, by a button or by what goes along with one."""
        chosen = self.data.get("later") or self.data.get("confirm")
        return chosen if chosen in (FOLLOW, TAKE_BACK) else KEEP

    @property
    def now(self) -> bool:
        """Return whether what is played again is played now, not before the round to come."""
        return bool(self.data.get("when") == NOW)

    @property
    def to_come(self) -> int:
        """Return the round before which matches can be played again, 0 if only now."""
        return round_to_come(self.found.target) if self.found.target else 0

    @property
    def void(self) -> frozenset[int]:
        """Return the keys of the matches that are not played again."""
        again = {
            int(each) for each in cast(QueryDict, self.data).getlist("again") if each.isdecimal()
        }
        return frozenset(played_again_at(self.found)) - again
