"""States of an event, standings held back, questions, and the chain of its log."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.errors import BadInput, RuleError
from rules.events.held_standings import HiddenStandings, hidden_rounds
from rules.events.ledger import (
    FIRST,
    Ledger,
    LedgerContent,
    canonical_json,
    incomparable_columns,
    line_digest,
    private_digest,
)
from rules.events.lifecycle import CHANGES, is_allowed, next_state
from rules.events.questions import (
    CHOICE,
    CONSENT,
    MOST_QUESTIONS,
    TEXT,
    YES_NO,
    Question,
    check_answers_stay_valid,
    make_question,
    read_questions,
    reorder_questions,
    validate_answers,
)
from rules.json_reader import WrongValue

STATES = {
    "event": {"draft", "registration", "closed", "running", "finished"},
    "stage": {"pending", "open", "closed"},
    "round": {"draft", "published"},
    "match": {"open", "reported", "disputed", "final"},
    "entry": {"registered", "waiting", "checked_in", "withdrawn", "disqualified"},
    "clock": {"ready", "running", "paused"},
}
ROWS = [
    (noun, action, state)
    for noun, actions in CHANGES.items()
    for action in actions
    for state in sorted(STATES[noun])
]


@pytest.mark.parametrize(("noun", "action", "state"), ROWS)
def test_an_action_leads_to_a_state_or_is_refused_in_words(
    noun: str, action: str, state: str
) -> None:
    if is_allowed(noun, state, action):
        assert next_state(noun, state, action) in STATES[noun]
        return
    with pytest.raises(RuleError) as refusal:
        next_state(noun, state, action)
    assert refusal.value.code == CHANGES[noun][action].code
    assert str(refusal.value).endswith(".")


@pytest.mark.parametrize("noun", CHANGES)
def test_tables_name_only_known_states(noun: str) -> None:
    for change in CHANGES[noun].values():
        assert set(change.allowed) <= STATES[noun]
        assert change.to in STATES[noun] | {""}


@pytest.mark.parametrize(
    ("noun", "state", "action", "code"),
    [
        ("event", "draft", "play", "event_not_running"),
        ("event", "closed", "register", "registration_closed"),
        ("event", "running", "start", "event_started"),
        ("stage", "closed", "close", "stage_not_open"),
        ("round", "published", "publish", "round_published"),
        ("match", "final", "decide", "match_final"),
        ("entry", "withdrawn", "withdraw", "entry_left"),
        ("clock", "paused", "pause", "clock_not_running"),
    ],
)
def test_refusals_have_stable_codes(noun: str, state: str, action: str, code: str) -> None:
    with pytest.raises(RuleError) as refusal:
        next_state(noun, state, action)
    assert refusal.value.code == code


def test_an_event_from_draft_to_its_end() -> None:
    state = "draft"
    for action in ("open_registration", "close_registration", "start", "finish"):
        state = next_state("event", state, action)
    assert state == "finished"


def test_an_unknown_action_is_a_mistake_in_the_program() -> None:
    with pytest.raises(KeyError):
        next_state("event", "draft", "nonsense")


@pytest.mark.parametrize(
    ("hold", "rounds", "regular", "released", "held"),
    [
        (HiddenStandings.NONE, (1, 2, 3), 3, 0, ()),
        (HiddenStandings.ALL, (), 0, 0, ()),
        (HiddenStandings.ALL, (1, 2), 2, 0, (1, 2)),
        (HiddenStandings.ALL, (1, 2, 3), 3, 2, (3,)),
        (HiddenStandings.ALL, (1, 2, 3), 3, 3, ()),
        (HiddenStandings.LAST, (1, 2), 2, 0, ()),
        (HiddenStandings.LAST, (1, 2, 3), 3, 0, (3,)),
        (HiddenStandings.LAST, (1, 2, 3), 3, 2, (3,)),
        (HiddenStandings.LAST, (1, 2, 3), 3, 3, ()),
        (HiddenStandings.LAST, (1, 2, 3, 4), 3, 0, (3, 4)),
        (HiddenStandings.LAST, (1, 2, 3, 4), 3, 3, (4,)),
        (HiddenStandings.LAST, (5, 6, 7), 3, 2, (7,)),
    ],
)
def test_held(hold, rounds, regular, released, held):
    found = hidden_rounds(hold, rounds, planned=3, regular=regular, released=released)
    assert found == frozenset(held)


def test_a_stage_that_plans_no_round_holds_none_as_its_last():
    assert (
        hidden_rounds(HiddenStandings.LAST, (1,), planned=0, regular=1, released=0) == frozenset()
    )


ROOM = Question(key="a", kind=TEXT, text="Stanza?", required=True)
SIZE = Question(key="b", kind=CHOICE, text="Taglia?", choices=("S", "M"))
LUNCH = Question(key="c", kind=YES_NO, text="Pranzo?", required=True)
PHOTOS = Question(key="d", kind=CONSENT, text="Foto", required=True)
ALL = (ROOM, SIZE, LUNCH, PHOTOS)
WHOLE = {"a": "Tre", "b": "M", "c": False, "d": True}


def test_questions_come_back_as_they_are_stored() -> None:
    assert read_questions([one.as_json() for one in ALL]) == ALL


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
        read_questions(stored)
    assert refused.value.path == path


def test_a_question_is_tidied_and_only_a_choice_has_choices() -> None:
    asked = make_question(key="a", kind=TEXT, text="  Che \n stanza? ", choices=["x", "y"])
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
        make_question(**(usual | values))  # type: ignore[arg-type]
    assert refused.value.code == code


def test_more_than_the_most_are_refused() -> None:
    many = [ROOM.as_json() | {"key": str(n)} for n in range(MOST_QUESTIONS + 1)]
    assert len(read_questions(many[:-1])) == MOST_QUESTIONS
    with pytest.raises(BadInput) as refused:
        read_questions(many)
    assert refused.value.code == "too_many_questions"


def test_whole_answers_are_kept_and_empty_ones_left_out() -> None:
    assert validate_answers(ALL, WHOLE | {"x": "y"}, complete=True) == WHOLE
    assert validate_answers(ALL, WHOLE | {"b": ""}, complete=True) == {
        key: said for key, said in WHOLE.items() if key != "b"
    }
    assert validate_answers(ALL, {"a": "  ", "d": False}, complete=False) == {"d": False}


@pytest.mark.parametrize("missing", [{"a": " "}, {"c": None}, {"d": False}, {"d": None}])
def test_a_required_question_needs_its_answer(missing: dict[str, object]) -> None:
    with pytest.raises(BadInput) as refused:
        validate_answers(ALL, WHOLE | missing, complete=True)
    assert refused.value.code == "answer_missing"


@pytest.mark.parametrize("wrong", [{"a": True}, {"a": "x" * 301}, {"b": "XL"}, {"c": "yes"}])
def test_what_does_not_answer_a_question_is_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(BadInput) as refused:
        validate_answers(ALL, WHOLE | wrong, complete=False)
    assert refused.value.code == "bad_answer"


def test_a_question_with_answers_keeps_its_words_and_stays() -> None:
    other = Question(key="a", kind=TEXT, text="Camera?", required=True)
    check_answers_stay_valid(ALL, (LUNCH, ROOM), {"a": ["Tre"]})
    check_answers_stay_valid(ALL, (other, LUNCH), {"a": [], "c": [False]})
    check_answers_stay_valid(
        ALL, (Question(key="a", kind=TEXT, text="Stanza?"), LUNCH), {"a": ["Tre"]}
    )
    for after in ((other, LUNCH), (LUNCH,)):
        with pytest.raises(RuleError) as refused:
            check_answers_stay_valid(ALL, after, {"a": ["Tre"]})
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
        check_answers_stay_valid([old], [new], {old.key: [told]})
    assert refused.value.code == "question_answered"
    check_answers_stay_valid([old], [new], {old.key: ["M" if told == "S" else True]})
    check_answers_stay_valid([new], [new], {old.key: [told]})  # the staff stored it like this


def test_questions_move_by_one_place_and_not_over_the_end() -> None:
    assert reorder_questions(ALL, "b", up=True) == (SIZE, ROOM, LUNCH, PHOTOS)
    assert reorder_questions(ALL, "b", up=False) == (ROOM, LUNCH, SIZE, PHOTOS)
    assert reorder_questions(ALL, "a", up=True) == ALL == reorder_questions(ALL, "d", up=False)
    with pytest.raises(RuleError) as refused:
        reorder_questions(ALL, "z", up=True)
    assert refused.value.code == "no_question"


PLACES = ("event", "round/1", "round/1/match/1", "round/1/match/2", "round/10")
lines = st.lists(
    st.fixed_dictionaries(
        {
            "whole": st.booleans(),
            "gone": st.lists(st.sampled_from(PLACES), max_size=2),
            "rows": st.dictionaries(st.sampled_from(PLACES), st.just({}) | st.just({"n": 1})),
        }
    ),
    max_size=6,
)


def folded(told):
    """Return what lines add up to, by the plain way."""
    rows = {}
    for facts in told:
        gone = list(rows) if facts["whole"] else facts["gone"]
        for place in gone:
            rows = {k: v for k, v in rows.items() if k != place and not k.startswith(f"{place}/")}
        rows |= facts["rows"]
    return rows


@given(lines)
def test_it_holds_what_the_lines_add_up_to(told):
    ledger = Ledger()
    for number, facts in enumerate(told, start=1):
        ledger.apply(number, facts, {})
        assert {place: held.row for place, held in ledger.contents.items()} == folded(told[:number])
        assert ledger.lines.keys() == ledger.contents.keys()


def test_a_row_told_anew_has_the_words_of_its_line_alone():
    ledger = Ledger()
    ledger.apply(1, {"rows": {"entry/1": {}}}, {"entry/1": {"name": "A"}})
    assert ledger.contents["entry/1"] == LedgerContent({}, {"name": "A"})
    ledger.apply(2, {"rows": {"entry/1": {}}}, {})
    assert ledger.contents["entry/1"] == LedgerContent({}, {})
    assert ledger.lines == {"entry/1": 2}


def test_words_told_anew_are_those_of_the_rows_that_are_there():
    ledger = Ledger()
    words = {"entry/1": {"name": "Anna"}, "entry/2": {"name": "Bea"}}
    ledger.apply(1, {"rows": {"entry/1": {"n": 1}, "entry/2": {}}}, words)
    ledger.apply(2, {"gone": ["entry/2"]}, {})
    told = {"entry/1": {"name": "Player 1"}, "entry/3": {"name": "never told"}}
    ledger.apply(3, {"erased": [1]}, told)
    assert ledger.contents == {"entry/1": LedgerContent({"n": 1}, {"name": "Player 1"})}


def test_the_first_line_with_the_whole_event_is_kept():
    ledger = Ledger()
    for number, whole in enumerate((False, True, True), start=1):
        ledger.apply(number, {"whole": whole, "rows": {"event": {"n": number}}}, {})
    assert (ledger.since, ledger.lines) == (2, {"event": 3})


@pytest.mark.parametrize("rows", [{"event": 1}, {"event": ["state"]}, {"event": None}])
def test_what_is_no_row_is_refused_and_changes_nothing(rows):
    ledger = Ledger()
    with pytest.raises(TypeError):
        ledger.apply(1, {"rows": {"round/1": {}} | rows}, {})
    assert ledger == Ledger()


@pytest.mark.parametrize("drafted", [False, True])
@pytest.mark.parametrize(
    ("a", "b", "told"), [(9, 4, [4, 9]), (4, 9, [4, 9]), (9, 4, [9, 4]), (7, None, [7])]
)
def test_a_match_has_its_players_in_the_order_of_their_seats(a, b, told, drafted):
    """Lines from before seats had numbers name them in the order of their own."""
    place, row = "round/1/match/1", {"a": a, "b": b, "seats": told}
    rows, words = ({}, {"draft": row}) if drafted else (row, {})
    (content,) = Ledger().apply(1, {"rows": {place: rows}}, {place: words}).contents.values()
    assert content.columns["seats"] == [player for player in (a, b) if player]


@pytest.mark.parametrize("row", [{"a": 1, "b": 2, "seats": [1, 3]}, {"seats": [7, 2, 5]}, {"n": 1}])
def test_seats_that_are_not_those_of_a_and_b_stay_as_they_are_told(row):
    ledger = Ledger().apply(1, {"rows": {"round/1/match/1": row}}, {})
    assert ledger.contents["round/1/match/1"].row == row


@pytest.mark.parametrize(
    ("words", "then", "closed"),
    [
        ({"account": 1, "lists": 1}, {"account": 2, "lists": 2}, set()),
        ({"account": 1}, {"lists": 2}, {"account"}),
        ({}, {"account": 1}, {"account", "lists"}),
    ],
)
def test_words_that_older_lines_lack_are_not_compared(words, then, closed):
    assert incomparable_columns(words, then) == closed


def test_one_content_has_one_form_whatever_the_order_of_its_keys() -> None:
    content = {"b": (1, 2), "a": {"d": None, "c": "Zoè"}}
    form = '{"a":{"c":"Zoè","d":null},"b":[1,2]}'.encode()
    assert canonical_json(content) == form
    assert canonical_json({"a": {"c": "Zoè", "d": None}, "b": [1, 2]}) == form
    assert canonical_json({7: "x"}) == canonical_json({"7": "x"}), "JSON has no other keys"
    assert canonical_json("\ud800") == b'"\xed\xa0\x80"', "half a pair does not break the chain"


def test_digests_are_those_of_salt_and_line_before() -> None:
    assert private_digest("salt", {"n": "Zoè"}) == (
        "627fdfe5ab6e6a2850ea29344d49104a1999c1c2ed5a0b8ef1b5c6d037e7494d"
    )
    assert line_digest(FIRST, {"n": 1, "act": "start"}) == (
        "473d3ca5589b044e8e467ef819d3012082775a905fed9b1adda6a1afa8461607"
    )
    assert private_digest("other", {"n": "Zoè"}) != private_digest("salt", {"n": "Zoè"})
    assert line_digest("1" * 64, {"n": 1}) != line_digest(FIRST, {"n": 1})
