"""The organiser's questions reworded, moved, made a must: until an answer would not hold."""

import pytest
from django.core.exceptions import PermissionDenied

from rules.errors import RuleError
from tests import factories as make
from tests.browsers import page, signed_in, url
from tournaments.core.permissions import Actor
from tournaments.models import Event
from tournaments.players.selectors.answers import event_questions
from tournaments.players.services import entries
from tournaments.questions.services import (
    add_question,
    change_question,
    move_question,
    questions_fingerprint,
)
from tournaments.undo.selectors import last_act
from tournaments.undo.services import undo

pytestmark = pytest.mark.django_db


@pytest.fixture
def event(by):
    event = make.open_event(by)
    add_question(event=event, kind="text", text="Stanza?", by=by)
    add_question(event=event, kind="choice", text="Taglia?", choices=["S", "M"], by=by)
    return add_question(event=event, kind="consent", text="Foto", by=by)


def now(event):
    return event_questions(Event.objects.get(pk=event.pk))


def texts(event):
    return [one.text for one in now(event)]


def fields(client, event, place):
    """Return the fields of the form that changes a question, as the page has them."""
    form = client.get(url("manage-questions", event)).context["changes"][place]
    return {"change": form.question.key, **{bound.name: bound.initial for bound in form}}


def registered(event, *answers):
    told = dict(zip((one.key for one in now(event)), answers, strict=True))
    return entries.register(event=event, name="Anna", user=None, answers=told, by=Actor())


def test_a_question_is_reworded_where_it_stands(event, by):
    client, address = signed_in(by), url("manage-questions", event)
    sent = fields(client, event, 1) | {"text": "Maglia?", "choices": "S\nM\nL", "required": "on"}
    assert client.post(address, sent).status_code == 302
    changed = now(event)[1]
    assert (changed.text, changed.choices, changed.required) == ("Maglia?", ("S", "M", "L"), True)
    assert changed.kind == "choice"
    assert texts(event) == ["Stanza?", "Maglia?", "Foto"]
    assert "Stanza?, Maglia?, Foto" in page(client, "log", event)
    event.refresh_from_db()
    undo(event=event, expected=last_act(event).line.number, by=by)
    assert texts(event) == ["Stanza?", "Taglia?", "Foto"]


@pytest.mark.deep
def test_buttons_move_a_question_and_undo_moves_it_back(event, by):
    client, address = signed_in(by), url("manage-questions", event)
    shown = page(client, "manage-questions", event)
    assert shown.count('name="up"') == shown.count('name="down"') == 2  # not over the ends
    sent = {"up": now(event)[2].key, "seen": questions_fingerprint(*now(event))}
    assert client.post(address, sent).status_code == 302
    assert texts(event) == ["Stanza?", "Foto", "Taglia?"]
    late = client.post(address, sent)  # the second click of two
    assert late.status_code == 409
    assert "This is no longer possible. Reload the page." in late.content.decode()
    down = {"down": now(event)[0].key, "seen": questions_fingerprint(*now(event))}
    client.post(address, down)
    assert texts(event) == ["Foto", "Stanza?", "Taglia?"]
    event.refresh_from_db()
    undo(event=event, expected=last_act(event).line.number, by=by)
    assert texts(event) == ["Stanza?", "Foto", "Taglia?"]


def test_whoever_is_late_is_told_keeps_what_they_typed_and_may_send_it_again(event, by):
    client, address = signed_in(by), url("manage-questions", event)
    sent = fields(client, event, 0) | {"text": "Camera?"}
    first = now(event)[0]
    change_question(
        event=event, key=first.key, seen=questions_fingerprint(first), text="Letto?", by=by
    )
    late = client.post(address, sent)
    assert late.status_code == 409
    form = late.context["changes"][0]
    assert "“Letto?”" in str(form.non_field_errors())
    assert (form["text"].value(), texts(event)[0]) == ("Camera?", "Letto?")
    assert not late.context["form"].is_bound  # what was typed stands in one place
    again = client.post(address, sent | {"seen": form["seen"].value()})
    assert again.status_code == 302
    assert texts(event)[0] == "Camera?"


@pytest.mark.parametrize(
    ("place", "typed", "status", "field"),
    [
        (0, {"text": ""}, 400, "text"),
        (0, {"text": "a\u202eb"}, 400, "text"),
        (1, {"choices": "S"}, 400, "choices"),
        (0, {"change": "gone"}, 409, None),
    ],
)
def test_a_bad_change_is_refused_in_its_own_form(event, by, place, typed, status, field):
    client = signed_in(by)
    sent = fields(client, event, place) | typed
    answer = client.post(url("manage-questions", event), sent)
    assert answer.status_code == status
    if field:
        assert set(answer.context["changes"][place].errors) == {field}
    assert texts(event) == ["Stanza?", "Taglia?", "Foto"]


@pytest.mark.deep
def test_what_was_answered_keeps_its_words_and_may_move_or_become_a_must(event, by):
    registered(event, "Tre", "S", False)
    client, address = signed_in(by), url("manage-questions", event)
    for place, typed in (
        (0, {"text": "Camera?"}),
        (1, {"choices": "M\nL"}),
        (2, {"required": "on"}),
    ):
        refused = client.post(address, fields(client, event, place) | typed)
        assert refused.status_code == 409, typed
        assert refused.context["changes"][place].non_field_errors()
    must = fields(client, event, 0) | {"required": "on"}
    assert client.post(address, must).status_code == 302
    more = fields(client, event, 1) | {"choices": "L\nS"}
    assert client.post(address, more).status_code == 302
    move = {"up": now(event)[2].key, "seen": questions_fingerprint(*now(event))}
    assert client.post(address, move).status_code == 302
    assert [(one.text, one.required) for one in now(event)] == [
        ("Stanza?", True),
        ("Foto", False),
        ("Taglia?", False),
    ]


def test_after_the_start_nothing_changes_and_only_organisers_ask(event, by):
    first, seen = now(event)[0], questions_fingerprint(*now(event))
    helper = make.staff(event, "scorekeeper")
    with pytest.raises(PermissionDenied):
        change_question(
            event=event, key=first.key, seen=questions_fingerprint(first), text="x", by=helper
        )
    with pytest.raises(PermissionDenied):
        move_question(event=event, key=first.key, up=False, seen=seen, by=helper)
    Event.objects.filter(pk=event.pk).update(plan={})
    with pytest.raises(RuleError) as refused:
        move_question(event=event, key=first.key, up=False, seen=seen, by=by)
    assert refused.value.code == "event_started"
