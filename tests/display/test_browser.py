"""Every page in a real headless Chromium: right at three sizes, reachable by keyboard, steady when servers go."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import cv2
import msgspec
import numpy as np
import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect
from starlette.applications import Starlette

from display.app import PAGES, Picture, create_app
from display.identity.signin import SignIn
from display.push import Hub
from table_core.messages import Key, encode
from tests.display import fixtures
from tests.display.conftest import FLOOR, PATIENCE_S, Recorded, Running
from tests.display.dealing_states import STATES
from tests.display.preview import PICTURE, publish_all, urls

pytestmark = pytest.mark.browser
expect.set_options(timeout=PATIENCE_S * 1000)

# A press waits for its answer as long as a busy machine takes, and a key that once showed that its press had
# arrived is known by it: it shows it for a quarter of a second, which a slow test would miss.
PATIENT = """
AbortSignal.timeout = () => new AbortController().signal;
new MutationObserver((changes) => {
    for (const { target } of changes) if (target.classList.contains("sent")) target.dataset.arrived = "yes";
}).observe(document, { subtree: true, attributes: true, attributeFilter: ["class"] });
"""

SIZES = [(1920, 1080), (1366, 768), (390, 844)]
PATHS = [
    "/",
    "/clock",
    "/station",
    "/rules",
    "/announcements",
    "/table/01",
    "/table/02",
    "/table/03",
    "/air/01",
    "/sensed/01",
]
Run = Callable[..., Running]
Open = Callable[..., Page]


@contextmanager
def context_of(browser: Browser, width: int = 1366, height: int = 768, **more: Any) -> Iterator[BrowserContext]:
    """A browser window of this size whose pages are waited for with patience."""
    context = browser.new_context(viewport={"width": width, "height": height}, **more)
    context.set_default_timeout(PATIENCE_S * 1000)
    context.add_init_script(PATIENT)
    context.add_cookies([{"name": SIGNIN.cookie, "value": COOKIE, "domain": "127.0.0.1", "path": "/"}])
    yield context
    context.close()


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    with context_of(browser) as context:
        yield context


SIGNIN = SignIn()
COOKIE = SIGNIN.begin(SIGNIN.keep(FLOOR))  # every browser here has it: its pages have keys


def app_of(hub: Hub, actions: Recorded, signin: SignIn = SIGNIN, **more: Any) -> Starlette:
    return create_app(
        hub=hub,
        pages=PAGES,
        venue=fixtures.VENUE,
        title=fixtures.TITLE,
        tables=fixtures.TABLES,
        actions=actions,
        signin=signin,
        public_overview=True,
        picture=lambda table: Picture(1, PICTURE),
        **more,
    )


@pytest.fixture
def hub() -> Hub:
    hub = Hub()
    publish_all(hub)
    return hub


@pytest.fixture
def room(run_app: Run, hub: Hub, actions: Recorded) -> Running:
    return run_app(app_of(hub, actions))


def errors_of(page: Page) -> list[str]:
    errors: list[str] = []
    page.on("console", lambda said: errors.append(said.text) if said.type in ("error", "warning") else None)
    page.on("pageerror", lambda error: errors.append(str(error)))
    return errors


def wait_until_drawn(page: Page, path: str) -> None:
    """Each page has a place that stays empty until its first snapshot is drawn."""
    place = {
        "": "#rulebook",
        "clock": "#blinds",
        "station": "#rulebook",
        "rules": "#count",
        "announcements": "#levels tbody",
        "table": "#says",
        "air": "#pot",
    }
    spot = page.locator(place.get(path.split("/")[1], "#lines li:first-child"))
    expect(spot).to_have_text(re.compile(r"\w"))


# ----------------------------------------------------------------------------------- every page


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_every_page_fits_its_screen_and_says_no_error(
    context: BrowserContext, room: Running, size: tuple[int, int]
) -> None:
    page = context.new_page()
    page.set_viewport_size({"width": size[0], "height": size[1]})
    errors = errors_of(page)
    for path in PATHS:
        page.goto(room.url + path)
        wait_until_drawn(page, path)
        too_wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        assert too_wide == 0, f"{path} is {too_wide} px wider than the screen"
        assert errors == [], path


REACHABLE = """() => [...document.querySelectorAll('a[href], button:not(:disabled), [tabindex="0"]')]
    .filter(node => node.checkVisibility() && !node.closest('[inert]')).length"""
FOCUSED = """() => { const node = document.activeElement, style = getComputedStyle(node);
    if (node === document.body) return null;
    node.dataset.reached = '1';
    return style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2 }"""


@pytest.mark.parametrize("path", ["/", "/station", "/table/01", "/table/02", "/sensed/01"])
def test_everything_that_can_be_pressed_is_reached_by_the_tab_key_and_shows_its_focus(
    context: BrowserContext, run_app: Run, hub: Hub, actions: Recorded, path: str
) -> None:
    signin = SignIn()
    url = run_app(app_of(hub, actions, signin)).url
    page = context.new_page()
    page.goto(url + signin.new_link())
    page.goto(url + path)
    wait_until_drawn(page, path)
    wanted = page.evaluate(REACHABLE)
    assert wanted > 0
    for _ in range(wanted):
        page.keyboard.press("Tab")
        assert page.evaluate(FOCUSED) is not False, "a focused control shows no outline"
    assert page.locator("[data-reached]").count() == wanted


def test_nothing_moves_for_those_who_asked_for_less_motion(browser: Browser, room: Running) -> None:
    with context_of(browser, reduced_motion="reduce") as context:
        page = context.new_page()
        page.goto(room.url + "/table/01")
        moving = "[...document.querySelectorAll('*')].filter(n => getComputedStyle(n).transitionDuration !== '0s')"
        assert page.evaluate(f"{moving}.length") == 0


# ----------------------------------------------------------------------------------------- clock


def seconds(page: Page) -> int:
    minutes, rest = page.locator("#left").inner_text().split(":")
    return int(minutes) * 60 + int(rest)


def test_the_wall_clock_counts_on_when_its_server_is_gone_and_says_so(
    context: BrowserContext, room: Running
) -> None:
    page = context.new_page()
    page.clock.install()
    page.goto(room.url + "/clock")
    wait_until_drawn(page, "/clock")
    before = seconds(page)
    room.stop()
    page.clock.fast_forward(90_000)
    expect(page.locator("#alone")).to_have_text(re.compile(r"^offline \d+:\d\d$"))
    assert 0 < seconds(page) <= before - 90
    page.clock.fast_forward(before * 1000)
    expect(page.locator("#level")).to_have_text("Level 9")
    expect(page.locator("#blinds")).to_have_text("600 / 1,200")


def test_a_paused_clock_stands_still_and_shows_it(context: BrowserContext, room: Running) -> None:
    room.hub.publish("clock", encode(fixtures.clock_state(left_ms=600_000, running=False)))
    page = context.new_page()
    page.clock.install()
    page.goto(room.url + "/clock")
    expect(page.locator("#paused")).to_be_visible()
    page.clock.fast_forward(60_000)
    expect(page.locator("#left")).to_have_text("10:00")


def test_the_clock_lists_what_is_to_come(context: BrowserContext, room: Running) -> None:
    page = context.new_page()
    page.goto(room.url + "/clock")
    wait_until_drawn(page, "/clock")
    state = fixtures.clock_state()
    after = state.levels[state.levels.index(state.level) + 1 :]
    first = next(level for level in after if not level.is_break)
    expect(page.locator("#coming")).to_contain_text(f"{first.small_blind:,} / {first.big_blind:,}")


def test_the_clock_posts_buy_in_and_prizes_where_there_are_some(context: BrowserContext, room: Running) -> None:
    page = context.new_page()
    page.goto(room.url + "/clock")
    wait_until_drawn(page, "/clock")
    expect(page.locator("#prizes")).to_be_hidden()
    posted = msgspec.structs.replace(fixtures.clock_state(), buy_in=2_500, payouts=(9_600, 6_050))
    room.hub.publish("clock", encode(posted))
    expect(page.locator("#buy-in")).to_have_text("25.00")
    expect(page.locator("#prizes li")).to_have_text(["196.00", "260.50"])


def in_page(page: Page, module: str, body: str) -> Any:
    return page.evaluate(f"async () => {{ const m = await import('/static/{module}'); {body} }}")


def test_the_quickest_message_tells_the_stations_time(context: BrowserContext, room: Running) -> None:
    page = context.new_page()
    page.goto(room.url + "/clock")
    estimate = """
        const time = new m.StationTime();
        const before = time.at(0);
        time.hear('b1', 1000, 50);         // 50 ms under way
        time.hear('b1', 2000, 1003);       // 3 ms under way: the best so far
        time.hear('b1', 3000, 2400);       // 400 ms under way: changes nothing
        const known = time.at(3000);
        time.hear('b1', 3000, 9000, 5993); // old news whose age is known
        const aged = time.at(3000);
        time.hear('b2', 10, 5000);         // the station has started anew
        return [before, known, aged, time.at(5000)];
    """
    assert in_page(page, "shared/time.js", estimate) == [None, 3997, 3997, 10]


def test_a_level_that_has_run_out_is_followed_by_the_next_of_the_schedule(
    context: BrowserContext, room: Running
) -> None:
    page = context.new_page()
    page.goto(room.url + "/clock")
    projected = """
        const level = (no) => ({ no, minutes: 10 });
        const levels = [level(1), level(2), level(3)];
        const at = (now, state = {}) => {
            const begun = { at: 0, running: true, left_ms: 60000, level: levels[0], next_level: levels[1] };
            const { level, next, left } = m.project({ ...begun, levels, ...state }, now);
            return [level.no, next?.no ?? null, left];
        };
        return [at(59000), at(61000), at(60000 + 600000 + 1000), at(9e9), at(9e9, { running: false }),
                at(61000, { levels: [] }), at(61000, { levels: [level(1), level(2), level(1), level(2)] }),
                    at(61000, { levels: [level(1), level(3), level(1), level(2), level(4)] })];
    """
    assert in_page(page, "shared/time.js", projected) == [
        [1, 2, 1_000],
        [2, 3, 599_000],
        [3, None, 599_000],
        [3, None, 0],
        [1, 2, 60_000],
        [1, 2, 0],  # no schedule: it waits at zero
        [1, 2, 0],  # a schedule in which this level comes before that one twice does not say where we are
        [2, 4, 599_000],  # the level that follows says which of two alike it is
    ]


# --------------------------------------------------------------------------------------- overlay


def alpha(page: Page) -> Any:
    png = np.frombuffer(page.screenshot(omit_background=True), np.uint8)
    return cv2.imdecode(png, cv2.IMREAD_UNCHANGED)[:, :, 3]


def test_the_overlay_is_transparent_before_its_first_snapshot(
    context: BrowserContext, run_app: Run, actions: Recorded
) -> None:
    page = context.new_page()
    page.goto(run_app(app_of(Hub(), actions)).url + "/air/01")
    assert alpha(page).max() == 0


def test_the_overlay_has_a_heading_for_who_cannot_see_it(context: BrowserContext, room: Running) -> None:
    page = context.new_page()
    page.goto(room.url + "/air/01")
    expect(page.get_by_role("heading", level=1)).to_have_text("On air: table 01")


def test_the_overlay_hides_when_its_server_is_gone_and_comes_back_by_itself(
    context: BrowserContext, run_app: Run, hub: Hub, actions: Recorded
) -> None:
    server = run_app(app_of(hub, actions))
    page = context.new_page()
    page.goto(server.url + "/air/01")
    expect(page.locator("#air")).to_be_visible()
    shown = alpha(page)
    assert shown[: shown.shape[0] // 6].max() == 0, "nothing stands above the plates"
    assert shown.max() == 255
    server.stop()
    expect(page.locator("#air")).to_be_hidden()
    assert alpha(page).max() == 0
    again = Hub()
    publish_all(again)
    run_app(app_of(again, actions), port=server.port)
    expect(page.locator("#air")).to_be_visible()


# ---------------------------------------------------------------------------------------- dealer


def test_one_press_answers_the_question_on_the_dealer_screen(
    context: BrowserContext, room: Running, actions: Recorded
) -> None:
    page = context.new_page()
    page.goto(room.url + "/table/02")
    expect(page.locator("#says")).to_have_text("All called 16,400?")
    page.get_by_role("button", name="Yes").click()
    expect(page.locator("#answer")).to_have_attribute("data-arrived", "yes")
    assert actions.calls == [("02", Key.STREET, None, None, 7)]


@pytest.mark.parametrize(
    ("presses", "touch"),
    [
        (["Fold"], (Key.FOLD, None, None)),
        (["5", "Fold"], (Key.FOLD, 5, None)),
        (["1", "2", "00", "Bet / Raise"], (Key.BET_RAISE, None, 1200)),
        (["0", "5", "000", "Bet / Raise"], (Key.BET_RAISE, None, 5000)),
        (["Seat 4", "Tabled"], (Key.TABLED, 4, None)),
        (["Seat 4", "Seat 4", "All-in"], (Key.ALL_IN, None, None)),
        (["7", "Clear", "Check / Call"], (Key.CHECK_CALL, None, None)),
        (["9", "Undo"], (Key.UNDO, None, None)),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_the_screens_keys_mean_what_the_keypads_keys_mean(
    context: BrowserContext, room: Running, actions: Recorded, presses: list[str], touch: tuple[Any, ...]
) -> None:
    page = context.new_page()
    page.goto(room.url + "/table/01")
    expect(page.locator(".seat")).to_have_count(9)
    for name in presses:
        exact = not name.startswith("Seat")
        page.get_by_role("button", name=name, exact=exact).click()
    expect(page.locator("[data-arrived]")).to_have_count(1)
    assert actions.calls == [("01", *touch, None)]


def test_a_press_that_did_not_arrive_is_said_on_the_screen(context: BrowserContext, room: Running) -> None:
    page = context.new_page()
    page.goto(room.url + "/table/01")
    wait_until_drawn(page, "/table/01")
    room.stop()
    page.get_by_role("button", name="Fold", exact=True).click()
    # What it says depends on whether the browser has noticed by then that the stream has ended.
    expect(page.locator("#says")).to_contain_text(re.compile("Not known whether it arrived|No line: .* not sent"))


def test_the_dealer_screen_shows_backs_until_a_hand_is_tabled(context: BrowserContext, room: Running) -> None:
    page = context.new_page()
    page.goto(room.url + "/table/01")
    expect(page.locator("#seats .card.back")).to_have_count(6)
    expect(page.locator("#seats .card:not(.back)")).to_have_count(0)
    room.hub.publish("table/01", encode(fixtures.showdown()), event_id="1260")
    expect(page.locator("#seats").get_by_role("img", name="ace of clubs")).to_be_visible()
    expect(page.locator("#seats .card:not(.back)")).to_have_count(4)


def test_the_spoken_name_of_a_seat_holds_the_words_that_are_seen(context: BrowserContext, room: Running) -> None:
    page = context.new_page()
    page.goto(room.url + "/table/01")
    wait_until_drawn(page, "/table/01")
    seats = page.locator("#seats button.seat").all()
    assert seats
    for seat in seats:
        seen, spoken = seat.text_content() or "", seat.get_attribute("aria-label") or ""
        assert " ".join(seen.split()) in " ".join(spoken.replace(", ", " ").split())


@pytest.mark.parametrize("size", [(1366, 768), (390, 844)], ids=lambda size: f"{size[0]}x{size[1]}")
def test_keys_stay_where_they_are_whatever_the_screen_says(
    browser: Browser, room: Running, size: tuple[int, int]
) -> None:
    with context_of(browser, *size) as context:
        page = context.new_page()
        page.goto(room.url + "/table/01")
        wait_until_drawn(page, "/table/01")
        places = """[...document.querySelectorAll('.pad button')].map((b) => b.getBoundingClientRect())
            .map(({ left, top, height }) => [left, top, height])"""
        before: dict[str | None, Any] = {}  # by what the pad of a phone offers
        for no, view in enumerate((fixtures.between_hands(), *STATES.values()), start=9_000):
            shown = msgspec.structs.replace(view, as_of=no)
            room.hub.publish("table/01", encode(shown), event_id=str(no))
            expect(page.locator("main")).to_have_attribute("data-as-of", str(no))
            offered = page.locator("main").get_attribute("data-keys")
            found = page.evaluate(places)
            assert before.setdefault(offered, found) == found, view.last


def test_four_colour_suits_are_remembered(context: BrowserContext, room: Running) -> None:
    page = context.new_page()
    page.goto(room.url + "/table/01")
    page.get_by_role("button", name="More", exact=True).click()
    page.get_by_role("button", name="Four colours").click()
    page.goto(room.url + "/table/02")
    expect(page.locator("html")).to_have_attribute("data-suits", "4")


def test_lamps_go_out_when_the_process_behind_a_page_hangs(context: BrowserContext, run_app: Run) -> None:
    """Its web server still answers; the thread that does its work beats no more."""
    hub = Hub()
    publish_all(hub)
    url = run_app(app_of(hub, Recorded())).url
    hub.beat()
    page = context.new_page()
    page.goto(f"{url}/table/01")
    lamp = page.locator(".lamp").first
    lit = lamp.evaluate("lamp => getComputedStyle(lamp, '::before').backgroundColor")
    expect(page.locator("#link")).to_be_visible()
    dark = lamp.evaluate("lamp => getComputedStyle(lamp, '::before').backgroundColor")
    assert dark != lit
    hub.beat()
    expect(page.locator("#link")).to_be_hidden()


# --------------------------------------------------------------------------------------- station


def signed_in(context: BrowserContext, run_app: Run, hub: Hub, actions: Recorded) -> Page:
    signin = SignIn()
    page = context.new_page()
    page.goto(run_app(app_of(hub, actions, signin)).url + signin.new_link())
    expect(page.locator("#toggle")).to_have_text("Pause")
    expect(page.locator("#left")).to_have_text(re.compile(r"\d"))
    return page


def test_a_viewer_has_no_directors_controls(context: BrowserContext, room: Running) -> None:
    context.clear_cookies()  # nobody is signed in
    page = context.new_page()
    page.goto(room.url + "/station")
    wait_until_drawn(page, "/station")
    expect(page.get_by_role("button")).to_have_text(["By size", "Tiles", "Cells"])  # no press
    expect(page.get_by_role("link", name="Table 02")).to_contain_text("Somebody waits")


def test_a_space_bar_presses_nothing_and_enter_does(
    context: BrowserContext, run_app: Run, hub: Hub, actions: Recorded
) -> None:
    page = signed_in(context, run_app, hub, actions)
    page.locator("#toggle").focus()
    page.keyboard.press("Space")
    page.keyboard.press("Enter")
    expect(page.locator("#said")).to_have_text("pause: done")
    assert actions.calls == [("pause", {})]


def test_the_next_level_starts_only_when_confirmed(
    context: BrowserContext, run_app: Run, hub: Hub, actions: Recorded
) -> None:
    page = signed_in(context, run_app, hub, actions)
    page.get_by_role("button", name="Next level").click()
    expect(page.get_by_role("dialog")).to_contain_text("Start level 9 now?")
    page.keyboard.press("Enter")  # the choice in focus is Cancel
    expect(page.get_by_role("dialog")).to_be_hidden()
    page.get_by_role("button", name="Next level").click()
    page.get_by_role("button", name="Start level 9").click()
    expect(page.locator("#said")).to_have_text("next_level: done")
    assert actions.calls == [("next_level", {})]


def test_a_question_about_the_next_level_is_withdrawn_when_that_level_begins_by_itself(
    context: BrowserContext, run_app: Run, hub: Hub, actions: Recorded
) -> None:
    page = signed_in(context, run_app, hub, actions)
    page.get_by_role("button", name="Next level").click()
    expect(page.get_by_role("dialog")).to_contain_text("Start level 9 now?")
    hub.publish("clock", encode(fixtures.clock_state(at=5_000_000 - 735_000)))
    expect(page.locator("#level")).to_have_text("Level 9")
    expect(page.get_by_role("dialog")).to_be_hidden()
    assert actions.calls == []


def test_the_level_in_play_cannot_be_chosen_again(
    context: BrowserContext, run_app: Run, hub: Hub, actions: Recorded
) -> None:
    page = signed_in(context, run_app, hub, actions)
    page.get_by_role("button", name="Levels", exact=True).click()
    expect(page.locator("#schedule-rows [aria-current]")).to_contain_text("Level 8")
    expect(page.locator("#schedule-rows [aria-current]")).to_be_disabled()
    page.get_by_role("button", name="Level 7").click()
    page.get_by_role("button", name="Start level 7").click()
    expect(page.locator("#said")).to_have_text("select_level: done")
    assert actions.calls == [("select_level", {"level": 7, "entry": 1})]


# ---------------------------------------------------------------------- landing and sensed view


def test_the_landing_page_shows_live_screens_and_what_mischief_did(
    context: BrowserContext, room: Running, actions: Recorded
) -> None:
    publish_all(room.hub, urls=urls(room.port))
    page = context.new_page()
    page.goto(room.url + "/")
    expect(page.locator("#rulebook")).to_have_text("base: TDA 2024")
    preview = page.frame_locator('iframe[data-page="table"]')
    expect(preview.locator("#hand")).to_have_text("Hand 118")
    expect(page.locator("#noticed li").first).to_contain_text("keyed after the chips were seen")
    page.get_by_role("button", name="Pull the shoe’s cable").click()
    expect(page.locator("#did")).to_have_text("pull_shoe at table 01")
    assert actions.calls == [("01", "pull_shoe")]


def test_the_sensed_view_loads_the_picture_again_when_its_number_changes(
    context: BrowserContext, room: Running
) -> None:
    page = context.new_page()
    page.goto(room.url + "/sensed/01")
    expect(page.locator("#picture-no")).to_have_text("Picture 88")
    room.hub.publish("sensed/01", encode(fixtures.sensed_view(picture_no=89)))
    expect(page.locator("#picture-no")).to_have_text("Picture 89")
    assert page.locator("#picture").evaluate("image => image.naturalWidth") == 1280
    expect(page.locator("#lines li").first).to_contain_text("card 21 to board")


def test_the_sensed_view_says_how_well_each_zone_is_seen(context: BrowserContext, room: Running) -> None:
    page = context.new_page()
    page.goto(room.url + "/sensed/01")
    for zone, says in (
        ("seat 6 cards", "something lies over it"),
        ("muck", "moving"),
        ("seat 2 bet", "chips: 1,200"),
        ("seat 4 bet", "chips, height unknown"),
        ("button 3", "dealer button"),
        ("seat 5 cards", "1 face up, not certain"),
        ("seat 7 cards", "glare"),
        ("seat 8 cards", "a joker"),
        ("seat 9 cards", "blurred"),
    ):
        expect(page.locator("#zones li", has=page.get_by_text(zone, exact=True))).to_contain_text(says)


def test_the_sensed_view_says_what_is_wrong_with_the_camera(context: BrowserContext, room: Running) -> None:
    page = context.new_page()
    page.goto(room.url + "/sensed/01")
    expect(page.locator("#zones li").first).to_contain_text("board")
    expect(page.locator("#trouble")).to_be_hidden()
    room.hub.publish("sensed/01", encode(fixtures.sensed_view(camera="the camera sees almost no light")))
    expect(page.locator("#trouble")).to_have_text("the camera sees almost no light")
    room.hub.publish("sensed/01", encode(fixtures.sensed_view()))
    expect(page.locator("#trouble")).to_be_hidden()


# ------------------------------------------------------------------------------------------ rules


def test_typing_and_a_choice_ask_the_server(context: BrowserContext, room: Running) -> None:
    page = context.new_page()
    page.goto(room.url + "/rules")
    count = page.locator("#count")
    before = int(count.inner_text().split()[0])
    page.get_by_role("searchbox").fill("colour up")
    expect(count).not_to_have_text(f"{before} rules")
    expect(page.locator("#found li").first).to_contain_text("chip race")
    assert int(count.inner_text().split()[0]) == page.locator("#found li").count()
    page.get_by_role("combobox", name="Rulebook").select_option("all")
    page.wait_for_url("**book=all**")
    expect(page.locator("#found h2")).to_have_text("Every rulebook")
    assert page.get_by_role("searchbox").input_value() == "colour up"
