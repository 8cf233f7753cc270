"""Which formulas fit, asked by a program."""

from django.test import Client


def test_advice_names_what_fits_and_what_each_needs(client: Client) -> None:
    url = "/api/v1/formulas/advice/?players=16&minutes=50&tables=8&hours=6"
    found = client.get(url, headers={"accept-language": "en"}).json()
    by_key = {advice["formula"]: advice for advice in found if not advice["options"]}
    best = [advice for advice in found if advice["best"]]
    assert (found[: len(best)], len(best)) == (best, 3)
    assert [advice["least"] for advice in best] == [4, 4, 3]
    assert best[1]["options"] == {"cut": 0, "rounds": 4}
    assert by_key["swiss-cut"]["fits"]
    assert by_key["swiss-cut"]["needs"] == []
    long = by_key["mutant-chronicles"]
    assert not long["fits"]
    assert long["stages"][-1]["ends"] == long["minutes"]
    assert long["needs"] == ["More than one day."]


def test_what_is_asked_wrongly_is_named(client: Client) -> None:
    refused = client.get("/api/v1/formulas/advice/?players=0&minutes=x")
    assert refused.status_code == 400
    assert {"players", "minutes"} <= set(refused.json())
    assert client.get("/api/v1/formulas/advice/").status_code == 400


def test_formulas_are_listed_with_their_options(client: Client) -> None:
    page = client.get("/api/v1/formulas/").json()
    found = {formula["slug"]: formula for formula in page["results"]}
    assert (page["count"], page["next"], page["previous"]) == (len(found), None, None)
    assert {"mutant-chronicles", "swiss-cut", "single-elimination"} <= set(found)
    assert "cut" in {option["key"] for option in found["swiss-cut"]["options"]}


def test_choices_of_a_formula_are_numbers_or_words(client: Client) -> None:
    found = {one["slug"]: one for one in client.get("/api/v1/formulas/").json()["results"]}
    options = {option["key"]: option["choices"] for option in found["tables-cut"]["options"]}
    assert "low" in options["small"]
    assert all(isinstance(one, int) for one in options["cut"])
