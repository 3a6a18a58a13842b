"""`feltwire shell`: completion for a shell, or the manual page, made from the commands as they are."""

from __future__ import annotations

import argparse

import shtab
from argparse_manpage.manpage import Manpage

from feltwire.version import program_version

HELP = """Completion of commands and options for a shell, or the manual page, on standard output:

    feltwire shell bash > ~/.local/share/bash-completion/completions/feltwire
    feltwire shell zsh > ~/.zfunc/_feltwire     # with: fpath+=~/.zfunc; autoload -U compinit; compinit
    feltwire shell man > ~/.local/share/man/man1/feltwire.1"""
EXAMPLE = "feltwire shell bash"

KINDS = ("bash", "zsh", "tcsh", "man")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("kind", choices=KINDS, help="the shell, or man for the manual page")


def run(args: argparse.Namespace) -> int:
    from feltwire.cli import whole  # which imports this module

    parser = whole()
    if args.kind == "man":
        data = {
            "project_name": "Feltwire",
            "version": program_version(),
            "description": "instruments poker rooms: tables, station, clocks, relay, and their tools",
            "manual_title": "Feltwire",
        }
        print(Manpage(parser, _data=data, format="single-commands-section"), end="")
    else:
        print(shtab.complete(parser, args.kind))
    return 0
