"""The sign-in form."""

from typing import Any

from allauth.account.forms import LoginForm
from django import forms


def focus_first(form: forms.Form) -> None:
    """Give the first field of a form the focus when its page opens.

    A form that was refused keeps none: there the summary of what is wrong takes the focus.
    """
    if not form.is_bound:
        next(iter(form.fields.values())).widget.attrs["autofocus"] = True


class SignIn(LoginForm):  # type: ignore[misc]
    """Form to sign in; the first field has the focus.

    ``forgotten`` leads to a new password. It stands below the button: above its field, as the
    field's help, it would be where Tab goes from the address.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        focus_first(self)
        password = self.fields["password"]
        self.forgotten, password.help_text = password.help_text, ""
