"""What belongs to a room on one machine: the codes of its pages, and which table has which device.

Whoever reads a code opens that page, and gets no right by it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import segno
from markupsafe import Markup


class PageAddress(NamedTuple):
    """A page, by its name and its address."""

    name: str
    url: str


class DeviceOfTable(NamedTuple):
    """A device that a table has; `here`: it is plugged in now."""

    id: str
    kind: str
    words: str
    table: str
    here: bool


class Code(NamedTuple):
    """A page and its QR code, as SVG."""

    page: PageAddress
    svg: Markup


def codes_of(pages: Sequence[PageAddress]) -> list[Code]:
    """The code of each page. The border of four modules is white in every theme: cameras need it."""
    return [Code(page, _svg(page.url)) for page in pages]


def _svg(url: str) -> Markup:
    code = segno.make(url, micro=False, error="m")
    return Markup(code.svg_inline(omitsize=True, border=4, light="#fff", svgclass="code", lineclass=None))


CodesWanted = Callable[[], Sequence[PageAddress]]
DevicesWanted = Callable[[], Sequence[DeviceOfTable]]
