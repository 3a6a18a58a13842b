/** What a table is in one word: what it needs first, then what it does. The smallest rank is the worst. */

const SILENT = { rank: 0, kind: "silent", words: "Silent", worry: true };
const STALE = { rank: 3, kind: "stale", words: "Not heard", worry: true };
const WRONG_SUM = { rank: 4, kind: "chips", words: "Chips do not agree", worry: true };
const TROUBLES = {
  stop: { rank: 1, kind: "stop", words: "Play stands", worry: true },
  now: { rank: 2, kind: "now", words: "Somebody waits", worry: true },
  soon: { rank: 5, kind: "soon", words: "Something is due soon", worry: true },
  know: { rank: 6, kind: "know", words: "Something to know", worry: false },
};
const STATES = {
  held: { rank: 7, kind: "held", words: "Held", worry: false },
  playing: { rank: 8, kind: "playing", words: "Playing", worry: false },
  between_hands: { rank: 8, kind: "playing", words: "Between hands", worry: false },
  empty: { rank: 9, kind: "empty", words: "Empty", worry: false },
  not_shown: { rank: 2, kind: "now", words: "Cannot be shown", worry: true },
  closed: { rank: 10, kind: "closed", words: "Closed", worry: false },
  by_hand: { rank: 8, kind: "playing", words: "Played by hand", worry: false },
};

export function stateOf({ link, trouble, chips_agree: agree, state, by_hand: byHand }) {
  const facts = [link === "silent" && (byHand ? { ...SILENT, words: STALE.words } : SILENT), link === "stale" && STALE, TROUBLES[trouble], agree === false && WRONG_SUM, STATES[state]];
  return facts.filter(Boolean).reduce((worst, one) => (one.rank < worst.rank ? one : worst));
}

/** What it does, whatever it needs. */
export const doing = ({ state }, resting) => (resting && state === "between_hands" ? "Break" : STATES[state].words);

export const playersAt = ({ seats }) => seats.length;
