/** The words that operators know, and lamps in their colours. */
import { h } from "./dom.js";
import { t } from "./language.js";

const STATES = {
  ok: t("ok"),
  connecting: t("connecting"),
  not_responding: t("not responding"),
  blocked: t("blocked"),
  unknown_card: t("unknown card"),
  duplicate_card: t("card twice"),
  off: t("off"),
};

const DEVICES = { bus: t("network"), camera: t("camera"), shoe: t("shoe"), keypad: t("keypad") };
export const BY_HAND = t("Played by hand");

export const STREETS = {
  preflop: t("Before the flop"),
  flop: t("Flop"),
  turn: t("Turn"),
  river: t("River"),
  showdown: t("Showdown"),
  done: t("Between hands"),
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
