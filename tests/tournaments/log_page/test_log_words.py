"""The log's lines in words, in both languages."""

import pytest
from django.utils.translation import override

from rules.formulas.custom import write_definition
from rules.formulas.examples import CONSOLATION
from tests import factories as make
from tournaments.core.event_state import load_facts
from tournaments.formulas.services import save_formula
from tournaments.log_page.selectors.lines import in_words, subject_of
from tournaments.models import LogLine
from tournaments.rounds import services as rounds


def test_states_and_endings_are_in_words_in_italian() -> None:
    line = LogLine(
        action="result.entered",
        before={"state": "open", "ended_by": ""},
        after={"state": "final", "ended_by": "bye", "pairings": [1, None]},
    )
    with override("it"):
        shown = {change.label: (change.before, change.after) for change in in_words(line).changes}
    assert shown == {
        "stato": ("In gioco", "conta"),
        "finito per": ("", "riposo"),
        "abbinamenti": ("", "1, –"),
    }


def test_settings_are_in_words_in_italian() -> None:
    line = LogLine(
        action="event.changed",
        before={"criteria": ["points", "lots"], "decklists": "required"},
        after={"criteria": ["lots"], "decklists": "off", "formula": "single-group"},
    )
    with override("it"):
        shown = {change.label: (change.before, change.after) for change in in_words(line).changes}
    assert shown["criteri"] == ("Punti, Sorteggio", "Sorteggio")
    assert ("Obbligatorie", "Non si consegnano") in shown.values()
    assert ("", "Girone unico") in shown.values()


def test_places_that_were_kept_are_named() -> None:
    kept = [{"place": "A1", "holds": 3, "belongs": 4}, {"place": "R2", "holds": 4, "belongs": 5}]
    line = LogLine(action="result.corrected", before={}, after={"kept": kept})
    with override("it"):
        (change,) = in_words(line).changes
    assert (change.label, change.after) == (
        "posti lasciati com’erano, contro la classifica",
        "A1, R2",
    )


@pytest.mark.django_db
def test_stages_rounds_and_draws_are_in_words_in_italian() -> None:
    by = make.organiser()
    event = make.started(by, 8, formula="groups-knockout", options={"groups": 2})
    make.play_stage(event, by)
    while needed := load_facts(event).open_stage.outcome.lots_needed:
        make.draws.draw_lots(event=event, tied=needed[0], seed="x", by=by)
    make.stages.close_stage(event=event, expected_stage=1, by=by)
    paired = list(make.next_round(event, by).matches.values_list("a__number", "b__number"))
    rounds.take_back_round(event=event, ordinal=4, by=by)
    make.stages.take_back_stage(event=event, expected_stage=2, by=by)
    with override("it"):
        shown = {line.action: in_words(line).changes for line in event.log.all()}
    values = {
        action: {change.label: change.before or change.after for change in changes}
        for action, changes in shown.items()
    }
    assert values["stage.closed"]["prossima"] == "Eliminazione diretta"
    assert values["stage.taken_back"] == {"di nuovo aperta": "Gironi"}
    assert values["draw.start"]["seme"]
    assert values["round.taken_back"] == {
        "abbinamenti": ", ".join(f"{a}, {b}" for a, b in paired),
    }


def test_what_was_taken_back_is_named() -> None:
    line = LogLine(
        action="act.undone",
        subject="3",
        after={"line": 30, "since": 29, "action": "round.published"},
    )
    with override("it"):
        row = in_words(line)
    assert (row.what, row.changes) == ("Annullato – Turno pubblicato", ())


@pytest.mark.django_db
def test_moments_and_own_formulas_are_in_words() -> None:
    by = make.organiser()
    saved = save_formula(owner=by.user, data=write_definition(CONSOLATION.definition(str)))
    event = make.event(by, formula=saved.slug)
    with override("en"):
        changes = {
            one.label: one for one in in_words(event.log.get(action="event.created")).changes
        }
    assert changes["starts at"].after == "Sat 5 December 2026, 10:00"
    assert changes["formula"].after == saved.name


def test_a_match_is_named_by_its_players_and_where_they_sit() -> None:
    line = LogLine(action="result.entered", subject="5/1: Ada – Bea")
    with override("en"):
        assert subject_of(line) == "Ada – Bea (round 5, table 1)"
        assert subject_of(LogLine(action="clock.started", subject="2")) == "round 2"
    undone = LogLine(action="act.undone", subject="5/1: Ada", after={"action": "call.made"})
    with override("it"):
        assert subject_of(undone) == "Ada (turno 5, tavolo 1)"
    assert subject_of(LogLine(action="entry.added", subject="5/1: Ada")) == "5/1: Ada"
