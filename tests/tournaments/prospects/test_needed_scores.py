"""What scores suffice, in words: each kind of margin, both languages, names as they are."""

import re

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import override

from rules.matches.match_rules import Claim
from rules.scenarios import Margin, Measure
from tests import factories as make
from tournaments.core.event_state import load_facts
from tournaments.models import Event
from tournaments.players.services import entries
from tournaments.prospects.selectors.needed_scores import MarginFormatter
from tournaments.prospects.selectors.prospects import own_prospect, prospect_groups
from tournaments.results.services import results

pytestmark = pytest.mark.django_db
NAMES = {1: "Ada", 2: "Bo <b>", 3: "{Carla}"}
PLAIN = MarginFormatter(names=NAMES, score="promotion", fill=str.format, person="{}")
GAMES = MarginFormatter(names=NAMES, score="games", fill=str.format, person="{}")
MARKED = MarginFormatter(names=NAMES, score="promotion")


def margin(measure: Measure, *, through=None, out=None, of=1, than=None) -> Margin:
    return Margin(measure=measure, of=of, than=than, through=through, out=out)


@override("en")
@pytest.mark.parametrize(
    ("result", "found", "words"),
    [
        (
            "win",
            margin(Measure.MADE, through=(26, None), out=(None, 24)),
            "A win with at least 26 promotion points takes you on. "
            "A win with at most 24 promotion points is not enough.",
        ),
        (
            "win",
            margin(Measure.MARGIN, through=(3, None)),
            "A win by at least 3 promotion points takes you on. Otherwise it is open.",
        ),
        (
            "loss",
            margin(Measure.MARGIN, through=(-1, None), out=(None, -3)),
            "Even a loss by at most 1 promotion point takes you on. "
            "A loss by at least 3 promotion points puts you out.",
        ),
        (
            "draw",
            margin(Measure.MARGIN, through=(None, None)),
            "A draw with a level score takes you on.",
        ),
        (
            "win",
            margin(Measure.LEAD, than=3, through=(3, None)),
            "A win with at least 3 promotion points more than {Carla} in the last match "
            "takes you on. Otherwise it is open.",
        ),
        (
            "win",
            margin(Measure.LEAD, than=3, out=(None, -2)),
            "A win with at least 2 promotion points fewer than {Carla} in the last match "
            "is not enough. Otherwise it is open.",
        ),
        (
            "draw",
            margin(Measure.LEAD, than=3, through=(0, None)),
            "A draw with at least as many promotion points as {Carla} in the last match "
            "takes you on. Otherwise it is open.",
        ),
        (
            "win",
            margin(Measure.MARGIN_LEAD, than=3, through=(-4, None)),
            "A win with a margin at most 4 promotion points worse than {Carla} in the last match "
            "takes you on. Otherwise it is open.",
        ),
        (
            "now",
            margin(Measure.MADE, of=3, through=(None, 24), out=(26, None)),
            "You go on if {Carla} makes at most 24 promotion points in the last match. "
            "You are out if {Carla} makes at least 26 promotion points in the last match.",
        ),
        (
            "now",
            margin(Measure.MARGIN, of=3, through=(None, -2)),
            "You go on if the margin of {Carla} in the last match is at most −2. "
            "Otherwise it is open.",
        ),
    ],
)
def test_each_kind_of_margin_has_its_sentence(result, found, words) -> None:
    assert PLAIN.sentences(result, (found,)) == words


@override("en")
def test_games_are_counted_where_games_decide() -> None:
    found = margin(Measure.MADE, through=(1, None))
    assert GAMES.notes("loss", (found,)) == ("through: at least 1 won game",)


@override("it")
def test_the_same_in_italian() -> None:
    found = margin(Measure.MARGIN, through=(3, None), out=(None, 1))
    assert PLAIN.sentences("win", (found,)) == (
        "Se vinci con uno scarto di almeno 3 punti promozione vai avanti. "
        "Vincere con uno scarto di al massimo 1 punto promozione non basta."
    )
    assert PLAIN.notes("win", (found,)) == (
        "passa: scarto di almeno 3 punti promozione",
        "fuori: scarto di al massimo 1 punto promozione",
    )


@pytest.mark.parametrize("language", ["en", "it"])
def test_every_text_can_be_told_in_both_languages(language) -> None:
    bounds = [((number, None), None) for number in (-3, 0, 1, 4)]
    bounds += [(None, (None, number)) for number in (-3, 0, 1, 4)]
    with override(language):
        for formatter in (PLAIN, GAMES):
            for through, out in bounds:
                for measure in Measure:
                    than = 3 if measure in (Measure.LEAD, Measure.MARGIN_LEAD) else None
                    for result in ("win", "draw", "loss"):
                        if result == "draw" and measure is Measure.MARGIN:
                            continue
                        found = margin(measure, than=than, through=through, out=out)
                        told = formatter.sentences(result, (found,))
                        assert told
                        assert not re.search(r"[{}]", told.replace("{Carla}", ""))
                        assert len(told) < 170


