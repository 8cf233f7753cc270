"""Names that people type to confirm an act."""

from rules.errors import BadInput
from rules.wording import gettext_noop as _

RESULTS_GO = _("Nothing was changed: type “%(name)s” to confirm that results may go.")


def check_typed(typed: str, *names: str, otherwise: str = RESULTS_GO) -> None:
    """Raise BadInput ``not_confirmed`` unless one of the names was typed; case is ignored.

    ``otherwise`` is its sentence.
    """
    if _folded(typed) not in {_folded(name) for name in names}:
        raise BadInput("not_confirmed", otherwise, name=names[0])


def _folded(text: str) -> str:
    return " ".join(text.split()).casefold()
