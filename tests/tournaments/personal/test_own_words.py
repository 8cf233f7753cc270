"""The words of each state of a player's page, in both languages, of now and of a copy."""

from dataclasses import replace
from datetime import UTC, datetime
from itertools import product

import pytest
from django.utils.translation import override

from rules.events.lifecycle import RejoinStatus
from rules.events.own_page import (
    AT_TABLE,
    DONE,
    DeckState,
    DropConsequence,
    NextStep,
    PlayerPageState,
    PlayerState,
)
from rules.scenarios.final_places import FinalPlaces
from tournaments.personal.selectors.decisions import LoggedDrop
from tournaments.personal.selectors.words import PLACE, SOON, TABLE, PageValues, box_texts

PROMISES = {"en": ("automatically",), "it": ("automaticamente",)}
ENDED = {
    "en": ("Well played", "You have dropped", "disqualified"),
    "it": ("Bella gara", "Il tuo ritiro"),
}
NOTED = LoggedDrop(words="15:12, Marta")
KNOWN = PageValues(
    name="Ada",
    begins="Start: today",
    next_round=3,
    rank="6th",
    field=16,
    tables=2,
    ended="Quarter-finals",
    noted=NOTED,
    in_line=2,
)

LAST: dict[str, object] = {"next_round": 0}  # no round of the stage is to come
SHARED, FIRST = FinalPlaces(5, 5, shared=True), FinalPlaces(1, 1, shared=True)


def state(kind: PlayerState, *, places: FinalPlaces | None = None) -> PlayerPageState:
    return PlayerPageState(
        state=kind,
        step=NextStep.NOTHING,
        leaving=DropConsequence.NOT_OFFERED,
        deck=DeckState.NONE,
        here_at=datetime(2026, 12, 4, 8, tzinfo=UTC),
        places=places,
        returning=RejoinStatus.NOT_OFFERED,
    )


def all_words(kind, language, places=None, known=KNOWN):
    """Return what a state says now, and what a copy of it says."""
    with override(language):
        now = box_texts(state(kind, places=places), known)
        return [now, replace(now, line=now.line_offline or now.line)]


@pytest.mark.parametrize("language", ["en", "it"])
def test_every_state_has_words_and_a_copy_promises_nothing(language):
    for kind in PlayerState:
        now, copied = all_words(kind, language)
        assert now.title or kind in AT_TABLE, kind
        assert not [one for one in PROMISES[language] if one in copied.line], kind
        assert (now.title, now.box, now.figure) == (copied.title, copied.box, copied.figure)
        promised = [one for one in PROMISES[language] if one in now.line]
        assert bool(promised) == bool(now.line_offline), kind
        assert not (promised and kind in DONE), kind


@pytest.mark.parametrize("language", ["en", "it"])
def test_the_box_fits_the_state(language):
    for kind, places in product(PlayerState, (None, FinalPlaces(5, 5), FinalPlaces(5, 8))):
        words = all_words(kind, language, places)[0]
        assert (words.box == TABLE) == (kind in AT_TABLE)
        assert not (kind in DONE and words.box == SOON)
        assert (words.box == PLACE) == (
            kind in DONE - {PlayerState.DISQUALIFIED} and bool(places and places.one)
        )
        said = f"{words.title} {words.line}"
        if kind not in DONE:
            assert not [one for one in ENDED[language] if one in said], kind


