"""Lists of the API by the page."""

from typing import Any

from django.utils.translation import gettext as _
from rest_framework.exceptions import ValidationError
from rest_framework.pagination import PageNumberPagination
from rest_framework.request import Request


class Pages(PageNumberPagination):
    """Pages from 1; 400 for what is no number of a page, 404 for one behind the last."""

    def get_page_number(self, request: Request, paginator: Any) -> Any:
        """Return the page that was asked for, the first where none is named."""
        asked = request.query_params.get(self.page_query_param, "")
        is_number = asked.isascii() and asked.isdigit() and int(asked[:10]) > 0
        if asked and not is_number and asked not in self.last_page_strings:
            raise ValidationError({"page": [_("A whole number from 1 on.")]})
        return super().get_page_number(request, paginator)
