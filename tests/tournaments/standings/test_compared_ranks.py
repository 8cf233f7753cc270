"""Ranks compared across groups, once some of those who went on have left."""

import pytest

from tests import factories as make
from tests.tournaments.corrections.test_follow import DOOMTROOPER, settled
from tournaments.core.event_state import load_facts
from tournaments.core.kept_places import compared_in
from tournaments.players.services.departures import withdraw
from tournaments.stages.services import close_stage

pytestmark = pytest.mark.django_db


def compared(event):
    stage = load_facts(event, drafts=False).stages[0]
    tables = compared_in(stage).items()
    return {rank: [row.player for row in table.rows] for rank, table in tables}


def test_those_compared_when_the_stage_closed_stay_though_one_leaves_later(by):
    event = make.stage_played(by, 8, **DOOMTROOPER)
    settled(event, by)
    before = compared(event)
    close_stage(event=event, expected_stage=1, by=by)
    for players in before.values():
        withdraw(entry=event.entries.get(number=players[0]), by=by)
    assert compared(event) == before
