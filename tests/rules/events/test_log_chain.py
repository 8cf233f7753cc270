"""The chain of the log, against digests that sha256sum and openssl made of the same bytes."""

from rules.events.ledger import FIRST, canonical, closed_digest, line_digest


def test_one_content_has_one_form_whatever_the_order_of_its_keys() -> None:
    content = {"b": (1, 2), "a": {"d": None, "c": "Zoè"}}
    form = '{"a":{"c":"Zoè","d":null},"b":[1,2]}'.encode()
    assert canonical(content) == form
    assert canonical({"a": {"c": "Zoè", "d": None}, "b": [1, 2]}) == form
    assert canonical({7: "x"}) == canonical({"7": "x"}), "JSON has no other keys"
    assert canonical("\ud800") == b'"\xed\xa0\x80"', "half a pair does not break the chain"


def test_digests_are_those_of_salt_and_line_before() -> None:
    assert closed_digest("salt", {"n": "Zoè"}) == (
        "627fdfe5ab6e6a2850ea29344d49104a1999c1c2ed5a0b8ef1b5c6d037e7494d"
    )
    assert line_digest(FIRST, {"n": 1, "act": "start"}) == (
        "473d3ca5589b044e8e467ef819d3012082775a905fed9b1adda6a1afa8461607"
    )
    assert closed_digest("other", {"n": "Zoè"}) != closed_digest("salt", {"n": "Zoè"})
    assert line_digest("1" * 64, {"n": 1}) != line_digest(FIRST, {"n": 1})
