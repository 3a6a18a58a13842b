"""The table of phrases: what the coverage can say, in each of its languages.

Each key has several ways to say one thing; which one is taken follows from the name of the line, so that a line
always reads the same. A phrase names only what stands in it in braces. Names are never inflected.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

EN, DE = "en", "de"
LANGUAGES = (EN, DE)

PHRASES: Mapping[str, Mapping[str, Sequence[str]]] = {
    "out": {  # {o} lost the last chips to {w}; whether there is a place is not known
        EN: ("{w} takes the last {n} chips of {o}.", "{o} loses the last {n} chips to {w}."),
        DE: ("{w} gewinnt die letzten {n} Chips von {o}.", "{o} verliert die letzten {n} Chips an {w}."),
    },
    "out alone": {
        EN: ("{o} has lost the last {n} chips.",),
        DE: ("{o} hat die letzten {n} Chips verloren.",),
    },
    "place": {
        EN: (
            "{w} eliminates {o} in {place} place{prize}.",
            "{o} is out in {place} place{prize}, eliminated by {w}.",
        ),
        DE: (
            "{w} eliminiert {o} auf Platz {place}{prize}.",
            "{o} scheidet auf Platz {place} aus{prize}, eliminiert von {w}.",
        ),
    },
    "place alone": {
        EN: ("{o} is out in {place} place{prize}.",),
        DE: ("{o} scheidet auf Platz {place} aus{prize}.",),
    },
    "prize": {EN: (" for {prize}",), DE: (" für {prize}",)},
    "bubble": {
        EN: (
            "{w} eliminates {o} on the bubble, in {place} place.",
            "The bubble bursts: {w} eliminates {o} in {place} place.",
        ),
        DE: (
            "{w} eliminiert {o} auf der Bubble, Platz {place}.",
            "Die Bubble ist geplatzt: {w} eliminiert {o} auf Platz {place}.",
        ),
    },
    "bubble alone": {
        EN: ("The bubble bursts: {o} is out in {place} place.",),
        DE: ("Die Bubble ist geplatzt: {o} scheidet auf Platz {place} aus.",),
    },
    "in the money": {
        EN: ("The {left} players who are left are in the money.",),
        DE: ("Die {left} verbliebenen Spieler sind im Geld.",),
    },
    "several": {
        EN: ("{n} players lose their last chips in one hand.",),
        DE: ("{n} Spieler verlieren in einer Hand ihre letzten Chips.",),
    },
    "double": {
        EN: ("{w} doubles up through {l} to {n}.", "{w} doubles through {l} and has {n} chips."),
        DE: ("{w} verdoppelt gegen {l} auf {n}.", "{w} verdoppelt gegen {l} und hat nun {n} Chips."),
    },
    "triple": {
        EN: ("{w} triples up to {n}.",),
        DE: ("{w} verdreifacht auf {n}.",),
    },
    "survive": {
        EN: ("{w} is all-in, wins and has {n} chips.",),
        DE: ("{w} ist all-in, gewinnt und hat nun {n} Chips.",),
    },
    "split": {
        EN: ("All-in, and {w} split the pot of {pot}.", "{w} are all-in and share the pot of {pot}."),
        DE: ("All-in, und {w} teilen den Pot von {pot}.",),
    },
    "share": {
        EN: ("{w} share a pot of {pot}, {bb} big blinds.",),
        DE: ("{w} teilen einen Pot von {pot}, das sind {bb} Big Blinds.",),
    },
    "pot": {
        EN: (
            "{w} wins a pot of {pot}, {bb} big blinds.",
            "A pot of {pot} ({bb} big blinds) goes to {w}.",
            "{pot} in the middle, {bb} big blinds: {w} wins.",
        ),
        DE: (
            "{w} gewinnt einen Pot von {pot}, das sind {bb} Big Blinds.",
            "Ein Pot von {pot} ({bb} Big Blinds) geht an {w}.",
            "{pot} in der Mitte, {bb} Big Blinds: {w} gewinnt.",
        ),
    },
    "pots": {
        EN: ("{pot} in the middle, {bb} big blinds: the pots go to {w}.",),
        DE: ("{pot} in der Mitte, {bb} Big Blinds: Die Pots gehen an {w}.",),
    },
    "hand": {
        EN: ("{w} wins {pot} with {made}.", "{made_}: {w} wins {pot}."),
        DE: ("{w} gewinnt {pot} mit {made}.", "{made_}: {w} gewinnt {pot}."),
    },
    "folded": {
        EN: ("There is no showdown.", "It does not come to a showdown."),
        DE: ("Zum Showdown kommt es nicht.",),
    },
    "showdown": {
        EN: ("{hands} on {board}.", "The hands: {hands}. The board: {board}."),
        DE: ("{hands} auf {board}.", "Die Hände: {hands}. Das Board: {board}."),
    },
    "hands": {EN: ("{hands}.",), DE: ("{hands}.",)},
    "all-in": {
        EN: (
            "{o} is all-in {street} against {others}{board}.",
            "All-in {street}: {o} against {others}{board}.",
        ),
        DE: (
            "{o} ist {street} all-in gegen {others}{board}.",
            "All-in {street}: {o} gegen {others}{board}.",
        ),
    },
    "board": {EN: ("; the board is {board}",), DE: ("; das Board ist {board}",)},
    "with": {EN: ("{w} wins with {made}.", "The winning hand is {made}."), DE: ("{w} gewinnt mit {made}.",)},
    "won": {EN: ("{w} wins {n} with {made}.",), DE: ("{w} gewinnt {n} mit {made}.",)},
    "cards": {
        EN: ("With the cards of hand {hand} public: {hands}{board}.",),
        DE: ("Die Karten von Hand {hand} sind nun öffentlich: {hands}{board}.",),
    },
    "lead": {
        EN: ("{w} has the chip lead with {n}.", "That is the chip lead: {n} chips for {w}."),
        DE: ("{w} führt nun mit {n} Chips.", "Das ist die Führung: {n} Chips für {w}."),
    },
    "left": {
        EN: ("{left} of {entrants} players are left.",),
        DE: ("{left} von {entrants} Spielern sind noch dabei.",),
    },
    "start": {
        EN: ("The cards are in the air. {level}",),
        DE: ("Es geht los. {level}",),
    },
    "level": {
        EN: ("Level {no} begins: blinds {sb}/{bb}{ante}.",),
        DE: ("Level {no} beginnt: Blinds {sb}/{bb}{ante}.",),
    },
    "ante": {EN: (", ante {ante}",), DE: (", Ante {ante}",)},
    "big blind ante": {EN: (", big blind ante {ante}",), DE: (", Big-Blind-Ante {ante}",)},
    "average": {
        EN: ("The average stack is {n}, {bb} big blinds.",),
        DE: ("Der Durchschnitt liegt bei {n} Chips, das sind {bb} Big Blinds.",),
    },
    "break": {
        EN: ("The players are on a break{what}{minutes}.", "It is time for a break{what}{minutes}."),
        DE: ("Es ist Pause{what}{minutes}.",),
    },
    "what": {EN: (" ({what})",), DE: (" ({what})",)},
    "minutes": {EN: (" of {n} minutes",), DE: (", {n} Minuten lang",)},
    "most chips": {EN: ("The most chips: {counts}.",), DE: ("Die meisten Chips: {counts}.",)},
    "counts": {EN: ("The chip counts: {counts}.",), DE: ("Die Chipstände: {counts}.",)},
    "entries": {
        EN: ("There are {entrants} entries, and {left} players are left.",),
        DE: ("{entrants} Anmeldungen, {left} Spieler sind noch dabei.",),
    },
    "paid": {
        EN: ("Paid places: {paid}. The winner gets {prize}.",),
        DE: ("Bezahlte Plätze: {paid}. Für den Sieg gibt es {prize}.",),
    },
    "final table": {
        EN: ("The final table is set: {left} players are left.",),
        DE: ("Der Finaltisch steht: {left} Spieler sind noch dabei.",),
    },
    "on the bubble": {
        EN: ("{left} players are left and {paid} places are paid: the next one out goes without a prize.",),
        DE: ("{left} Spieler, {paid} bezahlte Plätze: Wer als Nächster ausscheidet, geht leer aus.",),
    },
    "heads-up": {
        EN: ("Heads-up: {counts}.",),
        DE: ("Heads-up: {counts}.",),
    },
    "two left": {EN: ("Two players are left.",), DE: ("Zwei Spieler sind noch dabei.",)},
    "winner": {EN: ("{w} wins the tournament.",), DE: ("{w} gewinnt das Turnier.",)},
    "winner and prize": {
        EN: ("{w} wins the tournament and {prize}.",),
        DE: ("{w} gewinnt das Turnier und {prize}.",),
    },
    "deal": {
        EN: ("The {left} players who are left agree on a deal.",),
        DE: ("Die {left} verbliebenen Spieler einigen sich auf einen Deal.",),
    },
    "table breaks": {
        EN: ("Table {table} breaks; {left} players are left.",),
        DE: ("Tisch {table} wird aufgelöst; {left} Spieler sind noch dabei.",),
    },
    "to": {
        EN: ("{o} to table {table}",),
        DE: ("{o} an Tisch {table}",),
    },
    "moves": {EN: ("Its players move: {moves}.",), DE: ("Seine Spieler wechseln: {moves}.",)},
    "and": {EN: (" and ",), DE: (" und ",)},
    "against": {EN: (" against ",), DE: (" gegen ",)},
}

STREETS = {
    "preflop": {EN: "before the flop", DE: "vor dem Flop"},
    "flop": {EN: "on the flop", DE: "auf dem Flop"},
    "turn": {EN: "on the turn", DE: "auf dem Turn"},
    "river": {EN: "on the river", DE: "auf dem River"},
}

RANKS = {
    EN: ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king", "ace"),
    DE: (
        "Zwei",
        "Drei",
        "Vier",
        "Fünf",
        "Sechs",
        "Sieben",
        "Acht",
        "Neun",
        "Zehn",
        "Bube",
        "Dame",
        "König",
        "Ass",
    ),
}
PLURALS = {
    EN: (
        *("twos", "threes", "fours", "fives", "sixes", "sevens", "eights", "nines", "tens"),
        *("jacks", "queens", "kings", "aces"),
    ),
    DE: (
        *("Zweien", "Dreien", "Vieren", "Fünfen", "Sechsen", "Siebenen", "Achten", "Neunen", "Zehnen"),
        *("Buben", "Damen", "Königen", "Assen"),
    ),
}
# By category, from high card to straight flush, then the royal flush; {r} is a rank, {p} and {q} are ranks in the
# plural.
MADE = {
    EN: (
        *("{r} high", "a pair of {p}", "two pair, {p} and {q}", "three {p}", "a straight, {r} high"),
        *("a flush, {r} high", "a full house, {p} over {q}", "four {p}", "a straight flush, {r} high"),
        "a royal flush",
    ),
    DE: (
        *("{r} hoch", "einem Paar {p}", "zwei Paaren, {p} und {q}", "einem Drilling {p}", "einer Straße bis {r}"),
        *("einem Flush bis {r}", "einem Full House, {p} über {q}", "einem Vierling {p}"),
        *("einem Straight Flush bis {r}", "einem Royal Flush"),
    ),
}


def phrase(language: str, key: str, name: str, **words: object) -> str:
    """The phrase `key` with its words; `name` decides which of its ways is taken.

    >>> phrase("en", "left", "", left="23", entrants="60")
    '23 of 60 players are left.'
    """
    ways = PHRASES[key][language]
    return ways[_drawn(name) % len(ways)].format(**words)


def _drawn(name: str) -> int:
    number = 0
    for letter in name:
        number = (number * 131 + ord(letter)) % 1_000_003
    return number
