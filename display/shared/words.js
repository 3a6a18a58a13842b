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
export const BY_HAND = "Played by hand";

export const STREETS = {
  preflop: "Before the flop",
  flop: "Flop",
  turn: "Turn",
  river: "River",
  showdown: "Showdown",
  done: "Between hands",
};

/** One thing about a device: its colour, and what to do unless it is green. */
export function healthLine({ device, words, colour, do: what }) {
  const name = DEVICES[device] ?? device;
  return h("li.fact", { "data-colour": colour }, h("b", {}, name[0].toUpperCase() + name.slice(1)), h("span", {}, words, what ? h("em", {}, ` ${what}`) : null, h("span.visually-hidden", {}, ` ${colour}`)));
}

/** A lamp for each device of a table: those that are well say only their name. A table without any says so. */
export function lamps({ devices, by_hand: byHand }) {
  const each = Object.entries(devices).map(([device, state]) => {
    const word = STATES[state] ?? state;
    return h("li.lamp", { "data-state": state }, h("span", {}, DEVICES[device] ?? device, state === "ok" ? null : h("span.how", {}, `: ${word}`)));
  });
  return byHand ? [h("li.by-hand", {}, BY_HAND), ...each] : each;
}
