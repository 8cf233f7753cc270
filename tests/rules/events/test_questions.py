"""What an event may ask at registration, and what may be answered."""

from dataclasses import replace
from typing import Any

import pytest

from rules.errors import BadInput, RuleError
from rules.events.questions import (
    CHOICE,
    CONSENT,
    MOST_QUESTIONS,
    TEXT,
    YES_NO,
    Question,
    checked_answers,
    kept_as_answered,
    question_of,
    questions_of,
    with_question_moved,
)
from rules.json_reader import WrongValue

ROOM = Question(key="a", kind=TEXT, text="Stanza?", required=True)
SIZE = Question(key="b", kind=CHOICE, text="Taglia?", choices=("S", "M"))
LUNCH = Question(key="c", kind=YES_NO, text="Pranzo?", required=True)
PHOTOS = Question(key="d", kind=CONSENT, text="Foto", required=True)
ALL = (ROOM, SIZE, LUNCH, PHOTOS)
WHOLE = {"a": "Tre", "b": "M", "c": False, "d": True}


def test_questions_come_back_as_they_are_stored() -> None:
    assert questions_of([one.as_json() for one in ALL]) == ALL


@pytest.mark.parametrize(
    ("stored", "path"),
    [
        ([SIZE.as_json() | {"choices": "SM"}], "[0].choices"),
        ([SIZE.as_json(), "Stanza?"], "[1]"),
        ([SIZE.as_json() | {"required": 1}], "[0].required"),
        ([{"key": "a", "kind": TEXT}], "[0].text"),
        ({}, ""),
    ],
)
def test_values_of_another_shape_are_no_questions(stored: Any, path: str) -> None:
    with pytest.raises(WrongValue) as refused:
        questions_of(stored)
    assert refused.value.path == path


def test_a_question_is_tidied_and_only_a_choice_has_choices() -> None:
    asked = question_of(key="a", kind=TEXT, text="  Che \n stanza? ", choices=["x", "y"])
    assert (asked.text, asked.choices) == ("Che stanza?", ())


@pytest.mark.parametrize(
    ("code", "values"),
    [
        ("bad_question", {"kind": "other"}),
        ("bad_question", {"text": " "}),
        ("bad_question", {"text": "x" * 201}),
        ("bad_question", {"text": "x\u200bx\u202e"}),
        ("bad_choices", {"kind": CHOICE, "choices": ["one", ""]}),
        ("bad_choices", {"kind": CHOICE, "choices": ["one", "one"]}),
        ("bad_choices", {"kind": CHOICE, "choices": [str(n) for n in range(21)]}),
        ("bad_choices", {"kind": CHOICE, "choices": ["a", "x" * 81]}),
    ],
)
def test_what_nobody_could_ask_is_refused(code: str, values: dict[str, object]) -> None:
    usual: dict[str, object] = {"key": "a", "kind": TEXT, "text": "Stanza?"}
    with pytest.raises(BadInput) as refused:
        question_of(**(usual | values))  # type: ignore[arg-type]
    assert refused.value.code == code


def test_more_than_the_most_are_refused() -> None:
    many = [ROOM.as_json() | {"key": str(n)} for n in range(MOST_QUESTIONS + 1)]
    assert len(questions_of(many[:-1])) == MOST_QUESTIONS
    with pytest.raises(BadInput) as refused:
        questions_of(many)
    assert refused.value.code == "too_many_questions"


def test_whole_answers_are_kept_and_empty_ones_left_out() -> None:
    assert checked_answers(ALL, WHOLE | {"x": "y"}, complete=True) == WHOLE
    assert checked_answers(ALL, WHOLE | {"b": ""}, complete=True) == {
        key: said for key, said in WHOLE.items() if key != "b"
    }
    assert checked_answers(ALL, {"a": "  ", "d": False}, complete=False) == {"d": False}


@pytest.mark.parametrize("missing", [{"a": " "}, {"c": None}, {"d": False}, {"d": None}])
def test_a_required_question_needs_its_answer(missing: dict[str, object]) -> None:
    with pytest.raises(BadInput) as refused:
        checked_answers(ALL, WHOLE | missing, complete=True)
    assert refused.value.code == "answer_missing"


@pytest.mark.parametrize("wrong", [{"a": True}, {"a": "x" * 301}, {"b": "XL"}, {"c": "yes"}])
def test_what_does_not_answer_a_question_is_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(BadInput) as refused:
        checked_answers(ALL, WHOLE | wrong, complete=False)
    assert refused.value.code == "bad_answer"


def test_a_question_with_answers_keeps_its_words_and_stays() -> None:
    other = Question(key="a", kind=TEXT, text="Camera?", required=True)
    kept_as_answered(ALL, (LUNCH, ROOM), {"a": ["Tre"]})
    kept_as_answered(ALL, (other, LUNCH), {"a": [], "c": [False]})
    kept_as_answered(ALL, (Question(key="a", kind=TEXT, text="Stanza?"), LUNCH), {"a": ["Tre"]})
    for after in ((other, LUNCH), (LUNCH,)):
        with pytest.raises(RuleError) as refused:
            kept_as_answered(ALL, after, {"a": ["Tre"]})
        assert refused.value.code == "question_answered"


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        (SIZE, replace(SIZE, choices=("M", "L")), "S"),
        (replace(PHOTOS, required=False), PHOTOS, False),
    ],
)
def test_no_change_contradicts_an_answer(old: Question, new: Question, told: str | bool) -> None:
    with pytest.raises(RuleError) as refused:
        kept_as_answered([old], [new], {old.key: [told]})
    assert refused.value.code == "question_answered"
    kept_as_answered([old], [new], {old.key: ["M" if told == "S" else True]})
    kept_as_answered([new], [new], {old.key: [told]})  # the staff stored it like this


def test_questions_move_by_one_place_and_not_over_the_end() -> None:
    assert with_question_moved(ALL, "b", up=True) == (SIZE, ROOM, LUNCH, PHOTOS)
    assert with_question_moved(ALL, "b", up=False) == (ROOM, LUNCH, SIZE, PHOTOS)
    assert with_question_moved(ALL, "a", up=True) == ALL == with_question_moved(ALL, "d", up=False)
    with pytest.raises(RuleError) as refused:
        with_question_moved(ALL, "z", up=True)
    assert refused.value.code == "no_question"
