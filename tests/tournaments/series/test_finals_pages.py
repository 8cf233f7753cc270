"""The pages of the next evening, the final and the prizes: one tap each, and what is refused."""

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests import factories as make
from tests.browsers import read, signed_in, url
from tests.tournaments.series.evenings import evening, season
from tournaments.models import Event, PersonalLink, Series, SeriesPrize, SeriesStaff, StaffRole
from tournaments.series.finals import find_final, make_final
from tournaments.series.prizes import set_series_prizes

pytestmark = pytest.mark.django_db
PLACES = {"by_place": [10, 8, 6, 5, 4, 3, 2, 1]}
PRIZES = {"rows": [{"from": 1, "to": 1, "prize": "Coppa", "value": "20"}], "published": True}


def address(name: str, series: Series, *more: object) -> str:
    return reverse(f"tournaments:series-{name}", args=[series.slug, *more])


@pytest.fixture
def league(by) -> Series:
    """Return a series of one knock-out of eight."""
    this_hour = timezone.now().replace(minute=0, second=0, microsecond=0)
    only = evening(by, name="Giovedì 7", starts_at=this_hour)
    return season(by, [only], points=PLACES, order=["points", "lots"])


@pytest.fixture
def signed(by) -> Client:
    return signed_in(by)


def test_one_tap_makes_the_next_evening_and_a_second_one_shows_it(signed, league):
    events = address("events", league)
    assert f'action="{address("next", league)}"' in read(signed, events)
    first = signed.post(address("next", league), follow=True)
    made = Event.objects.get(source__isnull=False)
    assert first.redirect_chain == [(url("manage-players", made), 302)]
    assert "Saved: Giovedì 8" in first.content.decode()
    assert "From recent events: 8 players" in first.content.decode()
    again = signed.post(address("next", league), follow=True)
    assert "The next event already exists: Giovedì 8" in again.content.decode()
    assert Event.objects.count() == 2
    StaffRole.objects.filter(event=made).delete()
    assert signed.post(address("next", league))["Location"] == url("event", made)


def final_form(signed: Client, league: Series, **values: object) -> dict[str, object]:
    """Return what the page of the final sends."""
    form = signed.get(address("final", league)).context["form"]
    sent = {name: form[name].value() for name in form.fields}
    sent["starts_at"] = sent["starts_at"].isoformat(timespec="minutes")
    return {name: value for name, value in (sent | values).items() if value is not None}


def test_the_final_is_made_with_links_and_shows_whom_it_invited(signed, league):
    assert address("final", league) in read(signed, address("events", league))
    sent = final_form(signed, league, first=6)
    assert (sent["name"], sent["formula"]) == ("Lega – Final", "single-elimination")
    answer = signed.post(address("final", league), sent, follow=True)
    final = find_final(Series.objects.get()).event
    assert answer.redirect_chain == [(url("manage-links", final), 302)]
    assert "Print these links within ten minutes." in answer.content.decode()
    assert PersonalLink.objects.filter(entry__event=final).count() == 6
    assert final.starts_at.astimezone(final.zone).strftime("%Y-%m-%dT%H:%M") == sent["starts_at"]
    page = signed.get(address("final", league))
    assert [one.entry.seed for one in page.context["finalists"]] == [1, 2, 3, 4, 5, 6]
    assert [address("replace", league, n) in page.content.decode() for n in (1, 6, 7)] == [1, 1, 0]
    assert "Sostituisci" in read(signed, address("final", league), "it")
    again = signed.post(address("final", league), sent)
    assert again.status_code == 409
    assert Event.objects.count() == 2


@pytest.mark.parametrize(
    ("values", "field", "status"),
    [
        ({"first": 5, "first_round_byes": 2}, "first_round_byes", 400),
        ({"first": 9}, "first", 400),
        ({"first": ""}, "first", 400),
        ({"starts_at": "soon"}, "starts_at", 400),
        ({"name": " "}, "name", 400),
        ({"formula": "nonsense"}, "formula", 400),
        ({"version": 99}, "__all__", 409),
    ],
)
def test_what_is_wrong_stands_at_its_field(signed, league, values, field, status):
    answer = signed.post(address("final", league), final_form(signed, league, **values))
    assert (answer.status_code, [*answer.context["form"].errors]) == (status, [field])
    assert Event.objects.count() == 1


