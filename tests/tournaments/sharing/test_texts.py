"""Pairings, results and standings as text for chats: what stands in them, how they are split."""

import pytest
from django.db.models import Value
from django.db.models.functions import Concat
from django.urls import reverse
from hypothesis import given
from hypothesis import strategies as st

from tests import factories as make
from tests.browsers import page, signed_in
from tournaments.core.event_state import load_facts
from tournaments.core.slugs import event_short_code
from tournaments.models import Event
from tournaments.results.services.results import decide_result
from tournaments.rounds import services as rounds
from tournaments.sharing.texts import BETWEEN, LONGEST, shared_text, split_messages

HEAD, FOOT = "Venerdì\nPairings", "http://testserver/e/abcd"


def units(text):
    return len(text.encode("utf-16-le")) // 2


@pytest.mark.deep
@given(
    st.lists(st.text("abà🎲 ", min_size=1, max_size=300).map(str.strip).filter(bool), max_size=60)
)
def test_every_line_stands_whole_in_one_message(lines):
    found = split_messages(HEAD, lines, FOOT)
    assert all(units(text) <= LONGEST for text in found)
    assert all(text.startswith(HEAD) for text in found)
    assert found[-1].endswith(FOOT)
    told = [line for text in found for line in text.split("\n") if line in lines]
    assert [line for line in told if line] == lines


@pytest.mark.parametrize("line", ["a" * 5000, "🎲" * 5000])
def test_a_line_that_fits_nowhere_is_cut(line):
    (found,) = split_messages(HEAD, [line], FOOT)
    assert units(found) <= LONGEST
    assert units(found) > LONGEST - 50
    assert "…" in found


def test_few_lines_are_one_message_without_a_number():
    assert split_messages(HEAD, ["1. Ada – Bea"], FOOT) == (f"{HEAD}\n\n1. Ada – Bea\n\n{FOOT}",)


def test_several_are_numbered_and_the_last_has_the_address():
    first, last = split_messages(HEAD, ["a" * 900] * 3, FOOT)
    assert first.startswith(f"{HEAD} (1/2)\n\n")
    assert last.startswith(f"{HEAD} (2/2)\n\n")
    assert (FOOT in first, FOOT in last) == (False, True)


def texts(client, event, kind, language="en", **query):
    address = reverse(f"tournaments:text-{kind}", args=[event.slug])
    answer = client.get(address, query, headers={"accept-language": language})
    assert answer["Content-Type"].startswith("text/plain")
    return answer.content.decode().split(BETWEEN)


def fresh(event):
    return Event.objects.get(pk=event.pk)


@pytest.fixture
def event(by):
    return make.playing(by, 5, formula="swiss-cut", name="Venerdì", options={"rounds": 3, "cut": 0})


