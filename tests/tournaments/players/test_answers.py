"""Questions and answers as services keep them: who may, until when, and where they are found."""

import json
from io import BytesIO

import pytest
from django.core.exceptions import PermissionDenied
from django.utils import translation
from openpyxl import load_workbook

from rules.errors import BadInput, RuleError
from rules.events.questions import Question
from tests import factories as make
from tournaments.archive.reader import restore
from tournaments.archive.writer import archive
from tournaments.core.permissions import Actor
from tournaments.core.visibility import EVERY_LIST
from tournaments.erasing.selectors import data_of_entry
from tournaments.erasing.services.erase import erase_player
from tournaments.events.services.events import change_event, copy_event, move_event
from tournaments.exports.workbook import event_workbook
from tournaments.models import Event, KeptRows, LogLine
from tournaments.players.acts import ANSWERS_CHANGED
from tournaments.players.services import departures, entries
from tournaments.players.services.entries import change_answers
from tournaments.questions.services import add_question, remove_question
from tournaments.undo.selectors import acts_to_offer, last_act
from tournaments.undo.services import undo

pytestmark = pytest.mark.django_db
SAID = "Zibibbo Risposta"


@pytest.fixture
def event(by):
    """Return an open event that asks for a room, and must have a consent."""
    event = make.open_event(by)
    add_question(event=event, kind="text", text="Stanza?", by=by)
    add_question(event=event, kind="consent", text="Foto in diretta", required=True, by=by)
    event.refresh_from_db()
    return event


def keys(event):
    return [one["key"] for one in event.questions]


def registered(event, **said):
    room, photos = keys(event)
    answers = {room: SAID, photos: True} | said
    return entries.register(event=event, name="Anna", user=None, answers=answers, by=Actor())


def test_answers_are_stored_with_the_registration(event):
    room, photos = keys(event)
    assert registered(event).answers == {room: SAID, photos: True}


def test_without_a_required_answer_nobody_is_registered(event):
    with pytest.raises(BadInput) as refused:
        registered(event, **{keys(event)[1]: False})
    assert refused.value.code == "answer_missing"
    assert not event.entries.exists()


def test_who_is_pasted_or_added_has_no_answers(event, by):
    make.players(event, 2, by)
    entries.add_entry(event=event, name="Zita", by=by)
    assert list(event.entries.values_list("answers", flat=True)) == [{}, {}, {}]


def test_a_player_changes_answers_until_registration_closes(event, by):
    entry, (room, photos) = registered(event), keys(event)
    own = Actor(entry=entry)
    assert change_answers(entry=entry, answers={photos: True}, by=own).answers == {photos: True}
    with pytest.raises(BadInput):
        change_answers(entry=entry, answers={room: "Due"}, by=own)
    move_event(event=event, action="close_registration", by=by)
    with pytest.raises(RuleError) as refused:
        change_answers(entry=entry, answers={photos: True, room: "Due"}, by=own)
    assert refused.value.code == "registration_closed"
    entry.refresh_from_db()
    assert entry.answers == {photos: True}


def test_nobody_changes_the_answers_of_another(event, by):
    entry = registered(event)
    (other,) = make.players_more(event, ("Bea",), by)
    for actor in (Actor(), Actor(entry=other), make.staff(event, "judge")):
        with pytest.raises(PermissionDenied):
            change_answers(entry=entry, answers={}, by=actor)
    entry.refresh_from_db()
    assert entry.answers


def test_the_staff_fill_in_what_is_known_while_the_event_runs(by):
    event = make.playing(by, 4, formula="single-group")
    asked = [
        Question(key="a", kind="consent", text="Foto", required=True).as_json(),
        Question(key="b", kind="yes_no", text="Pranzo?").as_json(),
    ]
    Event.objects.filter(pk=event.pk).update(questions=asked)
    entry = event.entries.get(number=1)
    change_answers(entry=entry, answers={"b": False}, by=make.staff(event, "scorekeeper"))
    entry.refresh_from_db()
    assert entry.answers == {"b": False}


def test_no_line_of_the_log_and_no_kept_row_holds_an_answer(event, by):
    entry = registered(event)
    change_answers(entry=entry, answers={keys(event)[0]: f"{SAID} due"}, by=by)
    line = event.log.order_by("number").last()
    assert (line.action, line.after) == ("answers.changed", {"number": 1})
    told = [*LogLine.objects.values_list("before", "after", "facts", "words", "subject")]
    assert SAID not in str([*told, *KeptRows.objects.values_list("rows", flat=True)])


def test_the_same_answers_are_no_act(event, by):
    entry = registered(event)
    before = event.log.count()
    change_answers(entry=entry, answers=entry.answers, by=by)
    assert event.log.count() == before


def test_changed_answers_are_not_taken_back_and_say_why(event, by):
    entry = registered(event)
    change_answers(entry=entry, answers={}, by=by)
    event.refresh_from_db()
    acts = acts_to_offer(event)
    assert acts.last is not None
    assert "answers.changed" not in {act.line.action for act in (acts.last, *acts.others)}
    assert "private" in str(ANSWERS_CHANGED.undo.why)


def test_a_question_with_answers_stays_and_another_goes(event, by):
    room, photos = keys(event)
    registered(event, **{room: ""})
    with pytest.raises(RuleError) as refused:
        remove_question(event=event, key=photos, by=by)
    assert refused.value.code == "question_answered"
    assert keys(remove_question(event=event, key=room, by=by)) == [photos]
    with pytest.raises(RuleError) as again:
        remove_question(event=event, key=room, by=by)
    assert again.value.code == "no_question"


