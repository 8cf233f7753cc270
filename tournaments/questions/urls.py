"""URLs of questions."""

from django.urls import URLPattern, path

from tournaments.questions import views

EVENT = "events/<slug:slug>/"

urlpatterns: list[URLPattern] = [
    path(f"{EVENT}manage/questions/", views.Questions.as_view(), name="manage-questions"),
    path(
        f"{EVENT}manage/players/<int:number>/answers/",
        views.PlayerAnswers.as_view(),
        name="manage-player-answers",
    ),
    path(f"{EVENT}me/answers/", views.OwnAnswers.as_view(), name="my-answers"),
]
