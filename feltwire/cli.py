"""`feltwire`: one command line for the processes and the tools.

Each command lives in a module with `HELP`, `EXAMPLE`, `add_arguments(parser)` and `run(args) -> exit status`,
and is imported only when it is called. Exit status: 0 all is well, 1 what was checked does not hold, 2 called
wrongly: one line on standard error says what, where and what to do.
"""

from __future__ import annotations

import argparse
import importlib
import os
import select
import sys
from collections.abc import Sequence
from types import ModuleType
from typing import Any, NoReturn

from feltwire.errors import UsageError
from feltwire.version import in_words

# command -> module that holds it, and its line in `feltwire --help`
COMMANDS = {
    "home": ("feltwire.home.command", "a real room on this machine, for phones and tablets"),
    "demo": ("feltwire.lab.demo.command", "a whole simulated room on this machine"),
    "practise": ("feltwire.lab.practise.command", "a dealer learns the keys at a table of simulated players"),
    "replay": ("feltwire.tools.replay", "replay recorded hands through the engine or through simulated devices"),
    "scenario": ("feltwire.lab.scenario.command", "play a situation at the table, with what must follow"),
    "night": ("feltwire.lab.night.command", "play the story of a tournament, with what must follow"),
    "equity": ("feltwire.tools.equity", "exact equities and outs"),
    "bench": ("feltwire.lab.bench.command", "measure speed and memory, with other programs beside"),
    "table": ("feltwire.table.process", "the process under one table"),
    "station": ("feltwire.station.process", "the tournament director's process"),
    "clock": ("feltwire.wall_clock.process", "a wall display with the blind clock"),
    "relay": ("feltwire.relay.process", "delay and release of hidden cards for overlays"),
    "obs": ("feltwire.relay.obs.command", "switch the scenes of OBS at moments of what is on air"),
    "audit": ("feltwire.tools.audit", "who changed what goes on air, and whether that record is whole"),
    "delay": ("feltwire.delay_box.process", "the video held back, encrypted, as far as the graphics lie back"),
    "verify": ("feltwire.tools.verify.command", "check a ledger: chain, commitments, replayed state"),
    "backup": ("feltwire.tools.backup", "copy a process's records while it runs"),
    "restore": ("feltwire.tools.restore", "put the records of a backup into a data folder"),
    "plan": ("feltwire.tools.plan", "a tournament's blind schedule and chips"),
    "season": ("feltwire.tools.season", "a league's standing, and who plays its final"),
    "export": ("feltwire.tools.export", "hand histories out of a ledger: PHH, Open Hand History, PokerStars text"),
    "hands": ("feltwire.tools.hands", "released hands as pages for a folder; verify one; the relay's public key"),
    "coverage": ("feltwire.tools.coverage", "the live coverage as a page and feeds for any web host"),
    "rules": ("feltwire.lab.rules.command", "the rule reference: search, coverage, proofs"),
    "players": ("feltwire.tools.players", "a list of players checked, from CSV or The Tournament Director 3"),
    "sheets": ("feltwire.tools.sheets", "a recorded tournament as CSV or JSON: field, results, money, log"),
    "rulebook": ("feltwire.tools.rulebook", "a rulebook of your own: check it, list the settings"),
    "vision": ("feltwire.tools.vision.command", "read cards in pictures; score the reader on labelled photos"),
    "device": ("feltwire.tools.device", "try a keypad or a shoe against the protocol"),
    "deck": ("feltwire.tools.deck.command", "decks of tagged cards: enrol, check, list, export and merge"),
    "doctor": ("feltwire.tools.doctor.command", "try everything that a process needs, and say what to do"),
    "install": (
        "feltwire.install.command",
        "make this machine a table, the station, the broker, … of a venue",
    ),
    "provision": ("feltwire.tools.provision.command", "certificates, access list and keys of a venue"),
    "upgrade": ("feltwire.install.upgrade_command", "another release on this machine, from its file"),
    "rollback": ("feltwire.install.rollback_command", "back to the release that ran before on this machine"),
    "program": ("feltwire.tools.program", "make the file of a release, or look at one"),
    "support-bundle": ("feltwire.tools.support_bundle", "what an engineer elsewhere needs, without any secret"),
    "docs": ("feltwire.tools.documents", "these documents as pages with a search, on this machine"),
    "shell": ("feltwire.tools.shell", "completion for a shell, or the manual page"),
}


