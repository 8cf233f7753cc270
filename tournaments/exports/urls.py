"""Addresses of exports."""

from django.urls import URLPattern, path

from tournaments.exports import views

urlpatterns: list[URLPattern] = [
    path("events/<slug:slug>/transcript.json", views.transcript, name="transcript"),
    path("events/<slug:slug>/export.xlsx", views.workbook, name="workbook"),
]