@pytest.mark.django_db
class TestOfAnEvent:
    def test_pairings_by_table_with_the_public_address(self, client, event):
        (found,) = texts(client, event, "pairings")
        head, lines, foot = found.split("\n\n")
        assert head == "Venerdì\nPairings – Swiss rounds · Round 1"
        assert foot == f"http://testserver/e/{event_short_code(event.pk)}"
        item = event.rounds.get()
        for match in item.matches.filter(match_seats__number=2):
            a, b = (seat.entry.display_name for seat in match.match_seats.order_by("number"))
            assert f"{match.table}. {a} – {b}" in lines.split("\n")
        assert lines.split("\n")[-1].endswith(": bye")

    def test_in_the_language_of_the_page(self, client, event):
        (found,) = texts(client, event, "pairings", "it")
        assert found.startswith("Venerdì\nAbbinamenti – ")

    def test_results_as_they_come_in(self, client, event, by):
        match = event.rounds.get().matches.filter(match_seats__number=2).order_by("table").first()
        decide_result(match=match, version=0, claim=make.a_wins(match), by=by)
        lines = texts(client, event, "results")[0].split("\n\n")[1].split("\n")
        assert lines[0].endswith(": 40–10")
        assert lines[1].endswith(": Playing")

    def test_standings_are_those_of_the_last_whole_round(self, client, event, by):
        (before,) = texts(client, event, "standings")
        assert before == f"Venerdì\n\nhttp://testserver/e/{event_short_code(event.pk)}"
        make.play_round(event.rounds.get(), by)
        make.next_round(event, by)
        (found,) = texts(client, event, "standings")
        assert found.startswith("Venerdì\nStandings – Swiss rounds, after round 1\n\n1. ")
        assert len(found.split("\n\n")[1].split("\n")) == 5
        assert texts(client, event, "standings", round=1) == [found]

    @pytest.mark.deep
    def test_at_the_end_the_final_ones(self, client, by):
        event = make.played(by, 5, formula="single-group", name="Lega")
        (found,) = texts(client, event, "standings")
        assert found.startswith("Lega\nFinal standings\n\n1. ")

    def test_a_round_that_is_not_there_is_404(self, client, event):
        address = reverse("tournaments:text-results", args=[event.slug])
        for query in ("?round=9", "?round=x", "?round=0"):
            assert client.get(address + query).status_code == 404

    def test_drafts_are_told_to_nobody(self, client, event, by):
        make.play_round(event.rounds.get(), by)
        rounds.draft_round(event=event, expected_round=2, by=by)
        for browser in (client, signed_in(by)):
            address = reverse("tournaments:text-pairings", args=[event.slug])
            assert browser.get(address + "?round=2").status_code == 404
            assert texts(browser, event, "pairings") == texts(browser, event, "pairings", round=1)

    def test_standings_held_back_are_told_to_nobody(self, client, by):
        event = make.playing(by, 6, formula="swiss-cut", standings_held="all")
        make.play_round(event.rounds.get(), by)
        for browser in (client, signed_in(by)):
            assert len(texts(browser, event, "standings")[0].split("\n\n")) == 2
            address = reverse("tournaments:text-standings", args=[event.slug])
            assert browser.get(address + "?round=1").status_code == 404
        assert "text/standings" not in page(signed_in(by), "standings", event)

    def test_tables_of_many_players_are_split_between_tables(self, client, by):
        event = make.playing(by, 96, formula="swiss-cut")
        event.entries.update(surname="", name=Concat("name", Value(" dei Conti di Montevarchi")))
        found = texts(client, event, "pairings")
        assert len(found) > 1
        assert all(units(text) <= LONGEST for text in found)
        tables = [int(x.split(".")[0]) for text in found for x in text.split("\n\n")[1].split("\n")]
        assert tables == list(range(1, 49))

    def test_a_table_of_four_is_one_line_in_the_order_of_the_seats(self, by, in_english):
        event = make.playing(by, 8, **make.TABLES)
        match = event.rounds.get().matches.order_by("table").first()
        names = [s.entry.display_name for s in match.match_seats.order_by("number")]
        (found,) = shared_text(load_facts(event, for_staff=False), "pairings", None, FOOT)
        assert f"1. {', '.join(names)}\n" in found

    def test_a_name_with_an_at_calls_nobody(self, by):
        event = make.playing(by, 4, formula="single-group")
        event.entries.filter(number=1).update(name="@everyone")
        (found,) = shared_text(load_facts(event, for_staff=False), "pairings", None, FOOT)
        assert "everyone" in found
        assert "@everyone" not in found

    def test_the_api_has_the_same_messages(self, client, event):
        english = {"accept-language": "en"}
        address = f"/api/v1/events/{event.slug}/texts/"
        kinds = ("pairings", "results", "standings")
        same = {kind: texts(client, event, kind) for kind in kinds}
        assert client.get(address, headers=english).json() == same
        assert client.get(address + "?round=1", headers=english).json() == same | {"standings": []}
        assert client.get(address + "?round=9").status_code == 404
        assert client.get(address + "?round=x").status_code == 400

    def test_pages_and_desk_have_the_button(self, client, event, by):
        assert "text/pairings/?round=1" in page(client, "pairings", event)
        assert "text/results" not in page(client, "pairings", event)
        assert "text/pairings/" in page(signed_in(by), "desk", event)
        make.play_round(event.rounds.get(), by)
        assert "text/results/?round=1" in page(client, "pairings", event)
        assert "text/standings/?round=1" in page(client, "standings", event)
