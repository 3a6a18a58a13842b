"""The pages on air: for a streaming program, transparent, each element by itself, styles of the producer's own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import cv2
import httpx
import numpy as np
import pytest
from msgspec.structs import replace
from playwright.sync_api import Browser, Page, expect

from display.app import ELEMENTS, create_app
from display.push import Hub
from table_core.messages import Action, Chips, EventView, LowerThird, OverlayView, ProgrammeView, Street, encode
from tests.display import fixtures
from tests.display.air_gallery import OF_ELEMENT, SETTLED
from tests.display.air_states import STATES, State
from tests.display.conftest import Running
from tests.display.test_browser import context_of

SAFE_X, SAFE_Y = 96, 54
WIDTH, HEIGHT = 1920, 1080
Run = Callable[..., Running]


@pytest.fixture
def on_air(run_app: Run) -> tuple[Running, Hub]:
    hub = Hub()
    hub.publish("overlay/01", encode(fixtures.overlay_view()))
    return run_app(create_app(hub=hub, pages={"air"}, venue="hall", tables=["01"])), hub


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    with context_of(browser, WIDTH, HEIGHT) as context:
        yield context.new_page()


def opened(page: Page, at: tuple[Running, Hub], path: str) -> Page:
    page.goto(at[0].url + path)
    expect(page.locator("#air")).to_be_visible()
    return page


def shown(page: Page) -> Any:
    """Pixels with their transparency, height × width × BGRA."""
    png = page.screenshot(omit_background=True, animations="disabled")
    return cv2.imdecode(np.frombuffer(png, np.uint8), cv2.IMREAD_UNCHANGED)


def at_rest(hub: Hub, **changes: Any) -> OverlayView:
    view = replace(fixtures.overlay_view(), **changes)
    hub.publish("overlay/01", encode(view))
    return view


def on_screen(hub: Hub, state: str, **programme: Any) -> OverlayView:
    """What the relay says in this state."""
    found = STATES[state]()
    for channel, data in replace_programme(found, programme).channels().items():
        hub.publish(channel, data)
    return found.table


def replace_programme(state: State, changes: dict[str, Any]) -> State:
    return state._replace(programme=replace(state.programme, **changes)) if changes else state


def boxes(page: Page, selector: str) -> list[dict[str, float]]:
    found = [one.bounding_box() for one in page.locator(selector).all()]
    return [dict(box) for box in found if box is not None]


@pytest.mark.parametrize("layout", ["nine", "six", "heads-up"])
def test_all_of_it_keeps_within_the_safe_area_and_nothing_covers_another(
    page: Page, on_air: tuple[Running, Hub], layout: str
) -> None:
    if layout == "six":
        view = fixtures.overlay_view()
        at_rest(on_air[1], seats=tuple(seat for seat in view.seats if seat.seat <= 6))
    opened(page, on_air, f"/air/01?layout={layout}")
    pixels = shown(page)[:, :, 3]
    assert pixels.max() == 255
    for margin in (pixels[:SAFE_Y], pixels[-SAFE_Y + 4 :], pixels[:, : SAFE_X - 4], pixels[:, -SAFE_X + 4 :]):
        assert margin.max() == 0
    found = [*boxes(page, ".seat"), *boxes(page, ".marks"), *boxes(page, ".bar")]
    for no, one in enumerate(found):
        for other in found[no + 1 :]:
            apart = one["x"] + one["width"] <= other["x"] + 1 or other["x"] + other["width"] <= one["x"] + 1
            above = one["y"] + one["height"] <= other["y"] + 1 or other["y"] + other["height"] <= one["y"] + 1
            assert apart or above, (one, other)


def test_a_plate_can_be_read_on_a_telephone_and_has_its_cards_inside(
    page: Page, on_air: tuple[Running, Hub]
) -> None:
    opened(page, on_air, "/air/01")
    sizes = page.locator(".name").evaluate_all("all => all.map(one => parseFloat(getComputedStyle(one).fontSize))")
    assert min(sizes) >= 30
    (plate,), cards = boxes(page, '.seat[data-seat="5"]'), boxes(page, '.seat[data-seat="5"] .card')
    assert len(cards) == 2
    for card in cards:
        assert plate["x"] <= card["x"]
        assert card["x"] + card["width"] <= plate["x"] + plate["width"]
        assert plate["y"] <= card["y"]
        assert card["y"] + card["height"] <= plate["y"] + plate["height"]


def test_plates_say_what_their_seats_do(page: Page, on_air: tuple[Running, Hub]) -> None:
    opened(page, on_air, "/air/01")
    seat = {no: page.locator(f'.seat[data-seat="{no}"]') for no in range(1, 10)}
    expect(seat[5]).to_contain_text("All-in")
    expect(seat[5]).to_contain_text("91%")
    expect(seat[5]).to_contain_text("two pair, aces and tens")
    expect(seat[5]).to_contain_text("16,400")
    expect(seat[6]).to_have_class("seat right in turn")
    expect(seat[6].locator(".bet")).to_have_text("4,000")
    expect(seat[3].locator(".disc")).to_have_text("BTN")
    expect(seat[5].locator(".disc")).to_have_text("BB")
    expect(page.locator("#pots li")).to_have_count(2)
    expect(page.locator("#level")).to_contain_text("500 / 1,000")


def test_a_plate_says_every_action_with_its_amount(page: Page, on_air: tuple[Running, Hub]) -> None:
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    words = {Action.CHECK: "Check", Action.CALL: "Call 200", Action.BET: "Bet 200", Action.RAISE: "Raise to 200"}
    seats = tuple(
        replace(
            seat,
            in_hand=True,
            folded=action is Action.FOLD,
            all_in=False,
            won=Chips(0),
            action=action,
            amount=None if action in (Action.FOLD, Action.CHECK) else Chips(200),
        )
        for seat, action in zip(fixtures.overlay_view().seats, Action, strict=False)
    )
    at_rest(on_air[1], seats=seats, to_act=None)
    opened(page, on_air, "/air/01")
    for seat in seats:
        assert seat.action is not None
        plate = page.locator(f'.seat[data-seat="{seat.seat}"]')
        expect(plate).to_contain_text(words.get(seat.action, "Fold"))
    assert faults == []


def test_who_is_out_looks_in_until_the_next_hand(page: Page, on_air: tuple[Running, Hub]) -> None:
    opened(page, on_air, "/air/01")
    out = page.locator('.seat[data-seat="9"]')
    expect(out).to_have_count(0)
    at_rest(on_air[1], street=Street.DONE)
    expect(out).to_contain_text("Out")
    at_rest(on_air[1], hand=118, street=Street.PREFLOP)
    expect(out).to_have_count(0)


def test_a_seat_keeps_its_place_while_others_bust_and_leave(page: Page, on_air: tuple[Running, Hub]) -> None:
    opened(page, on_air, "/air/01?layout=nine")
    before = {no: boxes(page, f'.seat[data-seat="{no}"]')[0] for no in (2, 5, 8)}
    view = fixtures.overlay_view()
    at_rest(on_air[1], seats=tuple(seat for seat in view.seats if seat.seat in before))
    expect(page.locator(".seat")).to_have_count(3)
    assert {no: boxes(page, f'.seat[data-seat="{no}"]')[0] for no in before} == before


@pytest.mark.parametrize("element", ELEMENTS)
def test_each_element_is_a_page_of_its_own(page: Page, on_air: tuple[Running, Hub], element: str) -> None:
    on_screen(on_air[1], OF_ELEMENT.get(element, "flop"))
    opened(page, on_air, f"/air/01/{element}")
    for other in ELEMENTS:
        parts = page.locator(f'[data-part="{other}"]')
        if other == element:
            expect(parts.first).to_be_visible()
        else:
            for part in parts.all():
                expect(part).to_be_hidden()


def test_show_names_parts_and_bg_a_ground_to_key_out(page: Page, on_air: tuple[Running, Hub]) -> None:
    opened(page, on_air, "/air/01?show=board,pot&bg=00ff00")
    expect(page.locator("#board")).to_be_visible()
    expect(page.locator("#seats")).to_be_hidden()
    expect(page.locator("#level")).to_be_hidden()
    pixels = shown(page)
    assert tuple(pixels[0, 0][:3]) == (0, 255, 0)
    opened(page, on_air, "/air/01?bg=url(/x)")
    assert shown(page)[0, 0, 3] == 0


def test_stacks_in_big_blinds(page: Page, on_air: tuple[Running, Hub]) -> None:
    opened(page, on_air, "/air/01?stack=bb")
    expect(page.locator('.seat[data-seat="6"] .stack')).to_have_text("112 BB")
    expect(page.locator('.seat[data-seat="6"] .bet')).to_have_text("4.0 BB")


def test_a_back_is_a_back(page: Page, on_air: tuple[Running, Hub]) -> None:
    view = fixtures.overlay_view()
    at_rest(on_air[1], seats=tuple(replace(seat, cards=("??",) * len(seat.cards)) for seat in view.seats))
    opened(page, on_air, "/air/01/seats")
    expect(page.locator(".hole .back")).to_have_count(4)
    expect(page.locator(".hole [data-suit]")).to_have_count(0)


def test_the_countdown_runs_until_the_cards_are_out(page: Page, on_air: tuple[Running, Hub]) -> None:
    at_rest(on_air[1], street=Street.DONE, cards_in_ms=61_000)
    opened(page, on_air, "/air/01")
    expect(page.locator("#release")).to_contain_text("Cards in 1:0")
    at_rest(on_air[1], street=Street.DONE)
    expect(page.locator("#release")).to_be_hidden()


def test_black_is_an_empty_page(page: Page, on_air: tuple[Running, Hub]) -> None:
    opened(page, on_air, "/air/01")
    at_rest(on_air[1], seats=())
    expect(page.locator("#air")).to_be_hidden()
    assert shown(page)[:, :, 3].max() == 0


CUSTOM = """() => {
  const own = document.createElement("style");
  own.append(":root { --air-plate: rgb(1, 2, 3) }");
  document.head.append(own);
}"""


def test_a_streaming_programs_own_styles_hold_here_and_on_no_other_page(page: Page, run_app: Run) -> None:
    hub = Hub()
    hub.publish("overlay/01", encode(fixtures.overlay_view()))
    app = run_app(create_app(hub=hub, pages={"air", "table"}, venue="hall", tables=["01"]))
    for path, holds in (("/air/01", True), ("/air/01/seats", True), ("/table/01", False)):
        page.goto(app.url + path)
        page.evaluate(CUSTOM)
        value = page.evaluate("getComputedStyle(document.documentElement).getPropertyValue('--air-plate').trim()")
        assert (value == "rgb(1, 2, 3)") == holds, path


def test_what_such_styles_name_still_comes_from_here_only(on_air: tuple[Running, Hub]) -> None:
    policy = httpx.get(on_air[0].url + "/air/01").headers["content-security-policy"]
    for rule in (
        "default-src 'none'",
        "script-src 'self'",
        "img-src 'self'",
        "font-src 'self'",
        "connect-src 'self'",
    ):
        assert rule in policy
    for path in ("/overlay/01", "/static/air/air.css", "/api/overlay/01", "/air", "/airs"):
        other = httpx.get(on_air[0].url + path, follow_redirects=False)
        assert "unsafe-inline" not in other.headers["content-security-policy"], path


def test_the_older_address_leads_here_and_an_unknown_element_is_named(on_air: tuple[Running, Hub]) -> None:
    older = httpx.get(on_air[0].url + "/overlay/01", follow_redirects=False)
    assert (older.status_code, older.headers["location"]) == (307, "/air/01")
    strange = httpx.get(on_air[0].url + "/air/01/<b>nothing")
    assert strange.status_code == 404
    assert "<b>" not in strange.text
    assert httpx.get(on_air[0].url + "/air/77").status_code == 404


def test_nothing_moves_where_less_motion_is_asked_for(page: Page, on_air: tuple[Running, Hub]) -> None:
    page.emulate_media(reduced_motion="reduce")
    opened(page, on_air, "/air/01")
    assert page.evaluate("document.getAnimations().length") == 0
    at_rest(on_air[1], board=("Ah", "Td", "7c", "2s", "3s"))
    expect(page.locator("#board [data-suit]")).to_have_count(5)
    assert page.evaluate("document.getAnimations().length") == 0


def test_a_card_that_comes_turns_over_and_the_others_stay(page: Page, on_air: tuple[Running, Hub]) -> None:
    page.emulate_media(reduced_motion="no-preference")
    opened(page, on_air, "/air/01")
    page.evaluate("Promise.all(document.getAnimations().map(one => one.finished))")
    moved = """() => {
      window.moved = [];
      const animate = Element.prototype.animate;
      Element.prototype.animate = function (frames, given) {
        window.moved.push([this.className, given.duration, Object.keys(frames.at(-1)).join()]);
        return animate.call(this, frames, given);
      };
    }"""
    page.evaluate(moved)
    at_rest(on_air[1], board=("Ah", "Td", "7c", "2s", "3s"))
    expect(page.locator("#board [data-suit]")).to_have_count(5)
    assert page.evaluate("window.moved") == [["card", 180, "transform"]]


def test_the_programme_switches_elements_on_and_off(page: Page, on_air: tuple[Running, Hub]) -> None:
    hub = on_air[1]
    on_screen(hub, "flop", elements={"payouts": True, "pot": False})
    opened(page, on_air, "/air/01")
    expect(page.locator("#payouts")).to_contain_text("9,500")
    expect(page.locator("#pot")).to_be_hidden()
    on_screen(hub, "flop", elements={})
    expect(page.locator("#payouts")).to_be_hidden()
    expect(page.locator("#pot")).to_be_visible()
    opened(page, on_air, "/air/01?show=board")
    on_screen(hub, "flop", elements={"payouts": True})
    expect(page.locator("#board")).to_be_visible()
    expect(page.locator("#payouts")).to_be_hidden()


def test_a_cut_leaves_nothing_and_stays_over_a_reload(page: Page, on_air: tuple[Running, Hub]) -> None:
    hub = on_air[1]
    on_screen(hub, "everything")
    opened(page, on_air, "/air/01")
    on_screen(hub, "everything", cut=True)
    expect(page.locator("#air")).to_be_hidden()
    assert shown(page)[:, :, 3].max() == 0
    page.reload()
    expect(page.locator("body[data-line=up]")).to_have_count(1)
    assert shown(page)[:, :, 3].max() == 0
    on_screen(hub, "everything", cut=False)
    expect(page.locator("#air")).to_be_visible()


def test_texts_of_the_producer_stand_without_a_hand_and_are_text(page: Page, on_air: tuple[Running, Hub]) -> None:
    hub = on_air[1]
    at_rest(hub, seats=())
    hub.publish("event", encode(EventView(None)))
    evil = "<img src=x onerror=document.body.remove()>"
    hub.publish("programme", encode(ProgrammeView(lower_third=LowerThird(evil, "second line"), ticker=(evil,))))
    opened(page, on_air, "/air/01?show=lower-third,ticker")
    expect(page.locator("#lower-third")).to_contain_text(evil)
    expect(page.locator("#ticker")).to_contain_text(evil)
    assert page.locator("#air img[src=x]").count() == 0


@pytest.mark.parametrize("layout", ["nine", "heads-up", "vertical"])
@pytest.mark.parametrize("state", ["preflop", "all-in", "worst", "everything", "payouts"])
def test_whatever_stands_keeps_within_the_safe_area(
    page: Page, on_air: tuple[Running, Hub], layout: str, state: str
) -> None:
    size = {"width": HEIGHT, "height": WIDTH} if layout == "vertical" else {"width": WIDTH, "height": HEIGHT}
    page.set_viewport_size(size)
    side, edge = (SAFE_Y, SAFE_X) if layout == "vertical" else (SAFE_X, SAFE_Y)
    on_screen(on_air[1], state)
    opened(page, on_air, f"/air/01?layout={layout}&bg=000000")
    expect(page.locator(".seat").first).to_be_visible()
    around = shown(page)[:, :, :3].max(axis=2)
    for margin in (around[: edge - 4], around[-edge + 4 :], around[:, : side - 4], around[:, -side + 4 :]):
        assert margin.max() == 0


@pytest.mark.parametrize("layout", ["nine", "heads-up", "vertical"])
def test_nothing_covers_another_in_any_state(page: Page, on_air: tuple[Running, Hub], layout: str) -> None:
    page.emulate_media(reduced_motion="reduce")
    page.set_viewport_size(
        {"width": HEIGHT, "height": WIDTH} if layout == "vertical" else {"width": WIDTH, "height": HEIGHT}
    )
    for state in STATES:
        on_screen(on_air[1], state)
        opened(page, on_air, f"/air/01?layout={layout}")
        page.evaluate(SETTLED)
        found = page.evaluate(PLACES)
        for no, (name, seat, *one) in enumerate(found):
            for other, same, *two in found[no + 1 :]:
                if seat and seat == same and name == "plate":
                    continue  # the line below a plate begins behind its edge
                across = min(one[2], two[2]) - max(one[0], two[0])
                down = min(one[3], two[3]) - max(one[1], two[1])
                assert across <= 2 or down <= 2, (state, name, seat, other, same)


PLACES = """() => [...document.querySelectorAll('.plate, .strip span, .marks span, .bar, .pots li, .clock, ' +
    '.release, .panels .panel, .lower-third, .ticker, .strip-of-leaders')]
  .filter(one => one.getClientRects().length && getComputedStyle(one).visibility !== 'hidden')
  .map(one => [one, one.getBoundingClientRect()])
  .map(([one, at]) => [one, one.closest('.seat')?.dataset.seat ?? '', at])
  .map(([one, seat, at]) => [one.className, seat, at.left, at.top, at.right, at.bottom])"""


@pytest.mark.parametrize("state", ["preflop", "all-in", "showdown", "heads-up"])
def test_what_is_drawn_is_what_the_view_says(page: Page, on_air: tuple[Running, Hub], state: str) -> None:
    view = on_screen(on_air[1], state)
    opened(page, on_air, "/air/01")
    expect(page.locator("#board [data-suit]")).to_have_count(len(view.board))
    assert page.locator("#board [data-suit]").evaluate_all(CARDS_OF) == [*view.board]
    for seat in view.seats:
        plate = page.locator(f'.seat[data-seat="{seat.seat}"]')
        if not plate.count():
            assert seat.busted
            continue
        mucked = seat.folded and {*seat.cards} <= {"??"}
        assert plate.locator(".hole .card").evaluate_all(CARDS_OF) == ([] if mucked else [*seat.cards])
        if seat.bet:
            expect(plate.locator(".bet")).to_have_text(f"{seat.bet:,}")


def test_the_pixels_of_each_card_are_its_own(page: Page, on_air: tuple[Running, Hub]) -> None:
    """Reds are red, blacks have no red, a back has no face."""
    page.emulate_media(reduced_motion="reduce")
    view = on_screen(on_air[1], "preflop")
    opened(page, on_air, "/air/01")
    page.evaluate(SETTLED)
    picture = shown(page)
    for seat in view.seats:
        if seat.folded:
            continue
        places = boxes(page, f'.seat[data-seat="{seat.seat}"] .hole .card')
        assert len(places) == len(seat.cards)
        for card, at in zip(seat.cards, places, strict=True):
            left, top, right, bottom = _corners(at)
            blue, green, red = picture[top:bottom, left:right, :3].reshape(-1, 3).astype(int).T
            white = ((red > 240) & (green > 240) & (blue > 230)).mean()
            reds = ((red > 150) & (green < 80) & (blue < 90)).mean()
            assert (white > 0.5) == (card != "??")
            assert (reds > 0.03) == (card[1] in "hd"), card


def _corners(at: dict[str, float]) -> tuple[int, int, int, int]:
    return round(at["x"]), round(at["y"]), round(at["x"] + at["width"]), round(at["y"] + at["height"])


CARDS_OF = """all => all.map(one => one.classList.contains('back') ? '??' :
  one.querySelector('b').textContent.replace('10', 'T') + one.dataset.suit)"""


def test_a_hand_is_told_in_german(page: Page, on_air: tuple[Running, Hub]) -> None:
    on_screen(on_air[1], "flop")
    opened(page, on_air, "/air/01?lang=de")
    expect(page.locator('.seat[data-seat="5"]')).to_contain_text("Ein Paar Damen")
    expect(page.locator('.seat[data-seat="1"]')).to_contain_text("85.000 zu zahlen")


STANDS_STILL = "seats,board,pot,level,hand,equity"  # no countdown between two pictures


def test_the_key_is_the_pictures_transparency_in_white(page: Page, on_air: tuple[Running, Hub]) -> None:
    page.emulate_media(reduced_motion="reduce")
    on_screen(on_air[1], "flop")
    opened(page, on_air, f"/air/01?show={STANDS_STILL}")
    page.evaluate(SETTLED)
    alpha = shown(page)[:, :, 3].astype(int)
    opened(page, on_air, f"/air/01?out=key&show={STANDS_STILL}")
    page.evaluate(SETTLED)
    key = shown(page)[:, :, :3].astype(int)
    assert (key.max(axis=2) - key.min(axis=2)).max() <= 2
    # Chromium draws a rounded corner a little differently from one load to the next: nine pixels of two million.
    assert (abs(key[:, :, 0] - alpha) > 3).mean() < 1e-5
