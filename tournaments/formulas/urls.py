"""URLs of formulas."""

from django.urls import URLPattern, path

from tournaments.formulas import views

urlpatterns: list[URLPattern] = [
    path("formulas/", views.formulas, name="formulas"),
    path("formulas/new/", views.New.as_view(), name="formula-new"),
    path("formulas/import/", views.formula_import, name="formula-import"),
    path("formulas/<slug:slug>/", views.Change.as_view(), name="formula-change"),
    path("formulas/<slug:slug>/formula.json", views.formula_file, name="formula-file"),
    path("formulas/<slug:slug>/delete/", views.formula_delete, name="formula-delete"),
]
