"""The page of the log, and what it calls acts, states and values."""

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils.translation import override

from rules.corrections import CorrectionEffect
from rules.formulas.custom import definition_to_json
from rules.formulas.starting_points import CONSOLATION
from tests import factories as make
from tournaments.core.permissions import Actor
from tournaments.formulas.services import save_formula
from tournaments.log_page import selectors as lines
from tournaments.log_page.selectors import FATES, line_subject, log_line_context
from tournaments.models import Event, LogLine
from tournaments.rounds import services as rounds

pytestmark = pytest.mark.django_db


def parts_in_italian(action: str = "event.changed", **values: tuple[object, object]) -> Any:
    """Return what changed by its name, before and after."""
    line = LogLine(
        event=Event(formula="swiss-cut"),
        action=action,
        before={key: before for key, (before, _after) in values.items() if before is not ...},
        after={key: after for key, (_before, after) in values.items()},
    )
    with override("it"):
        return {one.label: (one.before, one.after) for one in log_line_context(line)["changes"]}


def test_states_and_endings_are_in_words_in_italian() -> None:
    shown = parts_in_italian(
        "result.entered",
        state=("open", "final"),
        ended_by=("", "bye"),
        pairings=(..., [[8, 2], [1, None]]),
        version=(..., 1),
        match=(..., 4711),
        games=(..., []),
        score=(..., [2, 1]),
    )
    assert shown == {
        "Stato": ("In gioco", "conta"),
        "Com’è finita": ("", "bye"),
        "Abbinamenti": ("", "8–2, 1–Bye"),
        "Punteggio": ("", "2–1"),
    }


@pytest.mark.parametrize(
    ("games", "told"),
    [
        (["a", "b"], {"Vincitore": ("", "Pareggio")}),
        (
            ["draw"] * 3,
            {
                "Vincitore": ("", "Pareggio"),
                "Com’è finita": ("", "pareggio concordato (ID)"),
            },
        ),
    ],
)
def test_a_draw_is_agreed_on_or_nothing_is_told_of_its_end(
    games: list[str], told: dict[str, object]
) -> None:
    shown = parts_in_italian(
        "result.entered", winner=(..., "draw"), ended_by=(..., "time"), games=(..., games)
    )
    shown.pop("Partite di un incontro")
    assert shown == told


def test_settings_are_in_words_in_italian() -> None:
    shown = parts_in_italian(
        criteria=(["points", "lots"], ["lots"]),
        decklists=("required", "off"),
        formula=(..., "single-group"),
        standings_held=(..., "last"),
    )
    assert shown["Criteri di spareggio"] == ("Punti, Sorteggio", "Sorteggio")
    assert ("Obbligatorie", "Non si consegnano") in shown.values()
    assert ("", "Girone all’italiana") in shown.values()
    assert shown["Classifica"] == ("", "Nascosta dopo l’ultimo turno")


GAMES = "Partite di un incontro"


def test_what_changed_of_the_options_is_told_by_name_and_value() -> None:
    before = {"rounds": 4, "cut": 8, "third_place": True, "best_of": [0, 0, 0], "gone": {"a": 1}}
    after = before | {"cut": 4, "third_place": False, "best_of": [0, 3, 0]}
    assert parts_in_italian(options=(before, after)) == {
        "Top cut": ("8", "4"),
        "Finale per il terzo posto": ("sì", "no"),
        f"{GAMES}: Semifinali": ("Come prevede il gioco", "Al meglio di 3"),
    }
    sizes = parts_in_italian(
        formula=("swiss-cut", "tables-cut"), options=(before, {"sizes": [4, 3]})
    )
    assert sizes.pop("Giocatori per tavolo, prima il numero preferito") == (*("", "4, 3"),)
    assert not any("terzo" in label for label in sizes)


def test_marks_points_and_terms_are_in_words() -> None:
    points = "Punti al tavolo: vittoria 5, pareggio 1, sconfitta 0."
    terms = {"email": True, "memberships": ["Play! ID"], "why": "", "days": 30}
    shown = parts_in_italian(
        marks=({"1": "absent"}, {}),
        table_points=(None, {"preset": "win5"}),
        contact_terms=(terms, terms | {"days": 60}),
        seeds=({"3": None, "4": 2}, {"3": 1, "4": 2}),
        places=({}, {"seed 1": 8, "A1": 5}),
        breaks=([], [{"at": "13:00", "minutes": 30, "label": "Pranzo"}]),
        matches=([], [{"round": 2, "match": 5, "fate": "again"}]),
        seats=([], [{"group": "A", "seat": 4, "out": 1, "in": None}]),
    )
    assert shown == {
        "Posto 1": ("assente", ""),
        "Punti": ("", points),
        "Giorni dall’evento alla cancellazione dei contatti": ("30", "60"),
        "Giocatore 3": ("", "1"),
        "Posti": ("", "Testa di serie 1: 8, A1: 5"),
        "Pause": ("", "13:00 30 min Pranzo"),
        "Incontri": ("", "Turno 2, incontro 5: Da rigiocare"),
        "Posti assegnati": ("", "Posto 4: 1 → –"),
    }


