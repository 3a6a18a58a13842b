/** Players by their names: tables know ids alone. */

/** `view` with `name` at each seat, by the names that the station has. */
export const withNames = (view, names) => view && { ...view, seats: view.seats.map((one) => ({ ...one, name: names?.[one.player] ?? one.player })) };
