#!/usr/bin/env bash
# The checks, in groups; each prints its time. `run.sh check`: lints, types, and the scenarios' devices and document;
# `run.sh long` runs the long proofs' shares, `run.sh shared` what needs the real hands beside the project.
set -uo pipefail
cd "$(dirname "$0")/.."
BIN=.venv/bin
# Files side by side, in their order; a file's rooms stay together.
SIDE=(--dist loadfile --no-loadscope-reorder)
PYTEST=("$BIN/python" -m pytest -q -p no:cacheprovider "${SIDE[@]}")
# What takes longest and has smaller tests in `all` beside it (decision 37): drawn pictures that are read; rooms that an
# attacker reads, that are killed, that play evenings; the shares of the campaigns.
PICTURES=(
  tests/vision/chips/test_chips_{count,set,command}.py tests/vision/test_{train,deck,scenes,button}.py
  tests/vision/camera/test_check.py
)
ROOMS=(
  tests/room/hidden_cards/test_leak{,_rulings_on_cards,_corrupted_deals,_stolen,_traitors,_on_air}.py
  tests/room/demo/test_{mischief_room,night}.py tests/room/test_dashboard.py tests/room/test_{faults,jobs,kills,failing_disk,powercuts_room,pub,slow,versions,workload,fingers}.py
  tests/feltwire/lab/test_{rules,sweep,bench,mutated,restarts}.py
  tests/feltwire/table/test_camera_profiles.py tests/feltwire/tools/test_deck_by_camera.py tests/feltwire/relay/test_obs_studio.py
)
umask 022 # users of services read what is made here
export OPENCV_FOR_THREADS_NUM=1 # the files share the cores; OpenCV's threads would wait for each other
unset PYTHONDONTWRITEBYTECODE # a process that a test starts would compile the program anew
failed=()
said=$(mktemp) # all that the groups print: which tests failed is said once more at the end
trap 'rm -f "$said"' EXIT

group() { # name, command…
  local name=$1 start=$SECONDS
  shift
  echo "== $name"
  if ! "$@" 2>&1 | tee -a "$said"; then failed+=("$name"); fi
  echo "-- $name: $((SECONDS - start)) s"
}

need() { # command:package…, installed where we may, named where we may not
  local missing=()
  for pair in "$@"; do
    PATH="$PATH:/usr/sbin" command -v "${pair%%:*}" >/dev/null || missing+=("${pair#*:}")
  done
  [ ${#missing[@]} -eq 0 ] && return 0
  if [ "$(id -u)" -eq 0 ]; then
    apt-get update -qq && apt-get install -y -qq "${missing[@]}" >/dev/null && return 0
  fi
  echo "missing system packages: sudo apt-get install ${missing[*]}" >&2
  exit 2
}

checks() { # fails where one of its groups failed
  failed=()
  group lint "$BIN/ruff" check .
  group format "$BIN/ruff" format --check .
  group types "$BIN/mypy"
  group arrows "$BIN/lint-imports"
  group unused "$BIN/python" -m tests.unused
  group scenarios "$BIN/python" -m pytest -q -p no:cacheprovider tests/feltwire/lab/test_scenarios.py -k "rulings or says_why_not"
  [ ${#failed[@]} -eq 0 ]
}

collected() { # every test, compiled: else each of the five workers rewrites the assertions of all of them
  "$BIN/python" -m pytest -qq -p no:cacheprovider --collect-only tests >/dev/null
}

computed() { # what needs no process of a venue; fails where one of its groups failed
  failed=()
  group locks bash tests/locks.sh
  group computed "${PYTEST[@]}" -n 2 -m "not shared" "${PICTURES[@]/#/--ignore=}" \
    tests/{vision,table_core,scenarios,firmware_bridge,hardware,messages,simulation,spec_played}
  [ ${#failed[@]} -eq 0 ]
}

case "${1:-all}" in
  check) checks ;;
  shared)
    need mosquitto:mosquitto
    group "real hands" "${PYTEST[@]}" -n 2 -m shared tests
    ;;
  all)
    need mosquitto:mosquitto nats-server:nats-server chromium-headless-shell:chromium-headless-shell node:nodejs npm:npm nft:nftables ip:iproute2 gcc:build-essential ffmpeg:ffmpeg
    # Three queues, so that no core waits for the end of a group: rooms and pages wait for processes most of the
    # time, the rest computes. Five files at a time on two cores: with three a quarter of the processor's time was
    # idle. The queues share no process: threads that a room leaves behind use `random`, which Hypothesis takes for
    # a fault of its examples.
    reports=$(mktemp -d)
    checks >"$reports/checks" 2>&1 &
    checking=$!
    group collected collected
    computed >"$reports/computed" 2>&1 &
    computing=$!
    group processes "${PYTEST[@]}" -n 3 -m "not shared" "${ROOMS[@]/#/--ignore=}" tests/{room,feltwire,display,site}
    wait $checking || failed+=(checks)
    wait $computing || failed+=("computed or locks")
    cat "$reports"/*
    rm -r "$reports"
    ;;
  long)
    need systemd-nspawn:systemd-container dbus-daemon:dbus chromium:chromium openssl:openssl mosquitto:mosquitto nats-server:nats-server chromium-headless-shell:chromium-headless-shell nft:nftables ip:iproute2 gcc:build-essential prometheus:prometheus obs:obs-studio xvfb-run:xvfb xauth:xauth ffmpeg:ffmpeg
    reports=$(mktemp -d)
    group collected collected
    (failed=(); group pictures "${PYTEST[@]}" -n 2 -m "not shared" "${PICTURES[@]}"; [ ${#failed[@]} -eq 0 ]) \
      >"$reports/pictures" 2>&1 &
    reading=$!
    group rooms "${PYTEST[@]}" -n 3 -m "not shared" "${ROOMS[@]}"
    wait $reading || failed+=(pictures)
    # Machines that boot their own init: alone, for its browsers and services wait for each other.
    # The pages of a venue (`tests.site`) and a venue on bare disks (`tests.room.bare`) are commands of their own.
    if "$BIN/python" -m tests.room.venue.can_boot; then
      group venue "$BIN/python" -m tests.room.venue
      group upgrade "$BIN/python" -m tests.room.upgrade --cuts 2
    fi
    cat "$reports"/*
    rm -r "$reports"
    ;;
  *) echo "usage: tests/run.sh [all|check|long|shared]" >&2; exit 2 ;;
esac

echo "total: $SECONDS s"
if [ ${#failed[@]} -gt 0 ]; then
  grep -E '^(FAILED|ERROR) ' "$said" >&2
  echo "failed: ${failed[*]}" >&2
  exit 1
fi
