"""What the columns of an event may hold, asked of the rules when needed."""

from config.wording import translate
from rules.deckbuilding.formats import FORMATS
from rules.formulas import FORMULAS


def formula_choices() -> list[tuple[str, str]]:
    """Return the slug and the name of every formula, in the reader's language."""
    return [(formula.key, translate(formula.label)) for formula in FORMULAS]


def format_choices() -> list[tuple[str, str]]:
    """Return the slug and the name of every deck format, in the reader's language."""
    return [
        (item.key, f"{translate(item.game_label)} – {translate(item.label)}") for item in FORMATS
    ]
