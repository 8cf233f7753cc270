"""The rules of an event as sentences, those on time among them, made from its settings."""

from collections.abc import Iterator
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from config.wording import error_message, translate
from decks.labels import format_label
from rules.criteria.of_tables import find_criterion
from rules.deckbuilding.formats import MatchDefaults
from rules.errors import RuleError
from rules.formulas import describe_plan
from rules.formulas.base import Formula
from rules.numbers import format_points
from rules.plans import FormulaPlan
from rules.stages.base import has_multiplayer_tables, stage_kind
from rules.tables.results import TablePoints
from tournaments.core.formulas import (
    build_plan,
    formula_by_slug,
    is_multiplayer,
    option_texts,
    result_points,
)
from tournaments.core.mapping import event_table_points, stored_plan
from tournaments.core.visibility import (
    Audience,
    are_lists_public,
    has_decks,
    has_leaders,
    parse_audiences,
    possible_stages,
)
from tournaments.decklists.selectors.rules import card_lists_in_force, event_rules_without_cards
from tournaments.matches.words import describe_table_points
from tournaments.models import Event


def _time_at_tables(plan: FormulaPlan | None) -> Iterator[str]:
    yield _("Without a winner, the match is a draw.")
    cuts = [
        stage for stage in (plan.stages if plan else ()) if not stage_kind(stage).pairs_by_points
    ]
    if any(has_multiplayer_tables(stage) for stage in cuts):
        yield _("If a top cut table ends in a draw, its best seed advances.")
    if any(stage_kind(stage).has_bracket for stage in cuts):
        yield _("Knock-out matches can’t end in a draw: a judge decides.")


def match_time_rules(
    event: Event, play: MatchDefaults, plan: FormulaPlan | None
) -> tuple[str, ...]:
    """Return sentences on what decides a match when time is up.

    ``play`` are the format's match defaults.
    """
    words: list[str] = []
    knockout = plan is None or any(stage_kind(stage).has_bracket for stage in plan.stages)
    if is_multiplayer(event.formula):
        words += _time_at_tables(plan)
    elif play.score == "promotion":
        words += _time_of_promotion(knockout=knockout)
    else:
        words += _at_time(play, draws=has_standings(plan))
        if knockout:
            words.append(_("Knock-out matches can’t end in a draw: a judge decides."))
    return tuple(filter(None, words))


def _limits(event: Event, plan: FormulaPlan | None) -> Iterator[str]:
    """Yield what else holds of minutes: overtime, and stages without limit."""
    if event.overtime:
        yield _("Minutes of overtime") + f": {event.overtime}."
    untimed = [translate(stage.label) for stage in (plan.stages if plan else ()) if not stage.timed]
    if untimed:
        yield _("No time limit: %(stages)s.") % {"stages": ", ".join(untimed)}


def has_standings(plan: FormulaPlan | None) -> bool:
    """Return whether any stage of a plan has standings; True without a plan."""
    return plan is None or any(stage_kind(stage).has_table for stage in plan.stages)


def _time_of_promotion(*, knockout: bool) -> Iterator[str]:
    yield _(
        "The game stops at the end of the second player’s turn. "
        "The player with more promotion points wins."
    )
    yield _("Without a winner, the match is a draw.")
    if knockout:
        yield _(
            "In the knock-out, ties are broken by the number of warriors in play "
            "(not counting SDOPPIAMENTO cards), then by three more turns each."
        )


def _at_time(play: MatchDefaults, *, draws: bool) -> Iterator[str]:
    """Yield what decides a match whose time is up; ``draws``: the event has matches with draws."""
    if not play.draws:
        yield _("There are no draws. If there is no winner, both players lose or a judge decides.")
        return
    if play.score == "points":
        yield _("The player with more points wins.")
    elif max(play.best_of, play.final_best_of) > 1:
        yield _("The player who wins more games wins the match.")
    if draws:
        yield _("Without a winner, the match is a draw.")


def rules_page_context(event: Event, players: int) -> dict[str, Any]:
    """Return the template context of an event's rules page; at most four queries.

    ``players``: number so far, for the provisional plan. ``decklists`` and ``first`` (who plays
    first) are "" without decks; ``points`` and ``criteria`` are () for brackets alone.
    """
    deck_rules = event_rules_without_cards(event)
    deck_format = deck_rules.format
    plan, note = plan_with_note(event, players)
    decks = has_decks(event)
    formula = formula_by_slug(event.formula)
    formula_words = (
        (*map(translate, formula.beside_plan), *map(translate, describe_plan(plan)))
        if plan
        else _formula_as_chosen(event, formula)
    )
    standings = has_standings(plan)
    return {
        "plan": plan,
        "match": _match_in_words(event, deck_format.match),
        "limits": tuple(_limits(event, plan)),
        "leaving": _leaving(event, plan),
        "points": _points_in_words(event, plan) if standings else (),
        "criteria": tuple(
            find_criterion(key, at_tables=is_multiplayer(event.formula))
            for key in (event.criteria if standings else ())
        ),
        "formula": tuple(filter(None, formula_words)),
        "formula_note": note,
        "time": match_time_rules(event, deck_format.match, plan),
        "format": format_label(deck_format),
        "lists": card_lists_in_force(deck_rules),
        "decklists": f"{event.get_decklists_display()}." if decks else "",
        "open_lists": tuple(_open_lists(event)),
        "first": _who_begins(event, deck_format.match, decks=decks),
        "rulings": event.rulings.strip(),
    }