def test_what_no_part_is_known_of_is_not_shown_as_it_is_stored() -> None:
    for key, value in (("options", {"canary": "x"}), ("canary", {"secret": "x"})):
        assert parts_in_italian(**{key: ({}, value)}) == {}
    for key in ("marks", "table_points", "seats", "matches", "breaks"):
        assert "canary" not in str(parts_in_italian(**{key: (None, {"canary": "x"})}))
        assert "canary" not in str(parts_in_italian(**{key: (None, [{"canary": "x"}])}))
    assert {*FATES} == {*CorrectionEffect}


def test_places_that_were_kept_are_named() -> None:
    kept = [{"place": "A1", "holds": 3, "belongs": 4}, {"place": "R2", "holds": 4, "belongs": 5}]
    shown = parts_in_italian("result.corrected", kept=(..., kept))
    assert shown == {"Posti lasciati com’erano": ("", "A1, R2")}


@pytest.mark.deep
@pytest.mark.django_db
def test_stages_rounds_and_draws_are_in_words_in_italian(by) -> None:
    event = make.started(by, 8, formula="groups-knockout", options={"groups": 2})
    make.play_stage(event, by)
    make.close_stage(event, by)
    paired = make.pairs_of(make.next_round(event, by).matches.all())
    rounds.delete_last_round(event=event, ordinal=4, by=by)
    make.stages.reopen_previous_stage(event=event, expected_stage=2, by=by)
    with override("it"):
        shown = {line.action: log_line_context(line)["changes"] for line in event.log.all()}
    values = {
        action: {change.label: change.before or change.after for change in changes}
        for action, changes in shown.items()
    }
    assert values["stage.closed"]["Prossima fase"] == "Eliminazione diretta"
    assert values["stage.taken_back"] == {"Fase": "Gironi"}
    assert values["draw.start"]["Seme"]
    assert values["round.taken_back"] == {
        "Abbinamenti": ", ".join(f"{a}–{b}" for a, b in paired),
    }


def test_what_was_taken_back_is_named() -> None:
    after = {"line": 30, "since": 29, "action": "round.published"}
    line = LogLine(action="act.undone", subject="3", after=after)
    with override("it"):
        row = log_line_context(line)
    assert (row["what"], row["changes"]) == ("Annullato – Turno pubblicato", ())


@pytest.mark.django_db
def test_moments_and_own_formulas_are_in_words(by) -> None:
    saved = save_formula(owner=by.user, data=definition_to_json(CONSOLATION.definition(str)))
    event = make.event(by, formula=saved.slug)
    with override("en"):
        changes = {
            one.label: one
            for one in log_line_context(event.log.get(action="event.created"))["changes"]
        }
    assert changes["Date and time"].after == "Sat 5 December 2026, 10:00"
    assert changes["Tournament format"].after == saved.name


def test_a_match_is_named_by_its_players_and_where_they_sit() -> None:
    line = LogLine(action="result.entered", subject="5/1: Ada – Bea")
    with override("en"):
        assert line_subject(line) == "Ada – Bea · Round 5 · Table 1"
        corrected = LogLine(action="correction.followed", subject="5/1: Ada – Bea")
        assert line_subject(corrected) == "Ada – Bea · Round 5 · Table 1"
        assert line_subject(LogLine(action="clock.started", subject="2")) == "Round 2"
    undone = LogLine(action="act.undone", subject="5/1: Ada", after={"action": "call.made"})
    with override("it"):
        assert line_subject(undone) == "Ada · Turno 5 · Tavolo 1"
    assert line_subject(LogLine(action="entry.added", subject="5/1: Ada")) == "5/1: Ada"


@pytest.fixture
def event(by: Actor, monkeypatch: pytest.MonkeyPatch) -> Event:
    monkeypatch.setattr(lines, "LINES_A_PAGE", 2)
    return make.started(by, 4)


def test_every_line_stands_on_one_page(event: Event) -> None:
    pages = lines.load_log_page(event)["page"].paginator.num_pages
    assert pages > 2
    shown = [
        row["line"].number
        for n in range(1, pages + 1)
        for row in lines.load_log_page(event, "", n)["rows"]
    ]
    assert shown == list(range(event.log.count(), 0, -1))


@pytest.mark.parametrize("number", ["999", "nonsense", "-1"])
def test_a_page_that_is_not_there_gives_the_nearest(event: Event, number: str) -> None:
    page = lines.load_log_page(event, "", number)["page"]
    assert page.number == (1 if number == "nonsense" else page.paginator.num_pages)
    assert 0 < len(page) <= 2


def test_a_late_page_reads_its_own_lines_alone(event: Event) -> None:
    with CaptureQueriesContext(
        connection,
    ) as asked:
        lines.load_log_page(event, "", 2)
    assert len(asked) == 2
    assert "OFFSET" not in asked[1]["sql"]
    assert '"number" <=' in asked[1]["sql"]


def test_an_event_without_lines_has_an_empty_page(event: Event) -> None:
    page = lines.load_log_page(Event(pk=event.pk + 1))["page"]
    assert (list(page), page.paginator.num_pages) == ([], 1)