def test_one_tap_replaces_who_declines(signed, by, league):
    final = make_final(series=league, first=6, values={}, by=by)
    names = list(final.entries.order_by("seed").values_list("name", flat=True))
    answer = signed.post(address("replace", league, 2), follow=True)
    assert answer.redirect_chain == [(address("final", league), 302)]
    now = list(final.entries.order_by("seed").values_list("name", flat=True))
    assert now[:5] == [names[0], *names[2:]]
    assert f"Saved: {now[5]}" in answer.content.decode()
    assert signed.post(address("replace", league, 2)).status_code == 409
    final.entries.get(number=1).delete()  # by the staff: the place is free
    shown = signed.get(address("final", league)).context["finalists"]
    assert [(one.number, one.is_there) for one in shown][-1] == (2, False)
    assert len(shown) == 6


def test_without_a_final_nobody_is_replaced_and_without_events_none_is_made(signed, by, league):
    assert signed.post(address("replace", league, 1)).status_code == 404
    empty = season(by, [], name="Vuota")
    assert signed.get(address("final", empty)).status_code == 404
    assert signed.post(address("next", empty)).status_code == 409


def test_a_closed_series_offers_no_final(signed, league):
    Series.objects.update(closed_at=timezone.now())
    assert 'name="first"' not in read(signed, address("final", league))


# --- Prizes ---------------------------------------------------------------------------------
@pytest.mark.deep
def test_prizes_are_typed_shown_won_and_handed_out(signed, by, league):
    series = f"/series/{league.slug}/"
    page = signed.get(address("prizes", league))
    sent = {"by": "place", "seen": page.context["form"]["seen"].value(), "published": "on"}
    row = {"from_0": "1", "to_0": "", "prize_0": "Coppa <3>", "value_0": "20,50"}
    assert signed.post(address("prizes", league), sent | row).status_code == 302
    shown = read(Client(), series)
    assert "Coppa &lt;3&gt;" in shown
    assert "20.50" in shown
    assert "Premi" in read(Client(), series, "it")
    late = signed.post(address("prizes", league), sent | row)
    assert late.status_code == 409
    Series.objects.update(closed_at=timezone.now())
    page = signed.get(address("prizes", league))
    (winner,) = page.context["winners"]
    assert winner.person.display_name in read(Client(), series)
    to = address("prize", league, winner.person.key)
    assert signed.post(to, {"given": "1"}, follow=True).context["handed"] == 1
    assert SeriesPrize.objects.count() == 1
    assert signed.post(to, {"given": "1"}).status_code == 409
    assert signed.post(to, {"given": "0"}, follow=True).context["handed"] == 0


@pytest.mark.parametrize(
    ("row", "field"),
    [
        ({"from_0": "0", "prize_0": "x"}, "from_0"),
        ({"from_0": "2", "to_0": "1", "prize_0": "x"}, "to_0"),
        ({"from_0": "1", "value_0": "much"}, "value_0"),
        ({"by": "record", "from_0": "3-0", "prize_0": "x"}, "by"),
    ],
)
def test_what_is_wrong_with_a_prize_stands_at_its_field(signed, league, row, field):
    sent = {"by": "place", "seen": str(Series.objects.get().version)}
    answer = signed.post(address("prizes", league), sent | row)
    assert (answer.status_code, [*answer.context["form"].errors]) == (400, [field])
    assert Series.objects.get().prizes == {}


def test_prizes_that_are_not_published_are_shown_to_nobody(by, league):
    set_series_prizes(series=league, prizes=PRIZES | {"published": False}, by=by)
    assert "Coppa" not in read(Client(), f"/series/{league.slug}/")


@pytest.mark.parametrize("who", ["helper", "other", "nobody"])
def test_the_pages_are_the_organisers_alone(by, league, who):
    make_final(series=league, first=6, values={}, by=by)
    set_series_prizes(series=league, prizes=PRIZES, by=by)
    actor = None if who == "nobody" else make.organiser()
    if who == "helper":
        SeriesStaff.objects.create(series=league, user=actor.user, role="helper")
    client = Client() if actor is None else signed_in(actor)
    for name in ("final", "prizes"):
        assert client.get(address(name, league)).status_code in (302, 403)
        assert client.post(address(name, league), {}).status_code in (302, 403)
    posts = (("next",), ("replace", 1), ("prize", 1))
    assert {client.post(address(n, league, *more)).status_code for n, *more in posts} <= {302, 403}
    assert Event.objects.count() == 2
    assert find_final(league).event.entries.count() == 6
