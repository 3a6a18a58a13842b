/** What is on where neither the address of a page on air nor the programme names anything. */
export const WHOLE = ["seats", "board", "pot", "level", "release", "hand", "equity", "outs", "shot-clock"];
