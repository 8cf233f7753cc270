"""A late entry taken back: with a link made since, and not once something has bound it."""

import pytest

from rules.errors import RuleError
from tests import factories as make
from tournaments.models import Event
from tournaments.players.services import entries, late_entries
from tournaments.undo.selectors import last_act, undone_act
from tournaments.undo.services import redo, undo
from tournaments.verification.event import verify_event

pytestmark = pytest.mark.django_db
SWISS = {"formula": "swiss-cut", "format": "creatures-of-exo", "options": {"rounds": 4, "cut": 2}}


def fresh(event):
    return Event.objects.get(pk=event.pk)


def test_a_late_entry_is_undone_though_a_link_was_made_since(by):
    event = make.halfway(by, 6, **SWISS)
    late = late_entries.add_late_entry(event=event, name="Tarda", missed="loss", by=by)
    entries.make_link(entry=late, by=by)
    line = last_act(fresh(event)).line
    assert line.action == "entry.added_late"
    undo(event=event, expected=line.number, by=by)
    assert not event.entries.filter(pk=late.pk).exists()
    again = undone_act(fresh(event))
    assert again is not None
    redo(event=event, expected=again.number, by=by)
    assert event.entries.get(number=late.number).name == "Tarda"
    assert list(verify_event(fresh(event))) == []


def test_a_late_entry_is_not_offered_for_undo_once_a_list_was_handed_in(by, in_english):
    event = make.halfway(by, 6, **SWISS, decklists="optional")
    late = late_entries.add_late_entry(event=event, name="Tarda", missed="loss", by=by)
    make.hand_in(late, by=by, reason="Tarda")
    act = last_act(fresh(event))
    assert act.line.action == "entry.added_late"
    assert "has handed in a list" in str(act.why_not)
    with pytest.raises(RuleError, match="has handed in a list") as refused:
        undo(event=event, expected=act.line.number, by=by)
    assert refused.value.code == "not_undoable"
