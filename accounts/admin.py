"""Admin pages of users and of the privacy page."""

from typing import Any

from allauth.account.decorators import secure_admin_login
from django.conf import settings
from django.contrib import admin
from django.http import HttpRequest

from accounts.models import PrivacyNotice, User
from accounts.privacy import shipped_text
from accounts.services import change_email_address

admin.site.login = secure_admin_login(admin.site.login)  # type: ignore[method-assign]
admin.site.site_header = admin.site.site_title = "Girone"


@admin.register(User)
class UserAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    """Django admin of users, without their passwords."""

    list_display = ("email", "name", "can_create_events", "is_staff", "is_active", "last_login")
    list_filter = ("is_active", "is_staff", "can_create_events")
    search_fields = ("email", "name")
    fields = (
        *("email", "name", "can_create_events", "ceiling_factor", "is_active", "is_staff"),
        "last_login",
    )
    readonly_fields = ("last_login",)

    def save_model(self, request: HttpRequest, obj: User, form: Any, change: bool) -> None:
        """Store the account; a changed address replaces the verified one."""
        super().save_model(request, obj, form, change)
        if change and "email" in form.changed_data:
            change_email_address(user=obj, email=obj.email)


@admin.register(PrivacyNotice)
class PrivacyNoticeAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    """Django admin of privacy texts, one per language; a new one starts as the shipped text."""

    list_display = ("language", "changed_at")

    def get_changeform_initial_data(self, request: HttpRequest) -> dict[str, Any]:
        """Return the shipped text in the first language without a text of its own."""
        given = set(PrivacyNotice.objects.values_list("language", flat=True))
        left = [code for code, _name in settings.LANGUAGES if code not in given]
        wanted = request.GET.get("language", "")
        language = wanted if wanted in left else next(iter(left), settings.LANGUAGE_CODE)
        return {"language": language, "text": shipped_text(language)}
