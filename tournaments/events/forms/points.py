"""A field for points of a match, which may be halves and quarters."""

from typing import Any

from django import forms
from django.core.validators import MaxValueValidator, MinValueValidator

from config.wording import explain
from rules.errors import BadInput
from rules.point_parts import MOST_POINTS, read_points


class PointsField(forms.CharField):
    """A number of points: 3, ½, 0.25 or 1/2; its value is a ``Fraction``."""

    def __init__(self, **options: Any) -> None:
        super().__init__(max_length=8, **options)
        self.widget.attrs |= {"inputmode": "decimal", "autocomplete": "off"}
        self.limits = (MinValueValidator(0), MaxValueValidator(MOST_POINTS))

    def clean(self, value: Any) -> Any:
        """Return the points. Raises ValidationError."""
        typed = super().clean(value)
        try:
            points = read_points(typed)
        except BadInput as refused:
            raise forms.ValidationError(explain(refused)) from None
        for limit in self.limits:
            limit(points)
        return points