PROCESSES = ("table", "station", "clock", "relay", "delay")
_LONGEST = 2_000  # of what is said of a wrong call; what to do stands at its end


class _Parser(argparse.ArgumentParser):
    """Says in one line what is wrong with a call; of subcommands, too."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: {_one_line(message)}; {self.prog} --help says more\n")


def main(argv: Sequence[str] | None = None) -> int:
    arguments = list(sys.argv[1:] if argv is None else argv)
    try:
        status = _called(arguments)
        sys.stdout.flush()  # else a reader that is gone is met when nobody catches it
        return status
    except UsageError as error:
        print(f"feltwire {arguments[0]}: {_one_line(str(error))}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        if not _reader_is_gone():
            raise
        return 141  # as a shell calls it
    except UnicodeEncodeError:
        print(f"feltwire {arguments[0]}: a name there is not text in UTF-8; rename it", file=sys.stderr)
        return 2
    except OSError as error:
        if arguments[0] in PROCESSES or error.filename is None:
            raise
        why = f"{os.fsdecode(error.filename)}: cannot be read or written ({error.strerror}); look at that file"
        print(f"feltwire {arguments[0]}: {_one_line(why)}", file=sys.stderr)
        return 2


def _called(arguments: list[str]) -> int:
    if not arguments or arguments[0] in ("-h", "--help"):
        print(_overview())
        return 0
    if arguments[0] in ("-V", "--version"):
        print(in_words())
        return 0
    name = arguments[0]
    if name not in COMMANDS:
        print(f"feltwire: no command {_one_line(name)[:200]!r}; one of: {', '.join(COMMANDS)}", file=sys.stderr)
        return 2
    module = importlib.import_module(COMMANDS[name][0])
    parser = _Parser(prog=f"feltwire {name}", **_said_of(module))
    module.add_arguments(parser)
    return int(module.run(parser.parse_args(arguments[1:])))


def whole() -> argparse.ArgumentParser:
    """Every command with its arguments in one parser, for completion and the manual page; it loads all of them."""
    parser = _Parser(prog="feltwire", epilog="`feltwire COMMAND --help` says more, with an example.")
    parser.add_argument("-V", "--version", action="store_true", help="which program this is")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND")
    for name, (where, text) in COMMANDS.items():
        module = importlib.import_module(where)
        module.add_arguments(commands.add_parser(name, help=text, **_said_of(module)))
    return parser


def _said_of(module: ModuleType) -> dict[str, Any]:
    """What a command's `--help` says around its arguments."""
    epilog, form = f"example: {module.EXAMPLE}", argparse.RawDescriptionHelpFormatter
    return {"description": module.HELP, "epilog": epilog, "formatter_class": form}


def _one_line(text: str) -> str:
    """Without line feeds and what else a terminal acts on: names of files and their content may be anybody's."""
    plain = "".join(letter if letter.isprintable() else " " for letter in text)
    return plain if len(plain) <= _LONGEST else f"{plain[: _LONGEST - 500]} … {plain[-500:]}"


def _reader_is_gone() -> bool:
    """Whether what reads our output has seen enough (`| head`). No other pipe's end is passed over in silence."""
    out = sys.stdout.fileno()
    watched = select.poll()
    watched.register(out, 0)  # an error is told unasked
    if not any(what & select.POLLERR for _, what in watched.poll(0)):
        return False
    os.dup2(os.open(os.devnull, os.O_WRONLY), out)  # what is still buffered goes nowhere
    return True


def _overview() -> str:
    lines = ["usage: feltwire COMMAND [options]", ""]
    lines += [f"  {name:<14} {text}" for name, (_, text) in COMMANDS.items()]
    return "\n".join(
        [
            *lines,
            "",
            "`feltwire COMMAND --help` says more, with an example; `feltwire --version` which program this is.",
        ]
    )
