"""An organiser's own formulas."""

from django.urls import URLPattern, path

from tournaments.formulas import views as formula_builder
from tournaments.formulas import views as formulas

urlpatterns: list[URLPattern] = [
    path("formulas/", formulas.formulas, name="formulas"),
    path("formulas/new/", formula_builder.New.as_view(), name="formula-new"),
    path("formulas/import/", formulas.formula_import, name="formula-import"),
    path("formulas/<slug:slug>/", formula_builder.Change.as_view(), name="formula-change"),
    path("formulas/<slug:slug>/formula.json", formulas.formula_file, name="formula-file"),
    path("formulas/<slug:slug>/delete/", formulas.formula_delete, name="formula-delete"),
]
