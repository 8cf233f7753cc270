"""Pages of the user's own account, the privacy page, and the link for a new password."""

from http import HTTPStatus
from typing import Any

from allauth.account.forms import default_token_generator
from allauth.account.views import PasswordResetFromKeyView
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.mixins import LoginRequiredMixin
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.middleware.csrf import get_token
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe
from django.views.generic import UpdateView
from knox.models import AuthToken

from accounts.account_mail import latest_requested_mail
from accounts.devices import remember_device
from accounts.models import User
from accounts.privacy import privacy_text, split_paragraphs
from accounts.tokens import TokenLifetimeForm, create_api_token
from config import transaction
from config.shown_once import mark_no_store, redirect_with_secret, take_secret
from config.web import redirect_with_message

SHOWN = "new"


@require_safe
@never_cache
def session(request: HttpRequest) -> HttpResponse:
    """Respond with JSON: ``account`` (user id or null) and ``token`` (CSRF).

    No query if there is no session.
    """
    account = request.user.pk if request.user.is_authenticated else None
    return JsonResponse({"account": account, "token": get_token(request)})


@require_safe
@never_cache
def mail_state(request: HttpRequest) -> HttpResponse:
    """Respond with an HTML fragment that says whether the mail just requested was sent."""
    return render(request, "accounts/_mail_state.html", {"mail": latest_requested_mail(request)})


class ProfilePage(LoginRequiredMixin, UpdateView):  # type: ignore[type-arg]
    """Page of the user's own account: name, API tokens, links to password and sessions."""

    model = User
    fields = ("name",)
    template_name = "accounts/profile.html"
    success_url = "."

    def get_object(self, queryset: Any = None) -> User:
        return get_object_or_404(User, pk=self.request.user.pk or 0)

    def get_form(self, form_class: Any = None) -> Any:
        """Return the form with a translated label."""
        form = super().get_form(form_class)
        form.fields["name"].label = _("Name")
        return form

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Show the account, including a token that was just created."""
        if token := take_secret(request, SHOWN):
            return mark_no_store(render(request, "accounts/token.html", {"token": token}))
        return super().get(request, *args, **kwargs)

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Add the tokens, of which only the first characters are stored."""
        tokens = AuthToken.objects.filter(user_id=self.request.user.pk).select_related("use")
        context = {"tokens": tokens.order_by("created"), "days": TokenLifetimeForm()} | kwargs
        return super().get_context_data(**context)

    def form_valid(self, form: Any) -> HttpResponse:
        messages.success(self.request, _("Saved."))
        return super().form_valid(form)


@require_POST
@login_required
def make_token(request: HttpRequest) -> HttpResponse:
    """Create an API token and redirect to the profile, which shows it once."""
    if getattr(request.user, "lacks_second_factor", False):
        raise PermissionDenied
    form = TokenLifetimeForm(request.POST)
    if not form.is_valid():
        messages.error(request, _("Choose one of the options."))
        return redirect("profile")
    user = get_object_or_404(User, pk=request.user.pk)
    _token, secret = create_api_token(user, form.cleaned_data["days"])
    return redirect_with_secret(request, reverse("profile"), secret, SHOWN)


@require_POST
@login_required
def revoke_token(request: HttpRequest, start: str) -> HttpResponse:
    """Delete the user's API token whose key begins with ``start``."""
    get_object_or_404(AuthToken, user_id=request.user.pk, token_key=start).delete()
    return redirect_with_message(request, _("The token has been revoked."), "profile")


@require_safe
def privacy(request: HttpRequest) -> HttpResponse:
    """Page with the privacy text in the active language."""
    text = privacy_text(get_language() or settings.LANGUAGE_CODE)
    return render(request, "accounts/privacy.html", {"paragraphs": split_paragraphs(text)})


class NewPasswordPage(PasswordResetFromKeyView):  # type: ignore[misc]
    """Page that sets a new password through a reset link, which works once."""

    def form_valid(self, form: Any) -> HttpResponse:
        """Store the password; show the page for a used link (404) if it was used meanwhile."""
        with transaction.atomic():
            present = User.objects.select_for_update().get(pk=self.reset_user.pk)
            if default_token_generator.check_token(present, self.key):
                stored: HttpResponse = super().form_valid(form)
                return remember_device(self.request, stored, present.email)
        context = self.get_context_data(token_fail=True)
        used: HttpResponse = self.render_to_response(context, status=HTTPStatus.NOT_FOUND)
        return used
