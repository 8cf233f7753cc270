"""A whole season through the API: eleven evenings, and a final of six with two byes."""

import pytest

from tests.tournaments.api.test_whole_event import ok
from tests.tournaments.series.season import BYES, EVENINGS, FINALISTS, PEOPLE, play_season
from tournaments.models import Event
from tournaments.verification.event import verify_event

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("evenings", [3, pytest.param(EVENINGS, marks=pytest.mark.deep)])
def test_a_season_is_played_to_its_final(api, evenings):
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
