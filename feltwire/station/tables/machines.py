"""Which machine is a table: births, claims and grants; machines that send in another's name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from feltwire.ledger.granted import last_of
from feltwire.ledger.signing import signed_by
from feltwire.runtime.broker import topics
from feltwire.runtime.broker.pace import RateLimit
from feltwire.runtime.node_io import Publish, Say
from feltwire.station.station_io import Effect, GrantLease, LeaseGranted, SendHistory
from feltwire.station.tables.leases import BirthAnswer, ClaimView, TableLease
from feltwire.station.tables.link import TableLink
from feltwire.station.tables.post import TablePost
from table_core.messages import HIGHEST_EPOCH, Birth, HistoryWanted, Millis, Resend, TableLeaseholder, encode

QUESTIONS = (1, 1_000)  # to a machine that seems to have lost events
HISTORIES = (200, 100)  # pages for a machine that takes over: at once, and the pause between more


class TableMachines:
    """Answers machines that say they are a table, by the table's lease."""

    def __init__(
        self,
        venue: str,
        post: TablePost,
        links: Mapping[str, TableLink],
        leases: Mapping[str, TableLease],
        started_at: Millis,
    ) -> None:
        self._venue = venue
        self._started_at = started_at
        self._post = post
        self._links = links
        self._leases = leases
        self._questions = {table: RateLimit(*QUESTIONS) for table in links}
        self._histories = {table: RateLimit(*HISTORIES) for table in links}

    def birth(self, link: TableLink, birth: Birth, raw: bytes, now: Millis) -> Iterator[Effect]:
        lease = self._leases[link.table]
        if (birth.venue, birth.table) != (self._venue, link.table) or not signed_by(raw, Birth, birth.key):
            yield from self.not_its_word(link, "a birth")
            return
        if birth.epoch > HIGHEST_EPOCH:  # no epoch could be granted behind it
            yield from self.not_its_word(link, f"a birth in epoch {birth.epoch}")
            return
        known = lease.claims_it(birth) or lease.is_crowded(now)
        match lease.asked(birth, link.collected_head, now):
            case BirthAnswer.CLAIM:
                if not known:
                    yield Say(f"table {link.table}: machine {birth.ledger[:4]} claims it", "warning")
                yield from self._grant(link, now, birth.question)
                return
            case BirthAnswer.AGAIN:
                if self._questions[link.table].take(now):
                    question = Resend(self._post.next_id("birth"), link.epoch, link.seq + 1, birth=True)
                    lease.question = question.id
                    yield self._post.to(link, "command", encode(question))
                return
            case BirthAnswer.FIRST:
                epoch = lease.take(birth.ledger, birth.key, birth.epoch)
                yield GrantLease(link.table, birth.ledger, birth.key, epoch, birth.past)
            case BirthAnswer.LEASEHOLDER:
                lease.heard(now)
                yield from self._grant(link, now, birth.question)
            case BirthAnswer.UNNAMED if birth.epoch < max(link.epoch, lease.epoch):
                yield from self.fence(link, birth.epoch, now)
                return
        yield from self._up(link, birth, now)

    def _up(self, link: TableLink, birth: Birth, now: Millis) -> Iterator[Effect]:
        up = f"table {link.table} is up: epoch {birth.epoch}, last event {birth.last_seq}"
        yield Say(up, kind=f"up {link.table}")
        link.said_something()
        link.alerts.pop("fenced", None)
        link.report(birth.epoch, birth.last_seq)
        link.renew()
        # The table may not have had the last acknowledgement, and it may have forgotten what it was told.
        yield from self._post.ack(link, link.epoch, link.seq)

    def granted(self, given: LeaseGranted, now: Millis) -> Iterator[Effect]:
        """The leaseholder is on the disk: send the grant to every machine of the table."""
        self._leases[given.table].taken(given.leaseholder)
        link = self._links[given.table]
        who = given.leaseholder
        yield Say(f"table {given.table}: machine {who.ledger[:4]} is the leaseholder, epoch {who.epoch}")
        yield from self.publish_leaseholder(link)
        yield from self._grant(link, now)
        # What it said before, nobody took.
        yield from self._post.ask(link, now, [(link.epoch, link.seq + 1)])

    def publish_leaseholder(self, link: TableLink) -> Iterator[Publish]:
        """Tell the relay the leaseholder; it follows no other machine."""
        who = self._leases[link.table].leaseholder
        if who is not None:
            topic = topics.tournament(self._venue, f"charge/{link.table}")
            yield Publish(topic, encode(TableLeaseholder(link.table, who)), retain=True)

    def _grant(self, link: TableLink, now: Millis, answers: str = "") -> Iterator[Effect]:
        grant = self._leases[link.table].grant(lambda: self._post.next_id("grant"), now, answers)
        if grant is not None:
            yield self._post.to(link, "grant", encode(grant))

    def handover(self, link: TableLink, wanted: HistoryWanted, now: Millis) -> Iterator[Effect]:
        """The history for a machine that takes the table over."""
        who = self._leases[link.table].leaseholder
        if who is None or (who.ledger, who.epoch) != (wanted.ledger, wanted.epoch) or link.epoch == who.epoch:
            return  # whoever is told already that it begins its epoch has the history
        if who.past and self._histories[link.table].take(now):
            upto = last_of(who)[:2]
            yield SendHistory(link.table, wanted, upto, self._post.next_id("history"))

    def fence(self, link: TableLink, epoch: int, now: Millis) -> Iterator[Effect]:
        """A machine sends in an epoch that is over: send the grant, and show it to the director."""
        text = (
            f"An old machine of table {link.table} still sends: another one has the table, and what the old one "
            "sends is refused. Switch it off, or hand the table over to it."
        )
        if link.fencing.due(now):
            link.fencing.said(now)
            yield from self._grant(link, now)
        if link.alerts.get("fenced") != text:
            link.alerts["fenced"] = text
            yield Say(f"{text} It is fenced: it sends in epoch {epoch}.", "warning")

    def not_its_word(self, link: TableLink, what: str) -> Iterator[Effect]:
        """A machine that is not the leaseholder sends in the table's name."""
        text = (
            f"Table {link.table}: another machine sends in its name; its messages are refused. "
            "It must have that table's certificate: revoke it if this goes on."
        )
        if link.alerts.get("not its word") != text:
            link.alerts["not its word"] = text
            yield Say(f"{text} First: {what}.", "warning")

    def not_recorded(self) -> None:
        """The disk took no lease; the machines ask again."""
        for lease in self._leases.values():
            lease.not_taken()

    def hand_over(self, table: str, ledger: str, key: str) -> GrantLease | None:
        """Hand the table to a machine that claims it; None where none of that name and key does."""
        lease = self._leases.get(table)
        granted = None if lease is None else lease.hand_over(ledger, key, self._links[table].collected_head)
        return None if granted is None else GrantLease(table, ledger, key, *granted)

    def claims(self, now: Millis) -> list[ClaimView]:
        """Machines that claim a table which has a leaseholder."""
        return [view for lease in self._leases.values() for view in lease.claim_views(self._started_at, now)]

    def problems(self, now: Millis) -> Iterator[str]:
        for table, lease in self._leases.items():
            if lease.is_crowded(now):
                yield (
                    f"Table {table}: more machines claim it than are shown. They must have its "
                    "certificate: revoke that and give the table another. Claims are forgotten after ten minutes."
                )
