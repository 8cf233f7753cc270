"""The fields of a player's contact."""

from typing import Any

from django import forms
from django.utils.translation import gettext, ngettext

from config.wording import explain
from rules.errors import BadInput
from rules.people import contacts as rule
from rules.people.contacts import ContactTerms, key_of
from tournaments.players.selectors.answers import KnownContact, membership_name

PREFIX = "member_"


class ContactFields(forms.Form):
    """Fields for an e-mail address and for membership numbers, called after their names.

    At registration those that ``terms`` ask for, required where these say why; to a player later
    also what of their ``contact`` is known; to the ``staff`` all of it and the address, none
    required.
    """

    def __init__(
        self,
        *args: Any,
        terms: ContactTerms,
        contact: KnownContact | None = None,
        staff: bool = False,
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        self.contact_fields: list[str] = []
        known, required = contact or KnownContact(), bool(terms.why) and not staff
        if terms.email or staff or known.email:
            self._add(
                "email",
                forms.CharField(
                    label=gettext("E-mail address"),
                    required=required and terms.email,
                    max_length=rule.LONGEST_ADDRESS,
                    widget=forms.EmailInput(attrs={"autocomplete": "off" if staff else "email"}),
                ),
                known.email,
            )
            if not staff:
                label = ngettext(
                    "My address may be used for later events, for %(days)s day.",
                    "My address may be used for later events, for %(days)s days.",
                    terms.days,
                )
                agreed = forms.BooleanField(label=label % {"days": terms.days}, required=False)
                self.fields["later"] = agreed
                self.initial.setdefault("later", known.later_since is not None)
        asked = {key_of(name): name for name in terms.memberships}
        for key in dict.fromkeys((*asked, *known.memberships)):
            number = forms.CharField(
                label=membership_name(key, terms.memberships),
                required=required and key in asked,
                max_length=rule.LONGEST_NUMBER,
                widget=forms.TextInput(attrs={"autocomplete": "off"}),
            )
            self._add(PREFIX + key, number, known.memberships.get(key, ""))
        for name in self.contact_fields:
            self.fields[name].help_text = "" if staff else seen_by(terms)

    def _add(self, name: str, field: forms.Field, value: str) -> None:
        self.fields[name] = field
        self.initial.setdefault(name, value)
        self.contact_fields.append(name)

    @property
    def contact_asks(self) -> list[forms.BoundField]:
        later = ["later"] if "later" in self.fields else []
        return [self[name] for name in (*self.contact_fields, *later)]

    def clean(self) -> dict[str, Any]:
        """Reject an address that is none and a number that can't be one, each at its field."""
        values = super().clean() or {}
        for name in self.contact_fields:
            text = values.get(name) or ""
            try:
                if name == "email":
                    rule.clean_email(text)
                else:
                    rule.clean_memberships({name.removeprefix(PREFIX): text})
            except BadInput as refused:
                self.add_error(name, explain(refused))
        return values

    def field_of(self, path: str) -> str:
        """Return the field of a path such as ``memberships.konami``."""
        return path.replace("memberships.", PREFIX)

    @property
    def contact(self) -> dict[str, Any]:
        """Return ``email`` and ``memberships`` by key, and ``later``; call it on a valid form."""
        numbers = [name for name in self.contact_fields if name != "email"]
        return {
            "email": self.cleaned_data.get("email") or "",
            "memberships": {
                name.removeprefix(PREFIX): self.cleaned_data[name] or "" for name in numbers
            },
            **({"later": self.cleaned_data["later"]} if "later" in self.fields else {}),
        }


def seen_by(terms: ContactTerms) -> str:
    """Return who reads a contact and how long it stays, and before it why it must be given."""
    words = ngettext(
        "Read by the organisers alone, deleted %(days)s day after the event.",
        "Read by the organisers alone, deleted %(days)s days after the event.",
        terms.days,
    ) % {"days": terms.days}
    first = f"{terms.why} –" if terms.why else gettext("Not required.")
    return f"{first} {words}"
