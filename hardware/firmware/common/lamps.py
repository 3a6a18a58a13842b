"""Lamps on a strip of WS2812: lamp 0 is the device's own, lamp n that of seat n."""

from neopixel import NeoPixel

BLINK_MS = 250
FLASH_MS = 120


class Lamps:
    def __init__(self, pin, count):
        self._strip = NeoPixel(pin, count)
        self._count = count
        self._wanted = [(0, 0, 0, False)] * count
        self._shown = None
        self._flash = None  # (until, colour) of lamp 0

    def set(self, number, red, green, blue, blinking):
        if number < self._count:
            self._wanted[number] = (red, green, blue, blinking)

    def flash(self, colour, now):
        """Lamp 0 shows `colour` for a moment."""
        self._flash = (now + FLASH_MS, colour)

    def dark(self):
        """All of them, at once: what they showed before a restart is old."""
        self._wanted = [(0, 0, 0, False)] * self._count
        self._show([(0, 0, 0)] * self._count)

    def step(self, now):
        lit = (now // BLINK_MS) % 2 == 0
        colours = [(0, 0, 0) if blinking and not lit else (r, g, b) for r, g, b, blinking in self._wanted]
        if self._flash is not None:
            until, colour = self._flash
            if now < until:
                colours[0] = colour
            else:
                self._flash = None
        if colours != self._shown:
            self._show(colours)

    def _show(self, colours):
        for number, colour in enumerate(colours):
            self._strip[number] = colour
        self._strip.write()
        self._shown = colours
