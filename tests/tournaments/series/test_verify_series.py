"""Verification of a series: a sound one is clean, and every planted fault is found."""

from collections.abc import Callable
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.utils import translation

from tests import factories as make
from tests.tournaments.series.test_closing import LEAGUE, corrected
from tests.tournaments.verification.test_verify import win_too_many_games
from tournaments.core.permissions import Actor
from tournaments.erasing.services.erase import erase_player
from tournaments.models import (
    Event,
    FinalRows,
    PersonDecision,
    Series,
    SeriesAdjustment,
    SeriesEvent,
    SeriesLine,
)
from tournaments.series.closing import close_series
from tournaments.series.selectors import load_series_facts, load_series_people, load_series_table
from tournaments.series.services import change_series, create_series, decide_same, split_person
from tournaments.series.verifying import series_notes, verify_series

pytestmark = pytest.mark.django_db


@pytest.fixture
def series(by: Actor) -> Series:
    """Return a series of two evenings with a decision and a penalty."""
    events = [make.played(by, 4, formula="single-group", name=name) for name in ("First", "Second")]
    made = create_series(
        values={"name": "Lega", "events": [one.slug for one in events], "points": LEAGUE}, by=by
    )
    key = decide_same(series=made, players=[(one.slug, 1) for one in events], by=by)
    adjusted = [{"person": key, "points": -2, "reason": "Ritardo"}]
    change_series(series=made, values={"points": LEAGUE | {"adjustments": adjusted}}, by=by)
    load_series_table(load_series_facts(made))  # keeps the final rows
    return Series.objects.get(pk=made.pk)


def found(series: Series) -> set[str]:
    return {finding.check for finding in verify_series(series)}


def first(series: Series) -> Event:
    event: Event = series.events.order_by("pk")[0]
    return event


# --- Faults ---------------------------------------------------------------------------------
def turn_the_kept_rows(series: Series) -> None:
    kept = FinalRows.objects.get(event=first(series))
    kept.rows["rows"][0][1], kept.rows["rows"][1][1] = 2, 1
    kept.save()


def lose_a_kept_row(series: Series) -> None:
    kept = FinalRows.objects.get(event=first(series))
    kept.rows["rows"].pop()
    kept.save()


def add_a_bonus(series: Series) -> None:
    entry = first(series).entries.get(number=2)
    SeriesAdjustment.objects.create(series=series, entry=entry, points="100", reason="Simpatia")


def raise_a_bonus(series: Series) -> None:
    SeriesAdjustment.objects.filter(series=series).update(points="2")


def lose_a_penalty(series: Series) -> None:
    SeriesAdjustment.objects.filter(series=series).delete()


def add_an_event(series: Series) -> None:
    SeriesEvent.objects.create(series=series, event=make.open_event(make.organiser()))


def take_an_event_out(series: Series) -> None:
    SeriesEvent.objects.filter(series=series, event=first(series)).delete()


def join_people(series: Series) -> None:
    for event, number in zip(series.events.order_by("pk"), (2, 3), strict=True):
        entry = event.entries.get(number=number)
        PersonDecision.objects.create(series=series, number=9, entry=entry, same=True)


def raise_the_points(series: Series) -> None:
    Series.objects.filter(pk=series.pk).update(points={"match_points": 5})


def draw_again(series: Series) -> None:
    Series.objects.filter(pk=series.pk).update(seed="another")


def lose_a_line(series: Series) -> None:
    SeriesLine.objects.filter(series=series, number=2).delete()


def lose_the_last_line(series: Series) -> None:
    SeriesLine.objects.filter(series=series, number=series.version).delete()


def turn_a_match(series: Series) -> None:
    win_too_many_games(first(series))


