"""Tables of allowed changes of state."""

import pytest

from rules.errors import RuleError
from rules.events.lifecycle import CHANGES, is_allowed, next_state

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
    assert "Nothing was" in str(refusal.value)


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
