"""What results are worth in an event: points, in parts of one, and the columns with them."""

from fractions import Fraction

from rules.point_parts import in_parts
from rules.stages.kind import is_of_tables
from tournaments.core.mapping import plan_of
from tournaments.models import Event


def worth_of(event: Event) -> tuple[Fraction, Fraction, Fraction]:
    """Return what a win, a draw and a loss are worth in points."""
    parts = event.points_parts or 1
    return (
        Fraction(event.points_win, parts),
        Fraction(event.points_draw, parts),
        Fraction(event.points_loss, parts),
    )


def worth_in_columns(win: Fraction, draw: Fraction, loss: Fraction) -> dict[str, int | None]:
    """Return the columns of an event that hold these points."""
    (win_parts, draw_parts, loss_parts), parts = in_parts((win, draw, loss))
    return {
        "points_win": win_parts,
        "points_draw": draw_parts,
        "points_loss": loss_parts,
        "points_parts": None if parts == 1 else parts,
    }


def has_half_byes(event: Event) -> bool:
    """Return whether half a bye can be given: points have parts, and no stage is of tables.

    Points of tables are whole: a place has some, and so has a bye.
    """
    in_halves = (event.points_parts or 1) > 1
    return in_halves and not (event.plan and any(map(is_of_tables, plan_of(event).stages)))
