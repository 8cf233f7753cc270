"""A place that is certain stands in the ranking, in files and on the own page at once."""

import pytest

from tests import factories as make
from tournaments.core.event_state import load_facts
from tournaments.personal.selectors.state import state_of
from tournaments.standings.selectors import figures
from tournaments.standings.selectors.figures import figures_of, players_in_order
from tournaments.standings.selectors.ranking import RankingPage, RankingRow, ranking_page

pytestmark = pytest.mark.django_db


def test_the_winner_has_a_place_while_others_play_for_third(by):
    event = make.halfway(by, 4, formula="single-elimination", format="creatures-of-exo")
    matches = make.next_round(event, by).matches.all()
    _third, final = sorted(matches, key=lambda match: match.number)
    make.results.decide_result(match=final, version=0, claim=make.a_wins(final), by=by)
    facts = load_facts(event, drafts=False)
    ranking = ranking_page(facts)
    assert [(row.rank, row.entry.pk) for row in ranking.rows] == [
        (1, final.seats[0]),
        (2, final.seats[1]),
    ]
    assert (ranking.still_in, ranking.podium) == (2, ())
    assert [state_of(facts, one).place for one in final.players] == [1, 2]
    order = [entry.pk for _rank, entry in players_in_order(facts, figures_of(facts)[0])]
    assert order[:2] == [*final.seats]


def test_who_is_out_of_a_table_for_certain_stands_on_their_place(by):
    values = {"formula": "swiss-cut", "options": {"rounds": 3, "cut": 2}}
    event = make.halfway(by, 6, rounds=2, **values)
    item = make.next_round(event, by)
    for match in item.matches.select_related("round__event").order_by("table")[1:]:
        make.results.decide_result(match=match, version=0, claim=make.a_wins(match), by=by)
    facts = load_facts(event, drafts=False)
    told = {row.entry.number: row.rank for row in ranking_page(facts).rows}
    own = {entry.number: state_of(facts, entry).place for entry in event.entries.all()}
    assert told
    assert told == {number: place for number, place in own.items() if place}


def test_the_ranks_of_a_table_are_those_of_now_where_it_stands_alone(by, monkeypatch):
    event = make.halfway(by, 6, formula="swiss-cut", options={"rounds": 3, "cut": 2})
    facts = load_facts(event, drafts=False)
    found, _criteria = figures_of(facts)
    (third,) = (facts.entries[number] for number, own in found.items() if own.rank.first == 3)
    fourth = RankingRow(rank=4, last=4, shared=False, entry=third)  # as open matches may have it
    page = RankingPage(rows=(fourth,), podium=(), still_in=5)
    monkeypatch.setattr(figures, "ranking_page", lambda _facts: page)
    ranks = [(rank, found[entry.number].rank) for rank, entry in players_in_order(facts, found)]
    assert ranks == [(rank, rank) for rank in sorted(own.rank for own in found.values())]
