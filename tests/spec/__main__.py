"""Prints how many cells there are by incident and book, the open points, and why pairs were left out."""

from __future__ import annotations

from collections import Counter

from tests.spec.cells import count, open_points
from tests.spec.pairs import left_out
from tests.spec.situation import BOOKS


def main() -> None:
    """Three tables of text."""
    counts = count()
    incidents = list(dict.fromkeys(incident for incident, _book in counts))
    print(f"{'incident':<24}" + "".join(f"{book:>7}" for book in BOOKS) + f"{'all':>8}")
    for incident in incidents:
        row = [counts.get((incident, book), 0) for book in BOOKS]
        print(f"{incident:<24}" + "".join(f"{number:>7}" for number in row) + f"{sum(row):>8}")
    total = [sum(number for (_, book), number in counts.items() if book == wanted) for wanted in BOOKS]
    print(f"{'all':<24}" + "".join(f"{number:>7}" for number in total) + f"{sum(total):>8}")
    print("\nOpen points")
    for (incident, book), words in open_points().items():
        for word in words:
            print(f"  {incident:<24} {book:<5} {word}")
    print("\nOrdered pairs of kinds left out")
    for reason, number in Counter(left_out().values()).items():
        print(f"  {number:>5}  {reason}")


if __name__ == "__main__":
    main()
