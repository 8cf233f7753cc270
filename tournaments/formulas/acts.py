"""Acts of ``formulas``: its lines of the log, who may write each, how it is undone."""

from django.utils.translation import gettext_lazy as _

from tournaments.core.acts import Act, Never, Shows

FORMULA_CHANGED = Act(
    key="event.formula_changed",
    words=_("Formula changed by its author"),
    undo=Never(_("A formula is changed on its own page.")),
    shows=Shows.TAKES_AWAY,
)
