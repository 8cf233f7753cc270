"""What the organiser works with."""

from django.urls import URLPattern

urlpatterns: list[URLPattern] = []