@pytest.mark.parametrize(
    ("kind", "places", "known", "english", "italian"),
    [
        ("out", FinalPlaces(8, 8), {}, "8th of 16", "8º su 16"),
        ("out", FinalPlaces(5, 8), {}, "5th–8th of 16", "5º–8º su 16"),
        ("out", SHARED, {}, "=5th of 16", "=5º su 16"),
        ("out", FIRST, {"ended": ""}, "Well played, Ada!", "Bella gara, Ada!"),
        ("out", None, {}, "You have no more matches", "Non hai più incontri"),
        ("out", FinalPlaces(1, 1), {}, "You won the event.", "Hai vinto l’evento."),
        (
            "out",
            FinalPlaces(9, 11),
            {"if_left": 1},
            "only if 1 player ahead of you drops",
            "Passi solo se 1 giocatore davanti a te",
        ),
        ("lots_lost", None, {"decided": "Lots."}, "no more matches Lots.", "più incontri Lots."),
        (
            "out",
            FinalPlaces(10, 11),
            {"if_left": 2},
            "only if 2 players",
            "Passi solo se 2 giocatori",
        ),
        ("left", FinalPlaces(13, 14), {}, "13th–14th of 16", "13º–14º su 16"),
        ("unsure", None, {}, "This depends on other results.", "Dipende da altri risultati."),
        ("unsure", None, {"tables": 0}, "on other results", "da altri risultati"),
        ("unsure", None, LAST, "Tables still playing: 2", "Tavoli ancora in gioco: 2"),
        ("unsure", None, LAST | {"tables": 40}, "on other results", "da altri risultati"),
        (
            "unsure",
            None,
            LAST | {"tables": 0, "lots": True},
            "Random draw or tiebreaker match",
            "Sorteggio o incontro di spareggio",
        ),
        ("unsure", None, LAST | {"tables": 0}, "stage closes", "alla chiusura di questa"),
        (
            "unsure",
            None,
            {"tables": 1, "held": True},
            "Not decided yet The latest standings aren’t published yet.",
            "Non è ancora deciso L’ultima classifica non è ancora pubblicata.",
        ),
        ("decided", None, {"next_round": 0}, "You play on", "Continui a giocare"),
        (
            "between",
            None,
            {"level": True, "is_last": True},
            "You are tied Random draw",
            "Sei a pari merito Sorteggio",
        ),
        ("out", None, {"seat_of": "Ada"}, "Ada has dropped and you are next", "Ada si è ritirato"),
        ("waiting", None, {"started": True}, "is closed.", "sono chiuse."),
        (
            "waiting",
            None,
            {},
            "Your place on the waiting list: 2.",
            "Il tuo posto in lista d’attesa: 2.",
        ),
        ("waiting", None, {"in_line": 0}, "A place has opened up for you", "C’è un posto per te"),
        ("arriving", None, {}, "Are you here?", "Ci sei?"),
        ("over", FinalPlaces(1, 1), {}, "You won the event.", "Hai vinto l’evento."),
        (
            "waiting",
            None,
            {"started": True, "admits": True},
            "Ask at the desk.",
            "Chiedi in segreteria.",
        ),
        ("over", None, {}, "The event is over", "L’evento è finito"),
    ],
)
def test_what_is_known_is_said(kind, places, known, english, italian):
    values = {field: getattr(KNOWN, field) for field in PageValues.__dataclass_fields__} | known
    for language, wanted in (("en", english), ("it", italian)):
        words = all_words(PlayerState(kind), language, places, PageValues(**values))[0]
        assert wanted in f"{words.title} {words.line}"


def test_the_rank_of_now_is_never_a_place():
    words = all_words(PlayerState.UNSURE, "en")[0]
    assert (words.box, words.figure) == ("now", "6th")
    assert " of 16" not in words.title + words.line


@pytest.mark.parametrize(
    ("noted", "title"),
    [
        (None, "You have dropped"),
        (NOTED, "You have dropped"),
        (replace(NOTED, taken_out=True), "The staff removed you from this event"),
        (replace(NOTED, taken_out=True, absent=True), "The staff recorded you as a no-show"),
    ],
)
def test_who_was_taken_out_did_not_leave(noted, title, in_english):
    left = state(PlayerState.LEFT)
    words = box_texts(left, PageValues(noted=noted))
    wrong = "If this is wrong, ask at the desk."
    assert (words.title, wrong in words.line) == (title, bool(noted and noted.taken_out))
    asks = replace(left, returning=RejoinStatus.MAY_ASK)  # "Was it a mistake?" stands below
    assert wrong not in box_texts(asks, PageValues(noted=noted)).line
