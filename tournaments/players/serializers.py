"""Players as the API takes and shows them."""

from rest_framework import serializers

from config.wording import explain
from rules.errors import BadInput
from rules.people.contacts import LONGEST_ADDRESS, LONGEST_NUMBER
from rules.people.person_names import clean_club, clean_name
from rules.stages.byes import MOST_BYES
from tournaments.api.fields import LARGEST, Serializer, Whole, fields_of
from tournaments.api.serialization import Json
from tournaments.core.names import as_listed
from tournaments.core.rows import AnyEntry
from tournaments.models import Entry
from tournaments.players.services.late_entries import LOSS, MISSED


class PlayerInput(Serializer):
    """A player."""

    name = serializers.CharField(max_length=200)
    surname = serializers.CharField(
        max_length=80,
        allow_blank=True,
        required=False,
        help_text="The words of the name by which lists are sorted; empty: guessed",
    )
    club = serializers.CharField(max_length=80, allow_blank=True, required=False)
    seed = Whole(min_value=1, max_value=10_000, allow_null=True, required=False)
    fixed_table = Whole(min_value=1, max_value=LARGEST, allow_null=True, required=False)
    status = serializers.ChoiceField(choices=Entry.Status.choices, required=False)
    byes = Whole(
        min_value=0,
        max_value=MOST_BYES,
        required=False,
        help_text="Awarded in rounds 1 to n of Swiss rounds, before the start",
    )
    left = serializers.ChoiceField(
        choices=Entry.Left.choices,
        required=False,
        help_text="Corrects how somebody withdrawn has left",
    )
    reason = serializers.CharField(max_length=300, allow_blank=True, required=False)
    email = serializers.CharField(
        max_length=LONGEST_ADDRESS,
        allow_blank=True,
        required=False,
        help_text="Organisers only",
    )
    membership = serializers.DictField(
        child=serializers.CharField(max_length=LONGEST_NUMBER, allow_blank=True),
        required=False,
        help_text="All numbers by the key of the membership; organisers only",
    )
    late = serializers.ChoiceField(
        choices=list(MISSED),
        required=False,
        help_text="After the start of Swiss rounds: what each round missed counts as; half_bye "
        "where matches are of two and points have halves",
    )

    def validate_name(self, name: str) -> str:
        """Return the cleaned name. Raises ValidationError."""
        try:
            return clean_name(name)
        except BadInput as wrong:
            raise serializers.ValidationError(explain(wrong)) from None

    def validate_club(self, club: str) -> str:
        """Return the cleaned club. Raises ValidationError."""
        try:
            return clean_club(club)
        except BadInput as wrong:
            raise serializers.ValidationError(explain(wrong)) from None


class PlayerOutput(Serializer):
    """A player; the number is theirs for the whole event."""

    number = serializers.IntegerField()
    name = serializers.CharField()
    display_name = serializers.CharField(
        help_text="The name; where another player has it, with the club or the number behind it"
    )
    surname = serializers.CharField(help_text="The words of the name by which lists are sorted")
    status = serializers.ChoiceField(choices=Entry.Status.choices)
    left = serializers.ChoiceField(
        choices=Entry.Left.choices,
        allow_null=True,
        help_text="Of somebody withdrawn: no_show has played no match, dropped has",
    )
    seed = serializers.IntegerField(allow_null=True)
    club = serializers.CharField()
    fixed_table = serializers.IntegerField(allow_null=True)
    byes = serializers.IntegerField(help_text="Awarded in rounds 1 to n, before the start")


class OnePlayerOutput(PlayerOutput):
    """A player, and to organisers their contact."""

    email = serializers.CharField(required=False, help_text="Organisers only")
    membership = serializers.DictField(
        child=serializers.CharField(),
        required=False,
        help_text="Numbers by the key of the membership; organisers only",
    )


def player_json(entry: AnyEntry) -> Json:
    """Return a player."""
    return fields_of(
        PlayerOutput, entry, surname=as_listed(entry).surname, left=entry.departure or None
    )


class EnterInput(Serializer):
    """The result that each missed round counts as: a loss, a bye, or half of one."""

    late = serializers.ChoiceField(choices=list(MISSED), default=LOSS)
