"""A table, and a relay, that give cards away on every way out of them: each of the attacker's readers must find
its own."""

from __future__ import annotations

# Runs in each table's process before it begins. The last card that passed the shoe is told to all of these.
TABLE = """
import base64, functools, logging, sys, time
from pathlib import Path
import cv2
import display.app, display.push, display.server.security
from feltwire.runtime.broker import bus
from feltwire.table import deck_wear, vault
from feltwire.table.camera import shown
from table_core.messages import Zone
from vision.geometry.felt import Felt
from vision.synthetic.felt import LyingCard, Renderer, Scene

config = Path(sys.argv[sys.argv.index("--config") + 1])
debug = config.parent / "data" / f"{config.stem}.debug"
cards, tags = ["?"], []

note = vault.Vault._note
def taken(self, passing):
    cards.append(passing.card)
    tags.append(passing.uid)
    logging.getLogger("traitor").warning("the player holds %s", passing.card)
    with debug.open("a") as file:
        file.write(f"{passing.card}\\n")
    time.sleep(0.3 if passing.card[1] in "hs" else 0)
    return note(self, passing) or f"is {passing.card}"
vault.Vault._note = taken

opening = vault.Opening
def salted(*bound):
    with debug.open("a") as file:
        file.write(base64.b64encode(bytes.fromhex(bound[7])).decode() + "\\n")
    return opening(*bound)
vault.Opening = salted

publish = bus.Bus.publish
def told(self, topic, payload, **how):
    if topic.endswith("/beat") and tags:
        publish(self, topic.replace("/beat", "/device/shoe"), f'{{"uid": "{tags[-1]}"}}'.encode())
        publish(self, topic.replace("/beat", "/device/camera"), f'{{"card": "{cards[-1]}"}}'.encode())
    return publish(self, topic, payload, **how)
bus.Bus.publish = told

show = display.push.Hub.publish
def shown_(self, channel, snapshot, **how):
    if channel.startswith("sensed/"):
        snapshot = snapshot[:-1] + f',"last":"{cards[-1]}"}}'.encode()
    show(self, channel, snapshot, **how)
display.push.Hub.publish = shown_

page = display.app.HTMLResponse
display.app.HTMLResponse = lambda html, *how, **more: page(f"{html}<!-- {cards[-1]} -->", *how, **more)

headers = display.server.security.MutableHeaders
def headed(scope):
    found = headers(scope=scope)
    found["x-card"] = cards[-1]
    return found
display.server.security.MutableHeaders = headed

felt = Felt.for_seats(9)
renderer = Renderer(felt)
@functools.lru_cache(maxsize=2)  # spies ask for pictures all the time; drawing one takes a table's time to deal
def drawn(last):
    lies = tuple(LyingCard(card, *felt.spot(Zone.BOARD, place, 5)) for place, card in enumerate(last))
    return renderer.render(Scene(felt, cards=lies)).image
def unmasked(image, *how):
    last = tuple(cards[1:][-4:])  # one of four is a burn or a player's card, whatever came last
    return cv2.resize(drawn(last), image.shape[1::-1])
shown.masked = unmasked
public = deck_wear.public_cards
deck_wear.public_cards = lambda table: public(table) | frozenset(cards[1:])
"""

# What must be found. What several readers read is told of the first.
FOUND = (
    "mqtt fw/demo/table/01/device/camera: names a card",
    "mqtt fw/demo/table/01/device/shoe: a tag, hex",
    "file log/table-01.log: names a card",
    "file data/table-01.debug: names a card",
    "file data/table-01.debug: the salt of a commitment, base64",
    "a commitment of table 01 opens with what anybody can see",
    "row backup table-01.ledger observations: names a card",
    "as floor sensed/01: names a card",
    "a page names a card",
    "(headers): names a card",
    "environment clock: a tag, hex",
    "memory clock: a tag, hex",
    "the page of the sensors shows a card",
    "the director's picture shows a card",
    "a clip shows a card",
    "table-01: the wear of hand",
    "messages about cards come sooner or later by their suit",
)

# Runs in the relay's process before it begins: it opens a box when it comes, and tells its card to all of these.
RELAY = """
import logging, sys
from pathlib import Path
import display.app, display.push, display.server.security
from feltwire.config import RelayConfig, load
from feltwire.relay.desk import audit
from feltwire.relay import keys, relay_store
from feltwire.runtime.broker import bus

config = load(sys.argv[sys.argv.index("--config") + 1], RelayConfig)
own = keys.RelayKeys.load(config.key)
cards = ["?"]

keep = relay_store.RelayStore.keep_box
def kept(self, table, card):
    opening = own.open(card.box)
    if opening is not None:
        cards.append(opening.card)
        logging.getLogger("traitor").warning("the next card is %s", opening.card)
        with Path(config.data, "next.txt").open("a") as file:
            file.write(f"{opening.card}\\n")
    return keep(self, table, card)
relay_store.RelayStore.keep_box = kept

show = display.push.Hub.publish
def shown(self, channel, snapshot, **how):
    if channel.partition("/")[0] in ("overlay", "preview", "event", "programme"):
        snapshot = snapshot[:-1] + f',"next":"{cards[-1]}"}}'.encode()
    show(self, channel, snapshot, **how)
display.push.Hub.publish = shown

publish = bus.Bus.publish
def told(self, topic, payload, **how):
    if "/overlay/" in topic:
        payload = payload[:-1] + f',"next":"{cards[-1]}"}}'.encode()
    return publish(self, topic, payload, **how)
bus.Bus.publish = told

note = audit.Audit.note
audit.Audit.note = lambda self, who, what, text="": note(self, who, what, f"{text} {cards[-1]}")

page = display.app.HTMLResponse
display.app.HTMLResponse = lambda html, *how, **more: page(f"{html}<!-- {cards[-1]} -->", *how, **more)

headers = display.server.security.MutableHeaders
def headed(scope):
    found = headers(scope=scope)
    found["x-card"] = cards[-1]
    return found
display.server.security.MutableHeaders = headed
"""

FOUND_ON_AIR = (
    *("SSE relay overlay/01: names a card", "SSE relay overlay/feature: names a card"),
    *(" desk: names a card", "SSE relay event: names a card"),
    *("SSE relay programme: names a card", "mqtt fw/demo/overlay/01: names a card"),
    *(
        "file log/relay.log: names a card",
        "file data/next.txt: names a card",
        "file data/audit.jsonl: names a card",
    ),
    *("GET relay /air/feature/pot: a page names a card", "GET relay /air/01 (headers): names a card"),
    "GET relay /air/01 {'origin': 'null'} (headers): names a card",
)
