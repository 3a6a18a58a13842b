"""`python -m tests.room.network`: a venue whose machines have a network of their own each, and what befalls it.

Real processes, each in a network namespace, on one switch: mosquitto or a NATS cluster, station, relay, a table
that deals as fast as its devices are acknowledged, and one that was cut off with thousands of events. A cable is
out, the broker or a node of the cluster is killed; packets are lost, at a table that deals ten times as fast as
live: such a line carries less than a dealer without hands can say. Measured is when the station has every event
again, against two seconds and the time for the events that waited, at 2,500 a second.

Needs unshare, ip and nft, and a kernel that gives a user networks of his own; no rights on the machine.
Exit status: 0 in step each time, ledgers equal and verified; 1 not, or later than that (`--facts`: time does not
count); 2 not on this machine.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tests.feltwire.nats import NODES, STREAMS, NatsCluster
from tests.room.network import cables
from tests.room.network.bare import connects_after_s
from tests.room.network.venue import CUT_OFF, DEALS, STATION, InStep, Venue, of_table

BACK_S, EVENTS_A_S = 2.0, 2_500
AWAY_S = (1.0, 4.0, 15.0)  # shorter and longer than a connection lives without a word
LOSS, LOSSY_S, LOSSY_PACE = 20, 20.0, 10.0
BROKER_AWAY_S = 1.0

Trial = Callable[[Venue], Iterator[tuple[str, InStep]]]


def cut_link(venue: Venue) -> Iterator[tuple[str, InStep]]:
    for machine in (of_table(DEALS), STATION):
        for away_s in AWAY_S:
            venue.network.cut(machine)
            time.sleep(away_s)
            venue.network.mend(machine)
            yield f"{machine}: its cable was out for {away_s:.0f} s", venue.in_step([DEALS])


def backlog(venue: Venue) -> Iterator[tuple[str, InStep]]:
    if CUT_OFF in venue.tables:
        venue.network.mend(of_table(CUT_OFF))
        yield "a table is back that dealt alone", venue.in_step([CUT_OFF])


def lossy(venue: Venue) -> Iterator[tuple[str, InStep]]:
    """While packets are lost, and afterwards."""
    for machine in (of_table(DEALS), STATION):
        venue.network.lose(machine, LOSS)
        time.sleep(LOSSY_S)
        yield f"{machine}: while {LOSS} % of its packets are lost", venue.in_step([DEALS])
        venue.network.lose(machine, 0)
        yield f"{machine}: after {LOSS} % were lost for {LOSSY_S:.0f} s", venue.in_step([DEALS])


def broker_restart(venue: Venue) -> Iterator[tuple[str, InStep]]:
    venue.broker.kill()
    time.sleep(BROKER_AWAY_S)
    venue.broker.start()
    yield f"the broker was killed and is back after {BROKER_AWAY_S:.0f} s", venue.in_step([DEALS])


def node_kill(venue: Venue) -> Iterator[tuple[str, InStep]]:
    """One node after the other. Every process speaks through the first; when it is killed, through another."""
    cluster = venue.broker
    assert isinstance(cluster, NatsCluster)
    for no in range(NODES):
        venue.wait(lambda: all_lines(cluster.clients()), "every process has all its connections")
        leads = [stream for stream in STREAMS if cluster.leader(stream) == no]
        cluster.kill_node(no)
        with ThreadPoolExecutor() as beside:
            others = [url for other, url in enumerate(cluster.urls) if other != no]
            bare = beside.submit(connects_after_s, others)
            what = f"node {no} is killed, which led {', '.join(leads) or 'no stream'}"
            yield what, venue.hears_again(DEALS)
            print(json.dumps({"beside it paho alone was connected again after s": round(bare.result(), 2)}))
        cluster.start()


def all_lines(clients: set[str]) -> bool:
    """One to hear and speak, one that stands by, one for what is retained."""
    first = {name for name in clients if not name.endswith(("-stands-by", "-retains"))}
    return len(clients) == 3 * len(first)


ON_MOSQUITTO: dict[str, Trial] = {
    "backlog": backlog,
    "cut": cut_link,
    "loss": lossy,
    "broker": broker_restart,
}
ON_NATS: dict[str, Trial] = {"backlog": backlog, "node": node_kill}
PACED = ("loss",)


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tests.room.network",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--nats", action="store_true", help="a NATS cluster in place of mosquitto")
    parser.add_argument("--trials", nargs="+", metavar="NAME", help=f"{', '.join(ON_MOSQUITTO | ON_NATS)} (all)")
    parser.add_argument("--backlog", type=int, default=10_000, metavar="N", help="events that wait (10,000)")
    parser.add_argument("--facts", action="store_true", help="only what holds counts, not how long it took")
    args = parser.parse_args(argv)
    known = ON_NATS if args.nats else ON_MOSQUITTO
    if unknown := [name for name in args.trials or () if name not in known]:
        print(f"no trial {unknown[0]!r} here; there are: {', '.join(known)}", file=sys.stderr)
        return 2
    if not cables.is_inside():
        if why := cables.why_not():
            print(why, file=sys.stderr)
            return 2
        cables.enter("tests.room.network", sys.argv[1:] if argv is None else argv)
    names = args.trials or list(known)
    failed = 0
    for paced in (False, True):
        trials = [known[name] for name in names if (name in PACED) is paced]
        if trials:
            with tempfile.TemporaryDirectory(prefix="feltwire-network-") as folder:
                failed |= tried(Path(folder), trials, args, paced=paced)
    return failed


def tried(folder: Path, trials: Sequence[Trial], args: argparse.Namespace, *, paced: bool) -> int:
    late = 0
    pace, waiting = LOSSY_PACE if paced else 0, args.backlog if backlog in trials else 0
    with Venue(folder, nats=args.nats, backlog=waiting, pace=pace) as venue:
        for trial in trials:
            for what, found in trial(venue):
                due_s = round(BACK_S + found.events / EVENTS_A_S, 2)
                late += found.seconds > due_s
                load = round(os.getloadavg()[0], 1)
                said = {"what": what, "in step after s": found.seconds, "due s": due_s, "events": found.events}
                print(json.dumps(said | {"station computed s": found.processor_s, "load": load}), flush=True)
        venue.end_dealing()
        wrong = venue.wrong()
    for one in wrong:
        print(one)
    print(f"{late} later than due; the ledgers {'differ' if wrong else 'are equal, and verified'}")
    return 1 if wrong or (late and not args.facts) else 0


if __name__ == "__main__":
    sys.exit(main())
