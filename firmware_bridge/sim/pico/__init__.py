"""A simulated Raspberry Pi Pico and the parts wired to it: plain Python that MicroPython runs, too."""
