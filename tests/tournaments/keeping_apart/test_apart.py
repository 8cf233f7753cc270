"""Players kept apart in Swiss rounds, and fixed tables."""

import pytest
from django.core.exceptions import PermissionDenied

from rules.errors import BadInput, RuleError
from rules.people.person_names import read_people
from rules.swiss.rounds import WISH
from tests import factories as make
from tournaments.events import services as events
from tournaments.keeping_apart.services import add_separated_pair, remove_separated_pair
from tournaments.lots import services as draws
from tournaments.models import Entry, Event, Match
from tournaments.players.services import entries
from tournaments.players.services import entries as pasted
from tournaments.rounds import services as rounds
from tournaments.starting import services as starting
from tournaments.verification.event import verify_event

pytestmark = pytest.mark.django_db

SWISS = {"formula": "swiss-cut", "format": "creatures-of-exo", "options": {"rounds": 3, "cut": 0}}


def findings(event):
    return list(verify_event(Event.objects.get(pk=event.pk)))


def of_clubs(by, clubs, **values):
    """Return a running event with a player of each named club."""
    event = make.open_event(by, **SWISS, **values)
    people = "\n".join(f"{make.player_name(i)}; {club}" for i, club in enumerate(clubs))
    pasted.add_entries(event=event, people=read_people(people), by=by)
    draw = draws.draw_start_order(event=event, seed="seed", by=by)
    starting.start_event(event=event, draw_number=draw.number, by=by)
    return Event.objects.get(pk=event.pk)


def met(event):
    played = Match.objects.filter(round__event=event, match_seats__number=2)
    return {frozenset(pair) for pair in make.pairs_of(played)}


@pytest.mark.deep
def test_clubs_are_kept_apart_where_the_event_says_so(by):
    event = of_clubs(by, ["Drago", "drago ", "Lupo", "Lupo", "Orso", "", "", ""], apart_clubs=True)
    make.play_stage(event, by)
    assert not met(event) & {frozenset({1, 2}), frozenset({3, 4})}
    assert met(event)
    assert findings(event) == []


@pytest.mark.deep
def test_who_has_no_club_is_of_no_club(by):
    event = of_clubs(by, ["", "", "", ""], apart_clubs=True)
    item = make.next_round(event, by)
    assert item.apart == []
    assert all(match.reason["template"] != WISH.template for match in item.matches.all())


def test_a_round_that_can_not_keep_them_apart_is_paired_and_says_so(by):
    event = of_clubs(by, ["Drago"] * 4, apart_clubs=True)
    item = make.next_round(event, by)
    assert {match.reason["template"] for match in item.matches.all()} == {WISH.template}
    make.play_round(item, by)
    assert findings(event) == []


@pytest.mark.deep
def test_the_organisers_pairs_hold_from_the_next_round_on(by):
    event = of_clubs(by, [""] * 4)
    first = make.next_round(event, by)
    make.play_round(first, by)
    open_pairs = [
        (a, b) for a in range(1, 5) for b in range(a + 1, 5) if frozenset({a, b}) not in met(event)
    ]
    barred = open_pairs[0]
    pair = add_separated_pair(event=event, numbers=barred, by=by)
    second = make.next_round(event, by)
    assert second.apart == [list(barred)]
    assert frozenset(barred) not in met(event)
    make.play_round(second, by)
    remove_separated_pair(event=event, pair_id=pair.pk, by=by)
    make.play_round(make.next_round(event, by), by)
    assert frozenset(barred) in met(event)
    assert findings(event) == []


@pytest.mark.deep
def test_changed_clubs_do_not_change_what_was_paired(by):
    event = of_clubs(by, ["Drago", "Drago", "Lupo", "Lupo"], apart_clubs=True)
    make.play_round(make.next_round(event, by), by)
    for entry in event.entries.all():
        entries.change_entry(entry=entry, changes={"club": "Orso"}, by=by)
    events.change_event(event=event, changes={"apart_clubs": False}, by=by)
    assert findings(event) == []


def test_pairs_are_two_players_once_named_by_an_organiser(by):
    event = of_clubs(by, [""] * 4)
    with pytest.raises(PermissionDenied):
        add_separated_pair(event=event, numbers=(1, 2), by=make.staff(event, "head_judge"))
    for wrong in ((1, 1), (1, 99)):
        with pytest.raises(BadInput):
            add_separated_pair(event=event, numbers=wrong, by=by)
    pair = add_separated_pair(event=event, numbers=(2, 1), by=by)
    assert (pair.a.number, pair.b.number) == (1, 2)
    with pytest.raises(RuleError) as refused:
        add_separated_pair(event=event, numbers=(1, 2), by=by)
    assert refused.value.code == "apart_already"
    remove_separated_pair(event=event, pair_id=pair.pk, by=by)
    with pytest.raises(RuleError) as refused:
        remove_separated_pair(event=event, pair_id=pair.pk, by=by)
    assert refused.value.code == "pair_gone"


def test_the_page_adds_and_ends_pairs(by, client):
    event = of_clubs(by, [""] * 4)
    client.force_login(by.user)
    page = f"/events/{event.slug}/manage/apart/"
    assert client.post(page, {"first": "1", "second": "3"}).status_code == 302
    pair = event.kept_apart.get()
    assert f"{page}{pair.pk}/end/" in client.get(page).content.decode()
    assert client.post(page, {"first": "1", "second": "1"}).status_code == 400
    assert client.post(f"{page}{pair.pk}/end/").status_code == 302
    assert not event.kept_apart.exists()


@pytest.mark.deep
@pytest.mark.parametrize("formula", ["swiss-cut", "single-group", "single-elimination"])
def test_a_player_with_a_fixed_table_sits_there_in_every_round(formula, by):
    event = make.started(by, 8, formula=formula, format="creatures-of-exo")
    fixed = event.entries.get(number=5)
    entries.change_entry(entry=fixed, changes={"fixed_table": 3}, by=by)
    for ordinal in (1, 2):
        item = rounds.draft_round(event=event, expected_round=ordinal, publish=True, by=by)
        seat = item.match_seats.filter(entry=fixed).first()
        assert seat is None or seat.match.table == 3
        taken = list(item.matches.exclude(table=None).values_list("table", flat=True))
        assert len(set(taken)) == len(taken)
        make.play_round(item, by, _a_wins_unless_b_is(fixed))
    assert findings(event) == []


def _a_wins_unless_b_is(entry: Entry):
    def claim(match, index):
        made = make.a_wins(match, index)
        if match.seats[1] == entry.pk:
            return type(made)(games=("b",) * len(made.games))
        return made

    return claim


def test_the_players_page_stores_a_fixed_table(by, client):
    event = make.started(by, 8, formula="single-group", format="creatures-of-exo")
    client.force_login(by.user)
    player = f"/events/{event.slug}/manage/players/2/"
    name = event.entries.get(number=2).name
    assert client.post(player, {"name": name, "club": "", "fixed_table": "7"}).status_code == 302
    assert event.entries.get(number=2).fixed_table == 7
    assert client.post(player, {"name": name, "fixed_table": "0"}).status_code == 400
