"""The embedded broker: amqtt in a process of its own, where no mosquitto is installed, and in the demo.

It listens on this machine's loopback only, and ends when its standard input closes. With `--passwords` and
`--access` it admits by name and password and grants rights as mosquitto does from the same files; without them
everybody on this machine may do everything (the demo).
"""

from __future__ import annotations

import argparse
import asyncio
import importlib.util
import logging
import os
import signal
import socket
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from feltwire.errors import UsageError
from feltwire.runtime.broker.rights import Rights
from supervised.thread import SupervisedThread

HOST = "127.0.0.1"
READY = "ready"  # what it prints when it listens
INTERRUPTED = 130  # the exit status of a program that SIGINT ended
_MOST_CONNECTIONS = 500


class BrokerError(UsageError):
    """The broker cannot start: which port or package, why, what to do."""


def check_installed() -> None:
    """Raise `BrokerError` where the package that the embedded broker needs is missing."""
    if importlib.util.find_spec("amqtt") is None:
        raise BrokerError(
            "no MQTT broker: install mosquitto (apt-get install mosquitto), or Feltwire with its own "
            "(pip install 'feltwire[demo]')"
        )


def check_port_free(port: int, host: str = HOST) -> None:
    """Raise `BrokerError` when somebody listens on `port` already."""
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            raise BrokerError(
                f"port {port} is in use ({error.strerror}): stop what listens there, or name another port"
            ) from error


async def _serve(port: int, rights: Rights | None) -> None:
    # Here, for only this process needs it.
    from amqtt.broker import Broker
    from amqtt.contexts import Action

    class OneConnectionEach(Broker):  # type: ignore[misc]  # amqtt has no types
        """amqtt forgets a client that connects anew, and leaves its other connection open, which hears nothing
        more from then on. It is cut off here, as the protocol has it [MQTT-3.1.4-2], and connects again."""

        async def _delete_session(self, client_id: str) -> None:
            _, handler = self._sessions.get(client_id, (None, None))
            await super()._delete_session(client_id)
            if handler is not None:
                await self._stop_handler(handler)

    class WithRights(OneConnectionEach):
        """Who may come and what each may do is asked of `rights`: of wills and retained messages, too, about which
        amqtt asks nobody. Retained messages go to those alone who subscribed to them."""

        async def _authenticate(self, session: Any, _: Any) -> bool:
            assert rights is not None
            known = rights.knows(session.username, session.password)
            will = session.will_topic if session.will_flag else None
            return known and (will is None or rights.may(session.username, "write", will))

        async def _topic_filtering(self, session: Any, topic: str, action: Action) -> bool:
            assert rights is not None
            if action is Action.SUBSCRIBE:  # granted, and silent where nothing may be read, as at mosquitto
                return True
            return rights.may(session.username, "write" if action is Action.PUBLISH else "read", topic)

        async def _publish_retained_messages_for_subscription(
            self, subscription: tuple[str, int], session: Any
        ) -> None:
            wanted, qos = subscription
            if not any(one is session for one, _ in self._subscriptions.get(wanted, ())):
                return
            handler = self._get_handler(session)
            for topic, kept in list(self._retained_messages.items()):
                if self._matches(topic, wanted) and await self._topic_filtering(session, topic, Action.RECEIVE):
                    await handler.mqtt_publish(topic, kept.data, min(qos, kept.qos or qos), retain=True)

    config = {
        "listeners": {"default": {"type": "tcp", "bind": f"{HOST}:{port}", "max_connections": _MOST_CONNECTIONS}},
        "plugins": {"amqtt.plugins.authentication.AnonymousAuthPlugin": {"allow_anonymous": True}},
    }
    broker = OneConnectionEach(config) if rights is None else WithRights(config)
    await broker.start()
    # Nothing is kept here that must be written down, and its tasks do not always let themselves be cancelled.
    asyncio.get_running_loop().add_signal_handler(signal.SIGINT, os._exit, INTERRUPTED)
    print(READY, flush=True)
    await _stdin_closed()
    await broker.shutdown()


async def _stdin_closed() -> None:
    """Returns when whoever started this process has ended."""
    closed, loop = asyncio.Event(), asyncio.get_running_loop()

    def wait() -> None:
        # Unbuffered: a buffered reader that is left waiting in a thread is fatal when the interpreter ends.
        with open(0, "rb", buffering=0, closefd=False) as stdin:
            while stdin.read(1024):
                pass
        loop.call_soon_threadsafe(closed.set)

    # A daemon, so that Ctrl-C does not wait for it.
    SupervisedThread(wait, "stdin").start()
    await closed.wait()


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m feltwire.runtime.broker.embedded", description=__doc__)
    parser.add_argument("--port", type=int, default=1883)
    parser.add_argument("--passwords", type=Path, metavar="FILE", help="as mosquitto's password_file")
    parser.add_argument("--access", type=Path, metavar="FILE", help="as mosquitto's acl_file; with --passwords")
    arguments = parser.parse_args(argv)
    # It logs every connection and, at a client's sudden end, a traceback that means nothing here.
    logging.basicConfig(level=logging.CRITICAL)
    try:
        check_installed()
        check_port_free(arguments.port)
        rights = Rights.read(arguments.passwords, arguments.access) if arguments.passwords else None
    except UsageError as error:
        print(f"broker: {error}", file=sys.stderr)
        return 2
    try:
        asyncio.run(_serve(arguments.port, rights))
    except KeyboardInterrupt:
        return INTERRUPTED
    return 0


if __name__ == "__main__":
    sys.exit(main())
