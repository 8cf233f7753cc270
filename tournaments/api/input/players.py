"""What the calls on players take."""

from rest_framework import serializers

from config.wording import explain
from rules.errors import BadInput
from rules.people.person_names import clean_name
from tournaments.api.fields import LARGEST, Serializer
from tournaments.models import Entry
from tournaments.services.late_entries import MISSED


class PlayerInput(Serializer):
    """A player."""

    name = serializers.CharField(max_length=200)
    club = serializers.CharField(max_length=80, allow_blank=True, required=False)
    seed = serializers.IntegerField(min_value=1, max_value=10_000, allow_null=True, required=False)
    fixed_table = serializers.IntegerField(
        min_value=1, max_value=LARGEST, allow_null=True, required=False
    )
    status = serializers.ChoiceField(choices=Entry.Status.choices, required=False)
    reason = serializers.CharField(max_length=300, allow_blank=True, required=False)
    late = serializers.ChoiceField(
        choices=list(MISSED),
        required=False,
        help_text="After the start of Swiss rounds: what each round missed counts as",
    )

    def validate_name(self, name: str) -> str:
        """Refuse a name that can't be read as one."""
        try:
            return clean_name(name)
        except BadInput as wrong:
            raise serializers.ValidationError(explain(wrong)) from None
