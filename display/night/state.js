/** The tournament as a page sees it: the channels that it reads, put together. */

/** The keys of all `parts` in one; everybody in `field` with every fact, and with `stack`. */
export function together(parts) {
  const state = Object.assign({}, ...parts);
  delete state.cannot_show; // said already (`shared/stream.js`)
  if (state.field) state.field = state.field.map((one) => ({ ...state.blank, stack: state.stacks?.[one.player] ?? null, ...one }));
  return state;
}
