"""The demo command: its events are whole, legal, and the same for the same seed."""

from time import process_time

import pytest
from django.core.management import CommandError, call_command

from accounts.models import User
from decks.models import Catalogue
from rules.brackets import BracketPart
from rules.stages.base import bracket_matches
from rules.stages.knockout import remaining_players
from tournaments.core.event_state import load_facts
from tournaments.core.permissions import Actor
from tournaments.demo import create_series_events, demo_accounts, demo_names, demo_organiser
from tournaments.models import Event, Match, SavedFormula, Stage
from tournaments.series.selectors import load_series_table, read_series

pytestmark = pytest.mark.django_db


def demo(capsys, **options):
    call_command("demo", **options)
    slug = capsys.readouterr().out.split("\t")[0]
    return Event.objects.get(slug=slug)


def test_it_makes_players_with_legal_decks(capsys):
    event = demo(capsys)
    entries = event.entries.select_related("submission__decklist")
    assert event.state == Event.State.REGISTRATION
    assert len(entries) == 12
    assert all(entry.submission.decklist.legal for entry in entries)


@pytest.mark.deep
@pytest.mark.parametrize(
    ("players", "formula", "deck_format"),
    [
        (13, "mutant-chronicles", "doomtrooper-original"),
        (9, "groups-knockout", "creatures-of-exo"),
        (4, "single-group", "doomtrooper-open"),
        (7, "double-elimination", "thoom"),
    ],
)
def test_play_plays_to_the_end(capsys, players, formula, deck_format):
    event = demo(capsys, players=players, formula=formula, format=deck_format, play=True)
    facts = load_facts(event)
    assert event.state == Event.State.FINISHED
    assert sorted(n for level in facts.ranking for n in level) == list(range(1, players + 1))


def told(event):
    """Return names, ranking, every pairing and result, and decks of an event."""
    facts = load_facts(event)
    played = [stage.state.rounds for stage in facts.stages]
    decks = list(event.entries.values_list("name", "submission__decklist__fingerprint"))
    return facts.ranking, played, decks, [draw.order for draw in facts.draws]


@pytest.mark.deep
def test_the_same_seed_gives_the_same_event_and_another_another(capsys):
    one, same, other = (
        demo(capsys, players=8, play=True, seed=seed) for seed in ("luna", "luna", "sole")
    )
    assert told(one) == told(same)
    assert told(one)[1] != told(other)[1]


@pytest.mark.parametrize(
    "options", [{"formula": "nothing"}, {"format": "nothing"}, {"players": 2, "play": True}]
)
def test_what_cannot_be_leaves_nothing_behind(options):
    with pytest.raises(CommandError) as caught:
        call_command("demo", **options)
    assert caught.value.returncode == 2
    assert not Event.objects.exists()


def test_names_are_all_different():
    names = demo_names(1500)
    assert len(set(names)) == 1500
    assert demo_names(50) == names[:50]


@pytest.mark.deep
def test_the_site_has_an_event_at_each_point_of_its_life(capsys, settings):
    settings.ONLY_HERE = True
    call_command("demo", site=True)
    printed = capsys.readouterr().out
    events = {event.slug: event for event in Event.objects.all()}
    states = {slug: event.state for slug, event in events.items()}
    assert states == {
        "demo-draft": "draft",
        "demo-registration": "registration",
        "demo-groups": "running",
        "demo-lots": "running",
        "demo-knock-out": "running",
        "demo-double-elimination": "running",
        "demo-places": "running",
        "demo-finished": "finished",
        **{f"demo-league-{number}": "finished" for number in (1, 2, 3)},
    }
    assert load_facts(events["demo-lots"]).open_stage.outcome.lots_needed
    groups = load_facts(events["demo-groups"]).open_stage
    assert {match.state for match in groups.missing} == set(Match.State.values) - {"final"}
    checks = events["demo-groups"].deck_checks
    assert sorted(checks.values_list("outcome", flat=True)) == ["", "penalty"]
    assert load_facts(events["demo-knock-out"]).open_stage.stage.kind == "knockout"
    _double_elimination(events["demo-double-elimination"])
    _own_formula(events["demo-places"])
    _league()
    missing = events["demo-registration"].entries.filter(submission=None)
    assert missing.exists()
    assert set(events["demo-finished"].stages.values_list("state", flat=True)) == {
        Stage.State.CLOSED
    }
    assert User.objects.get(email="organiser@example.org").check_password("girone-demo")
    assert "organiser@example.org\tgirone-demo" in printed
    assert "/events/demo-groups/" in printed
    call_command("demo", site=True)  # what is there is left alone
    assert Event.objects.count() == len(events)
    assert not Catalogue.objects.exists()  # invented cards would warn about real ones
    again = capsys.readouterr().out.splitlines()[-1]
    assert again == "The demo is there already: nothing was changed."


def _double_elimination(event):
    """Both brackets have begun, somebody is out, and a round was thrown away and made anew."""
    stage = load_facts(event).open_stage
    played = {m.number for m in stage.matches if m.state == Match.State.FINAL}
    parts = {match.part for match in bracket_matches(stage.plan) if match.number in played}
    assert parts == {BracketPart.UPPER, BracketPart.LOWER}
    assert 0 < len(remaining_players(stage.state)) < event.entries.count()
    assert [match.state for match in stage.missing] == ["open"]
    assert event.snapshots.count() == 1


def _own_formula(event):
    """The organiser has the formula saved; its losers of quarter-finals play on."""
    saved = SavedFormula.objects.get(owner__email="organiser@example.org")
    assert event.formula == saved.slug
    facts = load_facts(event)
    assert [stage.stage.state for stage in facts.stages] == [
        *("closed", "closed", "open", "pending")
    ]
    stage = facts.open_stage
    assert all(name.startswith("L") for name in stage.plan.groups[0].seats)
    assert len(stage.missing) == 1


def _league():
    """A season has a table of those who played its evenings; some results don't count."""
    table = load_series_table(read_series("demo-league", Actor()))
    assert len(table.events) == 3
    assert len(table.standings.rows) == 8
    results = [table.results(row.player) for row in table.standings.rows]
    assert {len(one) for one in results} == {1, 2, 3}
    assert {sum(each.counts for each in one) for one in results} == {1, 2}
    assert table.points(table.standings.rows[0]) > 10


@pytest.mark.deep
def test_the_season_costs_the_demo_less_than_five_seconds():
    by = Actor(user=demo_organiser())
    demo_accounts()
    began = process_time()
    assert len(create_series_events(by)) == 3
    assert process_time() - began < 5


@pytest.mark.deep
def test_away_from_a_developers_machine_the_password_is_random(capsys, settings):
    settings.ONLY_HERE = False
    call_command("demo", site=True)
    assert "girone-demo" not in capsys.readouterr().out
    organiser = User.objects.get(email="organiser@example.org")
    assert organiser.has_usable_password()
    assert not organiser.check_password("girone-demo")
