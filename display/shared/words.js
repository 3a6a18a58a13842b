/** The words that operators know, and lamps in their colours. */
import { h } from "./dom.js";

const STATES = {
  ok: "ok",
  connecting: "connecting",
  not_responding: "not responding",
  blocked: "blocked",
  unknown_card: "unknown card",
  off: "off",
};

const DEVICES = { bus: "network" };

export const STREETS = {
  preflop: "Before the flop",
  flop: "Flop",
  turn: "Turn",
  river: "River",
  showdown: "Showdown",
  done: "Between hands",
};

/** A lamp for each device: those that are well say only their name. */
export function lamps(devices) {
  return Object.entries(devices).map(([device, state]) => {
    const word = STATES[state] ?? state;
    return h("li.lamp", { "data-state": state }, h("span", {}, DEVICES[device] ?? device, state === "ok" ? null : h("span.how", {}, `: ${word}`)));
  });
}
