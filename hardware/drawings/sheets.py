"""Print sheets, A4 at full size: the keypad's plate, and its keys' legends; the plate as DXF, too."""

from __future__ import annotations

from collections.abc import Iterator

from hardware.drawings import FOLDER, dxf, svg
from hardware.drawings.bodies.keypad import KEYS, SEAT_1, Keypad, keypad
from table_core.messages import Key

SHEETS = FOLDER / "sheets"
A4 = (210.0, 297.0)
_RULER_MM = 100.0
_LETTER = 0.85  # width of a bold capital beside its size, at most
_CUT = {"line": "#d00000", "width": 0.1}


def write() -> None:
    SHEETS.mkdir(exist_ok=True)
    for name, text in files(keypad()).items():
        (SHEETS / name).write_text(text, "utf-8")


def files(pad: Keypad) -> dict[str, str]:
    return {
        "keypad-plate.svg": plate(pad),
        "keypad-plate.dxf": plate_dxf(pad),
        "keypad-legends.svg": legends(pad),
    }


def plate(pad: Keypad) -> str:
    left, top = (A4[0] - pad.wide) / 2, 30.0
    shapes = list(
        _head("Keypad, plate", f"{pad.plate} mm thick", "red: cut", f"{pad.wide:.2f} x {pad.deep:.2f} mm")
    )
    shapes.append(svg.rectangle(left, top, pad.wide, pad.deep, round_by=pad.corner, **_CUT))  # type: ignore[arg-type]
    for x, y, wide, square in pad.cuts:
        at_x, at_y = left + x, top + pad.deep - y
        if square:
            shapes.append(svg.rectangle(at_x - wide / 2, at_y - wide / 2, wide, wide, **_CUT))  # type: ignore[arg-type]
        else:
            shapes.append(svg.circle(at_x, at_y, wide / 2, **_CUT))  # type: ignore[arg-type]
    for code, (x, y) in pad.keys.items():
        words = legend(code)
        for line, word in enumerate(words):
            low = top + pad.deep - y + (line - (len(words) - 1) / 2) * 3 + 1
            shapes.append(svg.text(left + x, low, word, size=2.4, anchor="middle", colour="#777"))
    return svg.document(*A4, [*shapes, *_ruler(top + pad.deep + 20)])


def plate_dxf(pad: Keypad) -> str:
    holes = [dxf.Square(*cut[:3]) if cut.square else dxf.Circle(*cut[:3]) for cut in pad.cuts]
    return dxf.document([dxf.Rounded(pad.wide, pad.deep, pad.corner), *holes])


def legends(pad: Keypad) -> str:
    """Papers for the windows of the caps, row by row as the keys are."""
    wide, high = pad.bought.legend.size
    shapes = list(_head("Keypad, legends", "cut on the red lines", f"{wide:.1f} x {high:.1f} mm each"))
    left, top = (A4[0] - len(KEYS[0]) * (wide + 4)) / 2, 34.0
    for row, codes in enumerate(KEYS):
        for column, code in enumerate(codes):
            if code is not None:
                shapes += _legend(left + column * (wide + 4), top + row * (high + 4), wide, high, legend(code))
    return svg.document(*A4, [*shapes, *_ruler(top + len(KEYS) * (high + 4) + 20)])


def legend(code: int) -> list[str]:
    """What stands on a key, in lines: its name in docs/wire.md."""
    if code >= SEAT_1:
        return ["SEAT", str(Key(code).seat)]
    name = Key(code).name
    return [name[1:]] if name[0] == "D" and name[1:].isdigit() else name.split("_")


def _legend(x: float, y: float, wide: float, high: float, words: list[str]) -> Iterator[str]:
    yield svg.rectangle(x, y, wide, high, **_CUT)  # type: ignore[arg-type]
    longest = max(len(word) for word in words)
    size = min(6.0, (wide - 1.5) / (_LETTER * longest), (high - 2) / len(words) / 1.15)
    for line, word in enumerate(words):
        low = y + high / 2 + (line - (len(words) - 1) / 2) * size * 1.15 + size * 0.36
        yield svg.text(x + wide / 2, low, word, size=size, anchor="middle", weight="bold")


def _head(title: str, *facts: str) -> Iterator[str]:
    yield svg.text(15, 15, title, size=6, weight="bold")
    yield svg.text(15, 22, "A4, print at 100 percent: " + "; ".join(facts) + ".", size=3.4)


def _ruler(y: float) -> Iterator[str]:
    yield svg.path([(15, y), (15 + _RULER_MM, y)], width=0.3)
    for at in range(0, int(_RULER_MM) + 1, 10):
        yield svg.path([(15 + at, y), (15 + at, y - (4 if at % 50 == 0 else 2.5))], width=0.3)
    yield svg.text(15 + _RULER_MM + 4, y, "100 mm on your ruler?", size=3.4)
