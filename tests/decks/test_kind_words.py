"""The word by which a kind is shown is a word by which it is read."""

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.translation import override

from config.wording import translate
from decks.templatetags.lists import genus_name, kind_name
from rules.deckbuilding.checks.genus import GENERA, genus_key
from rules.deckbuilding.formats import FORMATS
from rules.deckbuilding.zones import find_kind

SHARED = {"Token", "Tokens"}  # two games call different kinds so: shown as written


@pytest.mark.parametrize("language", ["it", "en"])
@pytest.mark.parametrize("key", FORMATS.keys())
def test_a_kind_is_read_by_its_label(key: str, language: str) -> None:
    kinds = FORMATS.get(key).kinds
    with override(language):
        assert [find_kind(kinds, translate(kind.label)) for kind in kinds] == list(kinds)


def test_a_genus_is_read_by_its_label() -> None:
    with override("it"):
        assert [genus_key(translate(genus)) for genus in GENERA] == [
            genus_key(str(genus)) for genus in GENERA
        ]


@pytest.mark.parametrize("key", FORMATS.keys())
def test_a_kind_is_shown_in_the_readers_language(key: str) -> None:
    """However a list or a file of cards writes it: in Italian or in English, one or many."""
    for kind in FORMATS.get(key).kinds:
        for language in ("it", "en"):
            with override(language):
                label = translate(kind.label)
                assert {kind_name(word) for word in kind.words} <= {label} | SHARED


def test_what_no_game_knows_is_shown_as_it_is_written() -> None:
    with override("en"):
        assert [kind_name(text) for text in ("Equipaggiamento", "", "Guerriero Fratello")] == [
            "Equipaggiamento",
            "",
            "Guerriero Fratello",
        ]
        assert [genus_name(text) for text in ("fuoco", "Drago", "")] == ["Fire", "Drago", ""]


@pytest.mark.django_db
def test_a_checked_list_names_kinds_in_the_readers_language(client: Client) -> None:
    url = reverse("decks:format", args=["thoom"])
    sent = {"text": "2 Lupo {Mostro, Fuoco}"}
    for language, kinds in (("en", ["Monster", "Fire"]), ("it", ["Mostro", "Fuoco"])):
        answer = client.post(url, sent, headers={"Accept-Language": language})
        shown = " ".join(answer.content.decode().split())
        kind, genus = kinds
        assert f"<h4>{kind} <span>2</span></h4>" in shown
        assert f"<bdi>Lupo</bdi> <small>{genus}</small>" in shown
