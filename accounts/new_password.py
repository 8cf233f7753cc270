"""The link for a new password, which works once, also for several at the same moment."""

from http import HTTPStatus
from typing import Any

from allauth.account.forms import default_token_generator
from allauth.account.views import PasswordResetFromKeyView
from django.http import HttpResponse

from accounts.models import User
from config import transaction


class NewPassword(PasswordResetFromKeyView):  # type: ignore[misc]
    """Stores the new password if the link is still good once nobody else is storing one."""

    def form_valid(self, form: Any) -> HttpResponse:
        """Answer 404 with the page for a used link where somebody was quicker."""
        with transaction.atomic():
            present = User.objects.select_for_update().get(pk=self.reset_user.pk)
            if default_token_generator.check_token(present, self.key):
                stored: HttpResponse = super().form_valid(form)
                return stored
        context = self.get_context_data(token_fail=True)
        used: HttpResponse = self.render_to_response(context, status=HTTPStatus.NOT_FOUND)
        return used
