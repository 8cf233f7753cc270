"""The rules of an event on time, as sentences."""

from collections.abc import Iterator

from django.utils.translation import gettext as _

from config.wording import translate
from rules.deckbuilding.play import Play
from rules.plans.plan import FormulaPlan
from rules.stages.kind import is_of_tables, kind_of
from tournaments.core.formulas import begins_with_tables
from tournaments.models import Event


def _time_at_tables(plan: FormulaPlan | None) -> Iterator[str]:
    yield _("At time the match is drawn between those who are still in it.")
    cuts = [stage for stage in (plan.stages if plan else ()) if not kind_of(stage).pairs_by_points]
    if any(is_of_tables(stage) for stage in cuts):
        yield _("From a drawn table of the cut the best seed of those who share it goes on.")
    if any(kind_of(stage).has_bracket for stage in cuts):
        yield _("In a knock-out there is no draw: a judge decides a level match.")


def time_in_words(event: Event, play: Play, plan: FormulaPlan | None) -> tuple[str, ...]:
    """Return what holds of time: minutes, what decides a match at its end, stages without limit."""
    words = [_("Minutes a round: %(minutes)s.") % {"minutes": event.minutes}]
    if event.overtime:
        overtime = _("Minutes of overtime after that: %(minutes)s.")
        words.append(overtime % {"minutes": event.overtime})
    knockout = plan is None or any(kind_of(stage).has_bracket for stage in plan.stages)
    if begins_with_tables(event.formula):
        words += _time_at_tables(plan)
    elif play.score == "promotion":
        words += _time_of_promotion(knockout=knockout)
    else:
        words.append(
            _at_time(play, knockout=knockout) if has_standings(plan) else _at_time_in_brackets(play)
        )
        if knockout:
            words.append(_("In a knock-out there is no draw: a judge decides a level match."))
    untimed = [translate(stage.label) for stage in (plan.stages if plan else ()) if not stage.timed]
    if untimed:
        words.append(_("Without time limit: %(stages)s.") % {"stages": ", ".join(untimed)})
    return tuple(filter(None, words))


def has_standings(plan: FormulaPlan | None) -> bool:
    """Return whether a stage has standings, or may; a knock-out has none."""
    return plan is None or any(kind_of(stage).has_table for stage in plan.stages)


def _at_time_in_brackets(play: Play) -> str:
    """Return what decides a match whose time is up where there is no draw at all."""
    if not play.draws:
        return _at_time(play, knockout=True)
    if play.score == "points":
        return _("At time whoever has more points wins.")
    games = max(play.best_of, play.final_best_of) > 1
    return _("At time whoever has won more games wins.") if games else ""


def _time_of_promotion(*, knockout: bool) -> Iterator[str]:
    if not knockout:
        yield _(
            "At time the game stops at the end of the turn of the player who went second. More "
            "promotion points wins; equal points are a draw."
        )
        return
    yield _(
        "At time the game stops at the end of the turn of the player who went second. More "
        "promotion points wins; equal points are a draw outside a knock-out."
    )
    yield _(
        "In a knock-out equal points at time are decided by the warriors in play, not "
        "counting SDOPPIAMENTO cards, then by three more turns each."
    )


def _at_time(play: Play, *, knockout: bool) -> str:
    """Return what decides a match whose time is up; ``knockout``: the event has one, or may."""
    if not play.draws:
        return _("There are no draws: without a winner at time both lose, or a judge decides.")
    if play.score == "points":
        if not knockout:
            return _("At time whoever has more points wins; a level match is a draw.")
        return _(
            "At time whoever has more points wins; outside a knock-out a level match is a draw."
        )
    if max(play.best_of, play.final_best_of) == 1:
        if not knockout:
            return _("At time a game without a winner is a draw.")
        return _("At time a game without a winner is a draw, outside a knock-out.")
    if not knockout:
        return _("At time whoever has won more games wins; a level match is a draw.")
    return _(
        "At time whoever has won more games wins; outside a knock-out a level match is a draw."
    )