PLANTED: tuple[tuple[Callable[[Series], Any], str], ...] = (
    (turn_the_kept_rows, "rows"),
    (turn_the_kept_rows, "table"),
    (lose_a_kept_row, "rows"),
    (add_a_bonus, "adjustments"),
    (raise_a_bonus, "adjustments"),
    (lose_a_penalty, "adjustments"),
    (add_an_event, "events"),
    (take_an_event_out, "events"),
    (join_people, "people"),
    (raise_the_points, "columns"),
    (draw_again, "columns"),
    (lose_a_line, "log"),
    (lose_the_last_line, "log"),
)


@pytest.mark.parametrize(
    ("plant", "caught"), PLANTED, ids=[f"{plant.__name__}-{name}" for plant, name in PLANTED]
)
def test_the_fault_is_caught(series: Series, plant: Callable[[Series], Any], caught: str) -> None:
    assert found(series) == set()
    plant(series)
    assert caught in found(series)


def test_a_fault_in_an_event_is_told_with_its_address(series: Series) -> None:
    turn_a_match(series)
    assert f"{first(series).slug}: impossible_result" in found(series)


def forget_an_event(series: Series) -> None:
    series.pinned["events"].popitem()
    series.save()


def change_a_digest(series: Series) -> None:
    series.pinned["events"][first(series).slug]["rows"] = "0" * 64
    series.save()


def change_who_is_who(series: Series) -> None:
    series.pinned["people"] = "0" * 64
    series.save()


def pin_other_points(series: Series) -> None:
    series.pinned["points"] = {"wins": 3}
    series.save()


def pin_another_bonus(series: Series) -> None:
    series.pinned["adjustments"][0][2] = "7"
    series.save()


@pytest.mark.parametrize(
    ("plant", "caught"),
    [
        (forget_an_event, {"columns", "corrected"}),
        (change_a_digest, {"columns", "corrected"}),
        (change_who_is_who, {"columns", "pinned"}),
        (pin_other_points, {"columns", "pinned"}),
        (pin_another_bonus, {"columns", "pinned"}),
    ],
)
def test_what_is_changed_in_a_closed_series_is_caught(
    by: Actor, series: Series, plant: Callable[[Series], Any], caught: set[str]
) -> None:
    plant(close_series(series=series, by=by))
    assert found(series) == caught


@pytest.mark.deep
def test_a_correction_of_a_closed_series_is_named(by: Actor, series: Series) -> None:
    close_series(series=series, by=by)
    assert found(series) == set()
    corrected(first(series), by)
    with translation.override("en"):
        (finding,) = map(str, verify_series(series))
    assert finding == "corrected: Event first: corrected after the series was closed."


@pytest.mark.deep
def test_an_erasure_and_a_person_parted_are_no_faults(by: Actor, series: Series) -> None:
    key = load_series_people(load_series_facts(series)).of_player[first(series).pk, 1].key
    split_person(series=series, person=key, by=by)
    close_series(series=series, by=by)
    assert found(series) == set()
    event = first(series)
    erase_player(event=event, number=1, confirm=event.entries.get(number=1).name, by=by)
    assert found(series) == set()
    assert "people" in {note.check for note in series_notes(series)}


def told(*arguments: str) -> tuple[int, str]:
    """Return the exit code and the output of ``manage.py verify``."""
    out = StringIO()
    try:
        with translation.override("en"):
            call_command("verify", *arguments, stdout=out)
    except SystemExit as ended:
        return int(ended.code or 0), out.getvalue()
    except CommandError as refused:
        return refused.returncode, str(refused)
    return 0, out.getvalue()


@pytest.mark.deep
def test_the_command_prints_what_differs(series: Series) -> None:
    status, printed = told("--series", "lega")
    assert status == 0
    assert printed.endswith("\nNo differences found.\n")
    assert printed.count("Note: ") == 2, "each event was drawn with a seed that was given"
    add_a_bonus(series)
    status, printed = told("--series", "lega")
    assert status == 1
    assert f"adjustments: Points {first(series).slug}/2: 100: changed outside" in printed
    assert told("--series", "nowhere") == (2, "“nowhere” does not exist.")