def _who_begins(event: Event, play: MatchDefaults, *, decks: bool) -> str:
    """Return who begins a match; "" where that is a matter of a game without decks."""
    if is_multiplayer(event.formula):
        return _("Seat 1 goes first.")
    return translate(play.first) if decks else ""


def plan_with_note(event: Event, players: int) -> tuple[FormulaPlan | None, str]:
    """Return (plan, note): the stored plan, before the start one for ``players``.

    The note says for how many players the plan is, or why there is none.
    """
    if event.plan is not None:
        return stored_plan(event), ""
    try:
        plan = build_plan(event, players)
    except RuleError as error:
        return None, error_message(error)
    return plan, _("Players") + f": {players}."


def _formula_as_chosen(event: Event, formula: Formula) -> Iterator[str]:
    """Yield what is certain of a formula without a plan: what is chosen, else what it can be."""
    chosen = [
        (option, event.options[option.key])
        for option in formula.options
        if event.options.get(option.key, option.default) != option.default
    ]
    yield from map(translate, formula.beside_plan if chosen else (formula.about,))
    for option, value in chosen:
        for label, words in option_texts(option, value):
            name = label.partition(" (")[0]  # what else the option could be is said where it is set
            yield f"{name}: {words}."


def _points_in_words(event: Event, plan: FormulaPlan | None) -> tuple[str, ...]:
    if is_multiplayer(event.formula):
        return _points_at_tables(event_table_points(event))
    win, draw, loss = map(format_points, result_points(event))
    values = {"win": win, "draw": draw, "loss": loss}
    return (
        _("Win: %(win)s, draw: %(draw)s, loss: %(loss)s.") % values,
        *_byes_in_words(plan),
    )


def _leaving(event: Event, plan: FormulaPlan | None) -> str:
    if is_multiplayer(event.formula):
        return _("The others at the table continue.")
    if any(stage_kind(stage).pairs_by_points for stage in (plan.stages if plan else ())):
        return _("The match in progress counts as a loss; earlier results stand.")
    return _("The remaining matches are forfeited; earlier results stand.")


def _byes_in_words(plan: FormulaPlan | None) -> Iterator[str]:
    """Yield what a bye counts, and what a rest in a group of an odd number, where there is one."""
    kinds = [(stage_kind(stage), stage) for stage in (plan.stages if plan else ())]
    if not kinds or any(kind.pairs_by_points or kind.has_bracket for kind, _stage in kinds):
        yield _("A bye counts as a win.")
    if any(
        kind.all_meet and any(len(group.seats) % 2 for group in stage.groups)
        for kind, stage in kinds
    ):
        yield _("A bye in a group gives no points.")


def _points_at_tables(points: TablePoints) -> tuple[str, ...]:
    return (
        describe_table_points(points),
        _("Points for a bye: %(bye)s.") % {"bye": points.bye},
    )


def _match_at_tables(event: Event) -> tuple[str, ...]:
    return (
        _("A match is one game."),
        _("Players report their results") + "."
        if event.player_reports
        else _("The staff enter results."),
    )


def _match_in_words(event: Event, play: MatchDefaults) -> tuple[str, ...]:
    if is_multiplayer(event.formula):
        return _match_at_tables(event)
    words = []
    if play.score == "promotion":
        words.append(_("One game to %(target)s points.") % {"target": play.target})
        words.append(_("If tied at %(target)s, play for 10 more points.") % {"target": play.target})
    elif play.score == "points" and play.target is not None:
        words.append(_("One game to %(target)s points.") % {"target": play.target})
    elif play.score == "points" or play.best_of == 1:
        words.append(_("A match is one game."))
    else:
        words.append(_("Best of %(games)s") % {"games": play.best_of} + ".")
    words.append(
        _("Players report their results") + "."
        if event.player_reports
        else _("The staff enter results.")
    )
    if event.player_reports and event.confirm_after:
        words.append(
            _("Minutes until a player’s report becomes final") + f": {event.confirm_after}."
        )
    return tuple(words)


def _open_lists(event: Event) -> Iterator[str]:
    """Yield sentences on open lists and public Leaders."""
    if event.decklists == Event.Decklists.OFF:
        return
    if are_lists_public(event):
        yield _("Public") + "."
        return
    possible = (
        {stage.key: stage.label for stage in stored_plan(event).stages}
        if event.plan
        else possible_stages(formula_by_slug(event.formula))
    )
    labels = {key: translate(label) for key, label in possible.items()}
    words = {
        Audience.OPPONENTS: _("Open to opponents"),
        Audience.ALL: _("Open to all players in the stage"),
    }
    chosen = parse_audiences(event.open_lists)
    for audience, label in words.items():
        stages = [labels.get(key, key) for key, whom in chosen.items() if whom is audience]
        if stages:
            yield f"{label}: {', '.join(stages)}."
    if not chosen:
        yield pgettext("decklists", "Closed") + "."
    if event.show_leaders and has_leaders(event):
        yield _("Leaders become public with the first pairings") + "."