def test_adding_a_question_is_taken_back_unless_it_was_answered(by):
    event = make.open_event(by)
    event = add_question(event=event, kind="text", text="Stanza?", by=by)
    undo(event=event, expected=last_act(event).line.number, by=by)
    event.refresh_from_db()
    assert event.questions == []
    event = add_question(event=event, kind="text", text="Stanza?", by=by)
    line = last_act(event).line
    said = {keys(event)[0]: SAID}
    entries.register(event=event, name="Anna", user=None, answers=said, by=Actor())
    with pytest.raises(RuleError) as refused:
        change_event(event=event, changes=line.before, by=by)
    assert refused.value.code == "question_answered"


def test_after_the_start_nothing_more_is_asked(by):
    event = make.playing(by, 4, formula="single-group")
    with pytest.raises(RuleError) as refused:
        add_question(event=event, kind="text", text="Stanza?", by=by)
    assert refused.value.code == "event_started"


def test_only_organisers_ask(event):
    for actor in (Actor(), make.staff(event, "scorekeeper")):
        with pytest.raises(PermissionDenied):
            add_question(event=event, kind="text", text="Altro?", by=actor)
        with pytest.raises(PermissionDenied):
            remove_question(event=event, key=keys(event)[0], by=actor)


def test_a_copy_asks_the_same_and_has_no_answers(event, by):
    registered(event)
    values = {
        name: getattr(event, name) for name in ("starts_at", "format", "formula", "decklists")
    }
    copy = copy_event(source=event, values=values | {"name": "Seconda"}, by=by)
    assert copy.questions == event.questions
    assert not copy.entries.exists()


def test_out_in_out_is_the_same_and_an_older_archive_has_none(event):
    registered(event)
    first = archive(Event.objects.get(pk=event.pk))
    assert SAID in first.decode()
    Event.objects.filter(pk=event.pk).delete()
    again = restore(first)
    assert archive(again) == first
    document = json.loads(first)
    del document["tables"]["events"][0]["questions"]
    for row in document["tables"]["entries"]:
        del row["answers"]
    older = restore(json.dumps(document).encode(), slug="prima")
    assert (older.questions, older.entries.get().answers) == ([], {})


@pytest.mark.parametrize("table", ["events", "entries"])
@pytest.mark.parametrize("value", ["rotto", 3, ["rotto"], [{"kind": "other"}], None])
def test_an_archive_that_asks_nonsense_is_refused(event, table, value):
    registered(event)
    document = json.loads(archive(Event.objects.get(pk=event.pk)))
    column = "questions" if table == "events" else "answers"
    document["tables"][table][0][column] = value
    with pytest.raises(BadInput):
        restore(json.dumps(document).encode(), slug="rotto")
    assert not Event.objects.filter(slug="rotto").exists()


def test_who_is_erased_leaves_no_answer_anywhere(event, by):
    entry = registered(event)
    departures.withdraw(entry=entry, reason="", by=by)
    assert SAID in archive(Event.objects.get(pk=event.pk)).decode()
    erase_player(event=event, number=entry.number, confirm=entry.name, by=by)
    entry.refresh_from_db()
    assert entry.answers == {}
    assert SAID not in archive(Event.objects.get(pk=event.pk)).decode()


def test_who_was_removed_and_is_erased_leaves_no_answer_in_what_undo_keeps(event, by):
    entry = registered(event)
    number = entry.number
    entries.remove_entry(entry=entry, by=by)
    assert SAID in str([*KeptRows.objects.values_list("rows", flat=True)])
    erase_player(event=event, number=number, confirm=str(number), by=by)
    assert SAID not in str([*KeptRows.objects.values_list("rows", flat=True)])


def test_a_name_in_the_answer_of_another_is_redacted(event, by):
    entry = registered(event)
    departures.withdraw(entry=entry, reason="", by=by)
    (other,) = make.players_more(event, ("Bea Rossi",), by)
    change_answers(entry=other, answers={keys(event)[0]: "Con Anna"}, by=by)
    erase_player(event=event, number=entry.number, confirm=entry.name, by=by)
    other.refresh_from_db()
    assert other.answers == {keys(event)[0]: "Con Giocatore 1"}


def test_who_asks_for_their_data_gets_their_answers(event):
    with translation.override("en"):
        assert data_of_entry(registered(event))["answers"] == [
            {"question": "Stanza?", "answer": SAID},
            {"question": "Foto in diretta", "answer": "yes"},
        ]


def test_the_workbook_of_the_staff_alone_has_a_column_for_each_question(event, by):
    registered(event)
    make.players_more(event, ("Bea",), by)
    found = {}
    for staff in (True, False):
        with translation.override("en"):
            content = event_workbook(Event.objects.get(pk=event.pk), staff=staff, sight=EVERY_LIST)
        sheet = load_workbook(BytesIO(content))["Players"]
        found[staff] = [tuple(row) for row in sheet.iter_rows(values_only=True)]
    assert found[True][0][-2:] == ("Stanza?", "Foto in diretta")
    assert found[True][1][-2:] == (SAID, "yes")
    assert not any(found[True][2][-2:])
    assert "Stanza?" not in str(found[False])
    assert SAID not in str(found[False])
