"""No column that people write into is forgotten by an erasure."""

from django.apps import apps
from django.db import models

from decks.models import Decklist
from tournaments.erasing.services.rows import SEARCHED
from tournaments.models import (
    DeckDraft,
    Entry,
    ErasedPlayer,
    Event,
    GivenAnswer,
    KeptRows,
    LogLine,
    PersonalLink,
    SavedFormula,
    StaffInvitation,
)

TREATED = {
    Entry: {"name", "name_key", "surname"},
    DeckDraft: {"text"},
    Decklist: {"name", "raw", "upload_name"},
    GivenAnswer: {"body"},
    KeptRows: {"rows"},
    PersonalLink: {"token_hash"},
    SavedFormula: {"name"},
    StaffInvitation: {"email"},
}
"""Columns that an erasure empties, deletes or rewrites by code of their own."""
LEFT = {
    Entry: {"club"},  # cleared for the erased player; others name a club, no person
    Event: {"name", "slug", "breaks", "questions"},  # its organiser chose them
    Decklist: {"text", "deck", "counts", "violations"},  # names of cards
    GivenAnswer: {"key"},  # a program's
    SavedFormula: {"slug", "definition"},
    ErasedPlayer: {"slug"},
    LogLine: {"facts"},  # numbers and codes: ``chain.columns.OPEN``
}
"""Columns that keep what they hold."""
CODES = {
    *("token_hash", "request_hash", "fingerprint", "seed", "address_hash", "machine", "key"),
    *("digest", "closed_digest", "salt", "signature", "head", "time_zone", "format", "formula"),
    *("action", "act", "kind", "ended_by", "tie_break", "winner", "level", "outcome"),
    *("options", "criteria", "warnings", "open_lists", "plan", "places", "apart", "games"),
    *("entrants", "order", "ticked", "points", "archived_as"),
}
"""Columns that no reader ever types a name into: codes, numbers, digests."""


def test_every_text_of_an_event_is_searched_emptied_or_left_for_a_reason() -> None:
    forgotten = []
    for model in (*apps.get_app_config("tournaments").get_models(), Decklist):
        known = {*SEARCHED.get(model, ()), *TREATED.get(model, ()), *LEFT.get(model, ()), *CODES}
        for field in model._meta.concrete_fields:
            typed = isinstance(field, models.CharField | models.TextField | models.JSONField)
            if typed and not field.choices and field.name not in known:
                forgotten.append(f"{model.__name__}.{field.name}")
    assert forgotten == ["Group.name", "Match.reason"]  # "A", "B"; why two were paired


def test_what_is_searched_is_there() -> None:
    for model, columns in SEARCHED.items():
        assert set(columns) <= {field.name for field in model._meta.concrete_fields}
