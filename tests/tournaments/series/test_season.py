"""A whole season through the API: eleven evenings, a final of six with two byes, and its end."""

import pytest

from tests.reporting import correct
from tests.tournaments.api.test_whole_event import ok
from tests.tournaments.series.season import BYES, EVENINGS, FINALISTS, PEOPLE, play_season
from tournaments.events.services import change_event_state
from tournaments.models import Event, Series
from tournaments.series.verifying import verify_series
from tournaments.verification.event import verify_event

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("evenings", [3, pytest.param(EVENINGS, marks=pytest.mark.deep)])
def test_a_season_is_played_to_its_final_and_closed(api, by, evenings):
    season = play_season(api, evenings)
    slugs = [*season.evenings, season.final]
    assert len(season.evenings) == evenings
    assert ok(api.get(season.at))["events"] == slugs
    assert Event.objects.filter(state=Event.State.FINISHED).count() == len(slugs)
    table = season.table()
    assert sorted(row["name"] for row in table) == [*PEOPLE]
    assert [row["rank"] for row in table] == [*range(1, len(PEOPLE) + 1)]
    final = Event.objects.get(slug=season.final)
    players = final.entries.order_by("seed")
    assert [one.number for one in players] == [*range(1, FINALISTS + 1)]
    first, second, last = (
        final.rounds.get(ordinal=at).matches.order_by("number") for at in (1, 2, 3)
    )
    byes = [match.players[0].seed for match in first if match.size == 1]
    assert sorted(byes) == [*range(1, BYES + 1)]
    assert [len(matches) for matches in (first, second, last)] == [4, 2, 1]
    assert ok(api.get(f"{season.final_at}ranking/"))[0]["number"] == 1
    people = ok(api.get(f"{season.at}people/"))["people"]
    finalists = [one for one in people if [season.final, 1] in one["entries"]]
    assert [one["name"] for one in finalists] == [players[0].name]
    assert len(finalists[0]["entries"]) > 2
    assert all(verify_event(event) == [] for event in Event.objects.all())
    assert ok(api.post(f"{season.at}close/"))["changed_since"] == []
    series = Series.objects.get()
    assert verify_series(series) == []
    evening = Event.objects.get(slug=season.evenings[1])
    change_event_state(event=evening, action="reopen", by=by)
    one, other = (match := evening.rounds.get(ordinal=1).matches.first()).players
    lost = "b" if one.number < other.number else "a"
    correct(match, by, score=(0, 2) if lost == "b" else (2, 0), winner=lost)
    change_event_state(event=evening, action="finish", by=by)
    assert ok(api.get(season.at))["changed_since"] == [season.evenings[1]]
    assert {one.check for one in verify_series(series)} == {"corrected"}
