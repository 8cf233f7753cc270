"""What the staff opens while rounds are played."""

from django.urls import URLPattern

urlpatterns: list[URLPattern] = []
