"""One code on the wall: three taps a player, no click of the desk beyond the check-in."""

import pytest
from playwright.sync_api import Page, expect

from tests import factories as make
from tests.journeys.browser import DESK, PHONE
from tests.journeys.counting import COUNT, COUNT_TAPS, counted, taps
from tournaments.models import Event

pytestmark = pytest.mark.django_db(transaction=True)
NAMES = ("Anna Rossi", "Bruno Verdi", "Carla Neri", "Elena Greco", "Ugo Bianchi")
ENGLISH = {**PHONE, "locale": "en-GB"}


@pytest.fixture
def event(by):
    found = make.open_event(by)
    make.players_more(found, NAMES, by)
    return found


def wall(page: Page, event: Event) -> str:
    """Return the path that the code on the screen of the hall opens."""
    page.goto(f"/events/{event.slug}/screen/")
    address = page.locator(".invitation .address").text_content()
    return "/" + address.split("/", 1)[1].strip()


def join(phone: Page, path: str, letters: str, name: str) -> str:
    """Find a name by three letters and tap it; return the code that is shown."""
    phone.context.add_init_script(COUNT_TAPS)
    phone.goto(path)
    phone.locator("#join-name").click()
    phone.keyboard.type(letters)
    phone.get_by_role("button", name=name).click()
    expect(phone.locator(".join-code strong")).to_be_visible()
    return phone.locator(".join-code strong").text_content()


def is_narrow(page: Page) -> bool:
    return page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_one_code_on_the_wall_three_taps_a_player_and_no_click_but_the_check_in(
    open_page, open_as, by, event, axe
):
    path = wall(open_page(DESK), event)
    door = open_as(by.user)
    door.context.add_init_script(COUNT)
    door.goto(f"/events/{event.slug}/manage/arrivals/")
    people = {"ros": "Rossi", "ver": "Verdi", "ner": "Neri"}
    phones = {name: open_page(ENGLISH) for name in people.values()}
    codes = {}
    for letters, name in people.items():
        codes[name] = join(phones[name], path, letters, name)
        assert is_narrow(phones[name])
    axe(phones["Rossi"])
    before = counted(door)
    for name, phone in phones.items():
        expect(door.locator(".join-waiting")).to_contain_text(codes[name])
        door.locator(f'.arrival[data-name$="{name}"] .mark').click()
        expect(phone.locator("h1.you")).to_contain_text(name)  # it opens by itself
    axe(door)
    assert counted(door) - before == len(phones)
    assert {taps(phone) for phone in phones.values()} == {2}
    expect(door.locator(".join-waiting")).to_have_count(0)


@pytest.mark.deep
def test_a_second_browser_of_a_player_costs_the_desk_one_typed_code(
    open_page, open_as, at_desk, by, event, watch
):
    path = wall(open_page(DESK), event)
    first, second = open_page(ENGLISH), open_page(ENGLISH)
    desk = at_desk(event)
    code = join(first, path, "gre", "Greco")
    expect(desk.locator(".join-waiting")).to_contain_text(code)
    desk.locator(".join-waiting").get_by_role("button", name="Confirm").click()
    expect(first.locator("h1.you")).to_contain_text("Elena Greco")
    again = join(second, path, "gre", "Greco")
    expect(first.get_by_text("Another phone is asking to sign in as you")).to_be_visible()
    watch.allow.append("409")
    field = desk.locator(".join-waiting input[name=typed]")
    field.fill(f"{(int(again) + 1) % 10000:04}")
    field.press("Enter")
    expect(desk.locator("#messages")).to_contain_text("Enter the code shown on the new phone.")
    field.fill("")
    before = counted(desk)
    field.click()
    desk.keyboard.type(again)
    desk.keyboard.press("Enter")
    expect(second.locator("h1.you")).to_contain_text("Elena Greco")
    assert counted(desk) - before == 1  # into the field
    watch.allow.append("403")
    expect(first.locator("#connection")).to_contain_text("Reload the page.")
    expect(desk.locator("#messages .bad")).to_have_count(0)
    first.reload()
    expect(first.get_by_text("Another phone is now signed in as Elena Greco.")).to_be_visible()


@pytest.mark.deep
@pytest.mark.parametrize("width", [390, 768, 1366])
def test_nothing_runs_out_of_the_page(open_page, event, width):
    page = open_page({**DESK, "viewport": {"width": width, "height": 800}})
    page.goto(f"/events/{event.slug}/join/")
    page.locator("#join-name").fill("ros")
    assert is_narrow(page)
    page.locator("#join-names li:visible button").first.click()
    expect(page.locator(".join-code")).to_be_visible()
    assert is_narrow(page)


@pytest.mark.deep
def test_without_scripts_a_name_is_found_and_the_page_comes_by_itself(
    open_page, open_as, by, event
):
    phone = open_page({**ENGLISH, "java_script_enabled": False})
    phone.goto(f"/events/{event.slug}/join/")
    phone.locator("#join-name").fill("bia")
    phone.get_by_role("button", name="Find").click()
    phone.get_by_role("button", name="Bianchi").click()
    expect(phone.locator(".join-code")).to_be_visible()
    desk = open_as(by.user, f"/events/{event.slug}/desk/join/")
    desk.get_by_role("button", name="Confirm").click()
    expect(phone.locator("h1.you")).to_contain_text("Ugo Bianchi")  # asked again every five seconds
