"""What was played: kinds of decks, what beat what, the first eight and the cards."""

from collections.abc import Callable

import pytest
from django.test import Client

from rules.matches.match_rules import Claim
from tests import factories as make
from tests.tournaments.decklists.leaders import EXO, with_leader
from tournaments.core.event_state import load_facts
from tournaments.core.permissions import Actor
from tournaments.decklists.selectors.played import deck_statistics_context, two_letter_signs
from tournaments.decklists.services import publish_decklists
from tournaments.models import Event, Match

pytestmark = pytest.mark.django_db


def words_of(client: Client, event: Event) -> str:
    """Return what the page of the event says, in English."""
    shown = client.get(f"/events/{event.slug}/played/", headers={"accept-language": "en"})
    return " ".join(shown.content.decode().split())


def won_by(leaders: dict[int, str], winning: str) -> Callable[[Match, int], Claim]:
    """Return claims in which decks with the winning Leader beat all others."""

    def claims(match: Match, _index: int) -> Claim:
        a, b = (leaders[player.number] for player in match.players)
        return Claim(
            games=("a" if a == winning or b != winning else "b",) * (match.best_of // 2 + 1)
        )

    return claims


def test_counts_in_a_small_event_of_one_stage(by: Actor, ended: Event, client: Client) -> None:
    page = deck_statistics_context(load_facts(ended))
    field = page["field"]
    found = {kind.name: (kind.lists, kind.record.played) for kind in field.kinds}
    # 1 and 2 play the same Leader, and 2 against 3 was a forfeit: 1 against 3 is left
    assert found == {"Vampa": (2, 1), "Brina": (1, 1)}
    assert not field.has_cut
    assert [part.figure for part in field.bars[0].parts] == ["2", "1"]
    assert page["winner"] == page["finalists"][0]["kind"] != field.most
    assert page["records"] == ()
    assert [each["kind"].name for each in page["finalists"]].count("Vampa") == 2
    assert "Leader" in {row["name"] for row in page["kinds"]}
    assert "Vampa" not in {row["name"] for row in page["cards"]}
    publish_decklists(event=ended, by=by)
    words = words_of(client, ended)
    assert ": 2 of 3 decklists" in words
    assert "Winner: <b" in words
    assert "\u00a0%" not in words
    assert 'style="' not in words


@pytest.mark.deep
def test_games_without_leaders_show_their_most_played_cards(by: Actor, client: Client) -> None:
    event = make.played(by, 4, decklists="required")
    publish_decklists(event=event, by=by)
    page = deck_statistics_context(load_facts(event))
    assert page["field"] is None
    assert all(row["record"].played and not row["won"] for row in page["records"])
    card = page["cards"][0]
    words = words_of(client, event)
    assert f"{card['name']}: {card['lists']} of 4 decklists" in words
    assert "Decks with the card against decks without" in words


@pytest.mark.deep
def test_shares_of_field_and_cut_and_what_beat_what(by: Actor, client: Client) -> None:
    event = make.started(by, 12, **EXO | {"formula": "swiss-cut"})
    names = {number: "Vampa" if number < 8 else "Brina" for number in range(1, 13)}
    with_leader(event, by, names)
    event = make.play_event(Event.objects.get(pk=event.pk), by, won_by(names, "Brina"))
    field = deck_statistics_context(load_facts(event))["field"]
    first, second = field.kinds
    assert (first.name, first.sign, first.tone, first.lists) == ("Vampa", "VA", "k1", 7)
    assert first.share == "58\u00a0%"
    cut = load_facts(event).stages[1].state.players
    assert field.bars[1].lists == len(cut) == first.through + second.through
    assert first.through == sum(names[number] == "Vampa" for number in cut)
    (_vampa, row), (_brina, other) = field.matrix
    assert [cell.tone for cell in row] == ["self", "far-behind"]
    assert (row[1].share, row[1].words) == ("0\u00a0%", f"0–{first.record.lost}")
    assert other[0].tone == "far-ahead"
    publish_decklists(event=event, by=by)
    words = words_of(client, event)
    assert '<b class="kind k1"><bdi>Vampa</bdi></b>: ' in words
    assert 'Winner: <b class="kind k2">' in words


@pytest.mark.deep
def test_few_matches_of_a_pair_are_not_coloured(by: Actor) -> None:
    event = make.started(by, 4, **EXO)
    names = {1: "Vampa", 2: "Vampa", 3: "Brina", 4: "Brina"}
    with_leader(event, by, names)
    event = make.play_event(Event.objects.get(pk=event.pk), by, won_by(names, "Vampa"))
    page = deck_statistics_context(load_facts(event))
    assert page["field"].most is None
    assert [(cell.tone, cell.share) for cell in page["field"].matrix[0][1]] == [
        ("self", ""),
        ("few", ""),
    ]


def test_each_kind_of_deck_has_letters_of_its_own() -> None:
    names = ["Volpe di Brace", "Vampa", "Vampiro", "Vampo", "Corvo del Colle", "Colosso", "77"]
    assert two_letter_signs(names) == ("VB", "VA", "VM", "VP", "CC", "CO", "77")
    assert len(set(two_letter_signs(["A", "A a", "a", "A"]))) == 4
