"""Fields that can't be changed any more, in a form that was opened while they still could."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _


def refuse_locked(form: forms.Form) -> None:
    """Add an error where something else was sent for a disabled field than what it holds.

    A browser sends nothing for such a field: the page was opened before, and what was typed there
    would go unsaid. A box that was unticked can't be told from one that is not sent.
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
    return _text(item, sent) != _text(item, held)


def _text(item: forms.Field, value: Any) -> str:
    """Return a value as the field reads it, as it is where it can't be read."""
    try:
        read = item.to_python(value)
    except forms.ValidationError:
        read = value
    return "" if read is None else str(read)
