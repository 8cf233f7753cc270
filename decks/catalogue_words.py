"""What a load of cards changes, in words."""

from django.utils.formats import number_format
from django.utils.translation import gettext as _

from decks.catalogue_changes import Changes


def in_numbers(changes: Changes) -> str:
    """Return the counts in the active language; those that go only where some do."""
    numbers = {
        "new": counted(len(changes.new)),
        "changed": counted(len(changes.changed)),
        "equal": counted(changes.equal),
        "gone": counted(len(changes.gone)),
    }
    if changes.gone:
        return _("%(new)s new, %(changed)s changed, %(equal)s equal, %(gone)s taken out.") % numbers
    return _("%(new)s new, %(changed)s changed, %(equal)s equal.") % numbers


def counted(number: int) -> str:
    """Return a number with its thousands apart, as the active language writes it."""
    return str(number_format(number, force_grouping=True))
