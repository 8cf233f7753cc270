"""Fields locked after their page had been opened, and fields that are needed sometimes."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _


def needed_sometimes(field: forms.CharField) -> forms.CharField:
    """Return a field that some choices of its form need, and that is not called optional."""
    field.sometimes = True  # type: ignore[attr-defined]
    return field


def refuse_locked(form: forms.Form) -> None:
    """Add an error if a changed value was submitted for a disabled field.

    Browsers do not submit disabled fields, so the value comes from a page opened before the field
    was locked. An unticked checkbox looks like one that was not submitted.
    """
    labels = [str(item.label) for name, item in form.fields.items() if _sent_anew(form, name, item)]
    if labels:
        words = _("After the start this can't be changed: %(what)s. Nothing was stored.")
        form.add_error(None, words % {"what": ", ".join(labels)})


def _sent_anew(form: forms.Form, name: str, item: forms.Field) -> bool:
    key = form.add_prefix(name)
    if not item.disabled or key not in form.data:
        return False
    sent = item.widget.value_from_datadict(form.data, form.files, key)
    held = form.get_initial_for_field(item, name)
    return _as_text(item, sent) != _as_text(item, held)


def _as_text(item: forms.Field, value: Any) -> str:
    """Return a value as the field's ``to_python`` reads it, or unchanged if it is invalid."""
    try:
        read = item.to_python(value)
    except forms.ValidationError:
        read = value
    return "" if read is None else str(read)
