"""What the Doomtrooper rule book demands, on the pages where people look for it."""

import pytest
from django.urls import reverse

from rules.deckbuilding.formats import FORMATS
from tests import factories as make
from tests.browsers import by_link, page, read, signed_in, url
from tournaments.core.permissions import Actor
from tournaments.models import JudgeCall

pytestmark = pytest.mark.django_db
DOOMTROOPER = ("doomtrooper-original", "doomtrooper-open", "doomtrooper-free")


@pytest.mark.parametrize("key", DOOMTROOPER)
def test_the_deck_is_shuffled_before_the_opponent_who_may_cut_it(key: str) -> None:
    """The point stands last: the ticks of checks made before keep their points."""
    points = [str(sentence) for sentence in FORMATS.get(key).deck_check]
    assert points[-1] == "The deck is shuffled; another player may cut it."
    assert points[0] == "There are no photocopies or home-printed cards."
    assert points[4] == "The cards and quantities in each zone match the decklist."
    assert len(points) == 6


@pytest.mark.parametrize("key", FORMATS.keys())
def test_a_new_event_demands_the_lists(by: Actor, key: str) -> None:
    """Every player hands in the list of the collection before the event."""
    shown = read(signed_in(by), reverse("tournaments:event-new") + f"?format={key}")
    assert 'value="required" selected' in shown


@pytest.mark.deep
def test_more_warriors_says_which_cards_do_not_count(by: Actor) -> None:
    event = make.playing(by, 4, formula="single-elimination")
    match = event.rounds.get().matches.order_by("number")[0]
    player = by_link(match.players[0], by)
    told = "SDOPPIAMENTO cards don’t count"
    assert told in page(signed_in(by), "desk-result", event, match.pk)
    report = reverse("tournaments:my-report", args=[event.slug, match.pk])
    assert told in read(player, f"{report}?more")
    assert "not counting SDOPPIAMENTO cards" in page(player, "rules", event)
    assert "senza contare le carte SDOPPIAMENTO" in read(player, f"{report}?more", "it")


@pytest.mark.deep
def test_a_judge_is_called_for_the_cardinals_gift(by: Actor) -> None:
    event = make.playing(by, 4, formula="single-group")
    match = event.rounds.get().matches.order_by("number")[0]
    player = by_link(match.players[0], by)
    reason = "Cardinal’s Gift: I show my hand (first turn, once per game)"
    assert reason in page(player, "me", event)
    address = reverse("tournaments:my-call", args=[event.slug, match.pk])
    assert player.post(address, {"reason": ["", reason]}).status_code == 302
    assert JudgeCall.objects.get().reason == reason
    assert reason in page(signed_in(by), "desk", event)
    other = make.playing(by, 4, formula="single-group", format="creatures-of-exo")
    first = other.rounds.get().matches.order_by("number")[0].players[0]
    assert "Gift" not in read(by_link(first, by), url("me", other))