@override("en")
def test_names_are_marked_and_nothing_of_them_is_markup() -> None:
    found = margin(Measure.LEAD, than=2, through=(3, None))
    told = MARKED.sentences("win", (found,))
    assert isinstance(told, SafeString)
    assert "than <bdi>Bo &lt;b&gt;</bdi> in" in told
    assert MARKED.sentences("win", ()) == ""


SCORES = {(1, 2): (20, 20), (3, 4): (40, 10), (1, 3): (10, 40), (2, 4): (20, 10), (2, 3): (5, 35)}


@pytest.fixture
def last_round(by) -> Event:
    """Return a group of four, two of whom go on, whose only open match is that of 1 and 4."""
    event = make.started(by, 4, formula="single-group", options={"final": 3})
    for _round in range(2):
        make.play_round(make.next_round(event, by), by, claim)
    for match in make.next_round(event, by).matches.all():
        if seats_of(match) == (2, 3):
            results.decide_result(match=match, version=match.version, claim=claim(match), by=by)
    return Event.objects.get(pk=event.pk)


def seats_of(match) -> tuple[int, int]:
    seats = {seat.entry_id: seat.number for seat in match.group.seats.all()}
    return seats[match.seats[0]], seats[match.seats[1]]


def claim(match, index: int = 0) -> Claim:
    return Claim(score=SCORES[seats_of(match)])


def seated(event, number):
    seats = load_facts(event).stages[0].state.seats["A"]
    return event.entries.get(number=seats[number - 1])


@override("en")
def test_a_player_reads_what_to_make_and_a_rival_whom_to_watch(by, last_round) -> None:
    facts = load_facts(last_round, drafts=False)
    # 2 has finished with four points and 45; 1 would have as many, and has made 30.
    own = own_prospect(facts, seated(last_round, 1))
    assert own.after[0] == (
        "A win with at least 16 promotion points takes you on. "
        "A win with at most 14 promotion points is not enough."
    )
    assert own.after[1:] == ("A draw puts you out.", "A loss puts you out.")
    rival = own_prospect(facts, seated(last_round, 2))
    name = seated(last_round, 1).name
    assert rival.needed == (
        f"You go on if <bdi>{name}</bdi> makes at most 14 promotion points in the last match. "
        "Otherwise it is open."
    )
    client = Client(headers={"accept-language": "it"})
    token = entries.make_link(entry=seated(last_round, 2), by=by)
    client.get(reverse("tournaments:open-link", args=[token]))
    shown = client.get(f"/events/{last_round.slug}/me/").content.decode()
    assert "fa al massimo 14 punti promozione nell’ultimo incontro" in shown
    assert "valgono se l’incontro finisce come dice il punteggio" in shown


def test_the_page_of_all_and_the_api_tell_it_in_few_words(last_round) -> None:
    client = Client(headers={"accept-language": "en"})
    page = client.get(f"/events/{last_round.slug}/prospects/").content.decode()
    assert "through: at least 16 promotion points</small>" in page
    assert "they count if the match ends as its score says" in page
    rows = client.get(f"/api/v1/events/{last_round.slug}/scenarios/").json()
    one, two = (seated(last_round, seat).number for seat in (1, 2))
    told = {row["player"]: row["margins"] for row in rows}
    assert told[one] == [
        {
            "after": "win",
            "measure": "made",
            "of": one,
            "than": None,
            "through": {"least": 16, "most": None},
            "out": {"least": None, "most": 14},
            "text": "through: at least 16 promotion points; out: at most 14 promotion points",
        }
    ]
    (rival,) = told[two]
    assert (rival["after"], rival["measure"], rival["of"]) == ("now", "made", one)
    assert rival["through"] == {"least": None, "most": 14}


@override("en")
def test_where_games_decide_no_more_are_asked_than_can_be_won(by) -> None:
    event = make.started(by, 4, formula="single-group", options={"final": 3}, format="thoom")
    for _round in range(2):
        make.play_round(make.next_round(event, by), by)
    make.next_round(event, by)
    (group,) = prospect_groups(load_facts(event, drafts=False))
    notes = [note for row in group.rows for mark in row.after for note in mark.notes]
    assert all("2 won games" not in note for note in notes)
