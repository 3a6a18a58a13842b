"""Runs under MicroPython: the shoe's firmware on its simulated board, a deal, every frame that it sends."""

import gc
import sys

import deal

from firmware_bridge.frames import ACK, Decoder, encode
from firmware_bridge.sim.pico.air import Air
from firmware_bridge.sim.pico.board import Board
from firmware_bridge.sim.pico.card_path import Card
from firmware_bridge.sim.pico.modules import modules_of
from firmware_bridge.sim.pico.shoe_rig import ShoeRig
from firmware_bridge.sim.pico.timeline import TimeLine

board = Board(TimeLine())
rig = ShoeRig(board, Air(deal.SEED))
rig.deal([Card(*card) for card in deal.CARDS], deal.EDGES)
sys.modules.update(modules_of(board))

heard, names = Decoder(), []
# --- 1
gc.collect()
before = gc.mem_alloc()
# --- 1
import main  # noqa: E402

shoe = main.start()
# --- 1
gc.collect()
print("# loaded", gc.mem_alloc() - before)
# --- 20
until = board.time.now + (deal.END + 19) // 20
while board.time.now < until:
    shoe.step()
    for frame in heard.feed(board.cable.take()):
        if not frame.seq:
            continue
        if (frame.boot, frame.seq) not in names:
            names.append((frame.boot, frame.seq))
            print(frame.kind, frame.boot, frame.seq, frame.payload.hex())
        board.cable.to_pico += encode(ACK, frame.boot, frame.seq)
gc.collect()
# --- 1
gc.collect()
print("# afterwards", gc.mem_alloc() - before)
print("wrong", [wrong for chip in board.chips for wrong in chip.wrong])
