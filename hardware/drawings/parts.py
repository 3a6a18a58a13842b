"""The bill of materials: `hardware/parts.toml`, its sums, and the tables of `hardware/parts.md`."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import msgspec

from hardware.drawings import FOLDER
from hardware.drawings.document import table, with_section, write_section

DATA = FOLDER / "parts.toml"
DOCUMENT, GUIDE = FOLDER / "parts.md", FOLDER / "README.md"


class BoughtPart(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`price` of one, without tax. `number` is the maker's; `-` where many make it."""

    id: str
    name: str
    maker: str
    number: str
    price: float


class Kit(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`parts`: how many of each part."""

    id: str
    name: str
    parts: dict[str, int]


class Table(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A table that one may build: its kits, and what it may cost at most."""

    name: str
    kits: list[str]
    target: float


class Materials(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    currency: str
    part: list[BoughtPart]
    kit: list[Kit]
    table: list[Table]

    def of(self, part: str) -> BoughtPart:
        return next(found for found in self.part if found.id == part)

    def price_of(self, kit: str) -> float:
        """The sum of a kit."""
        parts = next(found for found in self.kit if found.id == kit).parts
        return sum(count * self.of(part).price for part, count in parts.items())

    def price_of_table(self, table: Table) -> float:
        return sum(self.price_of(kit) for kit in table.kits)

    def needed(self, *kits: str) -> dict[str, int]:
        """How many of each part, for these kits together."""
        sums: dict[str, int] = {}
        for kit in self.kit:
            for part, count in kit.parts.items() if kit.id in kits else ():
                sums[part] = sums.get(part, 0) + count
        return sums


@cache
def materials(path: Path = DATA) -> Materials:
    """Raise `msgspec.ValidationError` for what the file must not have."""
    return msgspec.toml.decode(path.read_bytes(), type=Materials)


def document(text: str, all_of_it: Materials) -> str:
    """`parts.md` with its tables made anew."""
    text = with_section(text, "tables", _tables(all_of_it))
    for kit in all_of_it.kit:
        text = with_section(text, f"kit {kit.id}", _kit(kit, all_of_it))
    return text


def write() -> None:
    DOCUMENT.write_text(document(DOCUMENT.read_text("utf-8"), materials()), "utf-8")
    write_section(GUIDE, "targets", targets(materials()))


def targets(all_of_it: Materials) -> str:
    """What each table may cost, for the builder's guide."""
    rows = [[one.name, f"{one.target:.0f}"] for one in all_of_it.table]
    return table(["a table with", f"at most, {all_of_it.currency}"], rows, right=(1,))


def _tables(all_of_it: Materials) -> str:
    rows = [
        [one.name, ", ".join(one.kits), f"{all_of_it.price_of_table(one):.0f}", f"{one.target:.0f}"]
        for one in all_of_it.table
    ]
    currency = all_of_it.currency
    return table(["a table with", "kits", f"sum, {currency}", f"target, {currency}"], rows, right=(2, 3))


def _kit(kit: Kit, all_of_it: Materials) -> str:
    rows = []
    for part, count in kit.parts.items():
        found = all_of_it.of(part)
        cost = f"{count * found.price:.2f}"
        rows.append([str(count), found.name, found.maker, found.number, f"{found.price:.2f}", cost])
    rows.append(["", "**together**", "", "", "", f"**{all_of_it.price_of(kit.id):.2f}**"])
    return table(["", "part", "maker", "number", "each", all_of_it.currency], rows, right=(0, 4, 5))
