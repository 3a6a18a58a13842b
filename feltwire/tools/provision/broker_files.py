"""A broker's files: its configuration, and the firewall rules for its port."""

from __future__ import annotations

import getpass
from pathlib import Path

from table_core.messages import MOST_BYTES

PLACES_AN_ADDRESS = 16  # a machine has one connection for each of its processes
MOST_PLACES = 4096  # a connection takes about 45 kB of the broker's memory
_PER_S, _AT_ONCE = 4, 40  # connections that an address may begin


_LIMITS = f"""\
# Nothing relies on the broker's memory: tables resend what was not acknowledged.
persistence false
set_tcp_nodelay true
# No message of a room is longer than MOST_BYTES (table_core/messages/encoding.py); who sends a longer packet is
# disconnected. What waits for a slow client has a bound, and so has the broker's memory.
message_size_limit {MOST_BYTES}
max_packet_size {MOST_BYTES + 4096}
max_inflight_messages 20
max_queued_messages 1000
max_queued_bytes {16 * 1024 * 1024}
memory_limit {512 * 1024 * 1024}
max_keepalive 60
log_dest stderr
log_type error
log_type warning
log_type notice
"""


def mosquitto_conf(etc: Path, port: int, bind: str = "") -> str:
    """The broker's configuration, its files in `etc`."""
    # IPv6 gives every machine as many addresses as it likes, and limits for addresses would mean nothing.
    family = "" if bind else "socket_domain ipv4\n"
    return f"""\
# Made by `feltwire provision`.
listener {port}{f" {bind}" if bind else ""}
{family}max_connections {MOST_PLACES}
cafile {etc}/ca.crt
# Who is on this list is refused. Without the file nobody gets in; `take-list` checks a new one before it is used.
crlfile {etc}/ca.crl
certfile {etc}/broker.crt
keyfile {etc}/broker.key
tls_version tlsv1.3
# The name in a client's certificate is who it is; the access list says what that one may do.
require_certificate true
use_identity_as_username true
# It is also the client id: nobody takes the connection of another device away from it.
use_username_as_clientid true
allow_anonymous false
acl_file {etc}/acl
{_LIMITS}"""


def loopback_conf(folder: Path, port: int) -> str:
    """The configuration of a broker for the processes of its own machine, which come with names and passwords; its
    `passwords` and `acl` are in `folder`."""
    return f"""\
# Made by `feltwire home`.
listener {port} 127.0.0.1
max_connections {MOST_PLACES}
allow_anonymous false
password_file {folder}/passwords
# The name is the client id, too: nobody takes the connection of another process away from it.
use_username_as_clientid true
acl_file {folder}/acl
# Started by root it would become another user, who may not read these files.
user {getpass.getuser()}
{_LIMITS}"""


def nft_rules(port: int) -> str:
    """Rules for nftables: how many connections to `port` an address may have, and begin. They leave all else as it
    is; the broker's own machine is not counted."""
    return f"""\
#!/usr/sbin/nft -f
# Made by `feltwire provision`.
table inet feltwire_broker
delete table inet feltwire_broker
table inet feltwire_broker {{
	set arriving {{ type ipv4_addr; flags dynamic, timeout; timeout 1m; size 65535; }}
	set connected {{ type ipv4_addr; flags dynamic; size 65535; }}
	chain arrivals {{
		type filter hook input priority filter; policy accept;
		iif lo accept
		tcp dport != {port} accept
		ct state != new accept
		add @arriving {{ ip saddr limit rate over {_PER_S}/second burst {_AT_ONCE} packets }} drop
		add @connected {{ ip saddr ct count over {PLACES_AN_ADDRESS} }} reject with tcp reset
	}}
}}
"""
