"""Corrections through the API: what follows, and the three ways to go on."""

from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from django.utils.translation import override
from rest_framework.test import APIClient

from tests.browsers import text, url
from tests.tournaments.corrections.test_follow import corrections, sound, two_groups
from tournaments.core.event_state import load_facts
from tournaments.core.kept_places import kept_in_words
from tournaments.core.permissions import Actor
from tournaments.exports.handout.contents import result_of
from tournaments.models import Event, Match
from tournaments.paper.contents.tables import standings
from tournaments.personal.selectors.decisions import decisions_on

pytestmark = pytest.mark.django_db


def asked(by: Actor) -> tuple[Event, Match, Any, dict[str, Any]]:
    """Return an event, a match whose correction can be followed, how to ask, and what for."""
    event = two_groups(by)
    match, _shown = next(each for each in corrections(event, by) if each[1].why_not is None)
    client = APIClient()
    client.force_authenticate(by.user)
    address = f"/api/v1/events/{event.slug}/matches/{match.pk}/correction/"
    score = [match.decision.score_b, match.decision.score_a]

    def ask(**more: Any) -> Any:
        return client.post(address, body | more, format="json")

    body = {"version": match.version, "score": score, "note": "Swapped"}
    return event, match, ask, body


def test_it_foretells_and_does_what_it_foretold(by: Actor) -> None:
    event, match, ask, _body = asked(by)
    told = ask().json()
    assert told["ways"] == ["follow", "keep", "take_back"]
    assert (told["why_not"], told["rounds"], told["results"]) == ("", [4, 5], 4)
    assert {each["fate"] for each in told["matches"]} == {"again", "passes"}
    assert Match.objects.get(pk=match.pk).version == match.version
    void = [each["match"] for each in told["matches"] if each["fate"] == "again"][:1]
    assert ask(way="follow", shown="another").json()["code"] == "stale"
    done = ask(way="follow", shown=told["mark"], void=void)
    assert done.status_code == 200
    assert done.json()["match"]["version"] == match.version + 1
    fates = {each["match"]: each["fate"] for each in done.json()["matches"]}
    assert fates[void[0]] == "void"
    for change in told["matches"]:
        stored = Match.objects.get(pk=change["match"])
        assert [player.number for player in stored.players] == change["after"]
        assert (stored.state == Match.State.FINAL) == (fates[stored.pk] == "void")
    assert sound(event) == []
    assert ask(way="follow", shown=told["mark"]).json()["code"] == "stale"


def test_rounds_go_with_their_results_once_the_name_is_typed(by: Actor) -> None:
    event, _match, ask, _body = asked(by)
    mark = ask().json()["mark"]
    assert ask(way="take_back", shown=mark).json()["code"] == "not_confirmed"
    assert ask(way="take_back", shown=mark, confirm=event.name).status_code == 200
    assert load_facts(event).last_ordinal == 3
    assert load_facts(event).open_stage.stage.number == 1
    assert sound(event) == []


def test_what_is_kept_is_told_by_the_log_and_the_standings(by: Actor, client: Client) -> None:
    event, _match, ask, _body = asked(by)
    before = load_facts(event).stages[1].state
    places = ask().json()["effects"]["places"]
    assert ask(way="keep").status_code == 200
    assert load_facts(event).stages[1].state == before
    kept = event.log.order_by("-number")[0].after["kept"]
    assert [(each["holds"], each["belongs"]) for each in kept] == [
        (each["before"], each["after"]) for each in places
    ]
    assert sound(event) == []
    page = text(client.get(url("standings", event), headers={"accept-language": "en"}))
    assert page.count("by decision of") == len(kept)
    assert "Swapped" in page
    facts = load_facts(event)
    holder, belongs = kept[0]["holds"], kept[0]["belongs"]
    for name, parts in (("ranking", ()), ("formula", ()), ("player", (holder,))):
        shown = text(client.get(url(name, event, *parts), headers={"accept-language": "en"}))
        assert "by decision of" in shown
    with override("en"):
        words = kept_in_words(facts)
        own = kept_in_words(facts, holder)
        assert 0 < len(own) <= len(words)
        assert kept_in_words(facts, belongs)
        told = decisions_on(facts, event.entries.get(number=holder), plays=True)
        assert {*own} <= {each.line for each in told} & {*words}
        paper, workbook = standings(facts, timezone.now()), result_of(facts)
    assert paper["notes"][: len(kept)] == list(words)
    assert workbook.legend.startswith(" ".join(words))
