"""An error of the rules stands at the field of a form that it concerns, in the reader's words."""

import pytest
from django import forms
from django.utils.translation import override

from config.wording import add_refusal
from rules.errors import RuleError
from rules.json_reader import Fields, Whole, list_of, read_document


class Sizes(forms.Form):
    size = forms.CharField(required=False)
    sizes_1 = forms.CharField(required=False)
    why = forms.CharField(required=False)


class Rows(Sizes):
    def field_of(self, path: str) -> str:
        return path.replace("[", "_").replace("]", "")


def refused(sent: object, **named: str) -> RuleError:
    """Return the error of a document with ``size`` and ``sizes``."""
    try:
        read_document("bad_sizes", _read, sent, **named)
    except RuleError as error:
        return error
    raise AssertionError(sent)


def _read(value: object) -> None:
    given = Fields(value)
    given.read("size", Whole(1, 9), 1)
    given.read("sizes", list_of(Whole(1, 9)))


WORDS = "Deve essere un numero intero da 1 a 9."
CODED = RuleError("reason_missing", "Give a reason.")


@pytest.mark.parametrize(
    ("form", "error", "beside", "field", "words"),
    [
        (Sizes, refused({"size": 0}), {}, "size", WORDS),
        (Sizes, refused({"size": 0}, also_as="field"), {}, "size", WORDS),
        (Sizes, RuleError("old", "%(field)s is old.", field="size"), {}, "size", "size is old."),
        (Sizes, refused({"sizes": [1, 0]}), {}, "__all__", WORDS),
        (Sizes, refused({"sizes": [1, 0]}), {"sizes[1]": "why"}, "why", WORDS),
        (Sizes, refused({"sizes": [1, 0]}), {"bad_sizes": "size"}, "size", WORDS),
        (Sizes, refused([]), {}, "__all__", "Dev’essere un oggetto."),
        (Rows, refused({"sizes": [1, 0]}), {}, "sizes_1", WORDS),
        (Rows, refused({"sizes": [0]}), {}, "__all__", WORDS),
        (Rows, CODED, {"reason_missing": "why"}, "why", "Give a reason."),
        (Rows, CODED, {"other": "why"}, "__all__", "Give a reason."),
        (Rows, CODED, {"reason_missing": "gone"}, "__all__", "Give a reason."),
    ],
)
def test_an_error_stands_at_its_field(
    form: type[forms.Form], error: RuleError, beside: dict[str, str], field: str, words: str
) -> None:
    shown = form({})
    with override("it"):
        add_refusal(shown, error, beside)
        assert shown.errors == {field: [words]}
