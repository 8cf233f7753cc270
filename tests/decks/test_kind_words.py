"""The word by which a kind is shown is a word by which it is read."""

import pytest
from django.utils.translation import override

from config.wording import translate
from rules.deckbuilding.formats import FORMATS
from rules.deckbuilding.genera import GENERA, genus_key
from rules.deckbuilding.kinds import find_kind


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
