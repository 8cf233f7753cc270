"""Users in the admin site, which signs people in through the same page as the rest."""

from allauth.account.decorators import secure_admin_login
from django.contrib import admin

from accounts.models import User

admin.site.login = secure_admin_login(admin.site.login)  # type: ignore[method-assign]
admin.site.site_header = admin.site.site_title = "Girone"


@admin.register(User)
class UserAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    """Who has an account; passwords are changed by their owners."""

    list_display = ("email", "name", "can_create_events", "is_staff", "is_active", "last_login")
    list_filter = ("is_active", "is_staff", "can_create_events")
    search_fields = ("email", "name")
    fields = ("email", "name", "can_create_events", "is_active", "is_staff", "last_login")
    readonly_fields = ("last_login",)
