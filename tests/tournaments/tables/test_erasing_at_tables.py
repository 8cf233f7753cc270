"""A player is erased from what was written about a table, whatever seat they had."""

import pytest

from rules.matches.match_rules import Claim
from tests import factories as make
from tournaments.erasing.services.erase import erase_player
from tournaments.models import Event, Match, Report
from tournaments.players.services.departures import withdraw
from tournaments.players.services.entries import change_entry
from tournaments.results.services.results import correct_result, decide_result
from tournaments.verification.event import verify_event

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("seat", [1, 3, 4])
def test_the_reason_of_a_correction_keeps_no_word_of_the_name(by, seat):
    event = make.playing(by, 4, **make.TABLES)
    match = Match.objects.get(round__event=event)
    player = match.players[seat - 1]
    change_entry(entry=player, changes={"name": "Zefirina Ghirelli"}, by=by)
    match = decide_result(match=match, version=0, claim=Claim(first=1), by=by)
    reason = "Ghirelli ha contato male"
    correct_result(match=match, version=1, claim=Claim(first=2), reason=reason, by=by)
    withdraw(entry=player, reason="Ghirelli è partita", by=by)
    erase_player(event=event, number=player.number, confirm="Zefirina Ghirelli", by=by)
    event = Event.objects.get(pk=event.pk)
    written = [
        *Report.objects.values_list("note", flat=True),
        *event.log.values_list("facts", "reason"),
    ]
    assert [text for text in written if "Ghirelli" in str(text)] == []
    assert list(verify_event(event)) == []
