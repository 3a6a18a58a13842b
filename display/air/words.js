/** All texts of the pages on air, by language, and amounts as viewers read them. */
import { LANG, chosen } from "./options.js";

const TEXTS = {
  en: {
    seat: (no) => `Seat ${no}`,
    pot: "Pot",
    main: "Main pot",
    side: (no) => `Side pot ${no}`,
    fold: "Fold",
    check: "Check",
    call: (amount) => `Call ${amount}`,
    bet: (amount) => `Bet ${amount}`,
    raise: (amount) => `Raise to ${amount}`,
    allIn: "All-in",
    wins: (amount) => `Wins ${amount}`,
    toCall: (amount) => `${amount} to call`,
    toAct: "To act",
    out: "Out",
    outIn: (place) => `Out in ${place}`,
    away: "Away",
    outs: (count) => (count === 1 ? "1 out" : `${count} outs`),
    cardsIn: (time) => `Cards in ${time}`,
    ante: (amount) => `Ante ${amount}`,
    bigBlindAnte: (amount) => `BB ante ${amount}`,
    level: (no) => `Level ${no}`,
    break: "Break",
    next: "Next",
    players: "Players",
    average: "Average",
    payouts: "Payouts",
    nextOut: "Next out",
    payJump: "Pay jump",
    toMoney: (count) => (count === 1 ? "1 player to the money" : `${count} players to the money`),
    icm: "ICM value",
    stats: "Statistics",
    statNames: ["Hands", "VPIP", "PFR", "3-bet", "AF", "WTSD"],
    chips: "Chip counts",
    hand: "Hands",
    equity: "Equity",
    outsOf: "Outs",
    clockOn: (name) => `Clock on ${name}`,
    playOn: "Play continues",
    place: (no) => {
      const last = no % 100;
      const ending = last > 10 && last < 14 ? "th" : { 1: "st", 2: "nd", 3: "rd" }[no % 10];
      return `${no}${ending ?? "th"}`;
    },
    makes: (words) => words,
  },
  de: {
    seat: (no) => `Platz ${no}`,
    pot: "Pot",
    main: "Hauptpot",
    side: (no) => `Sidepot ${no}`,
    fold: "Fold",
    check: "Check",
    call: (amount) => `Call ${amount}`,
    bet: (amount) => `Bet ${amount}`,
    raise: (amount) => `Raise auf ${amount}`,
    allIn: "All-in",
    wins: (amount) => `Gewinnt ${amount}`,
    toCall: (amount) => `${amount} zu zahlen`,
    toAct: "Am Zug",
    out: "Ausgeschieden",
    outIn: (place) => `Ausgeschieden als ${place}`,
    away: "Nicht am Platz",
    outs: (count) => (count === 1 ? "1 Out" : `${count} Outs`),
    cardsIn: (time) => `Karten in ${time}`,
    ante: (amount) => `Ante ${amount}`,
    bigBlindAnte: (amount) => `BB-Ante ${amount}`,
    level: (no) => `Level ${no}`,
    break: "Pause",
    next: "Danach",
    players: "Spieler",
    average: "Schnitt",
    payouts: "Preise",
    nextOut: "Nächster Preis",
    payJump: "Preissprung",
    toMoney: (count) => (count === 1 ? "Noch 1 Spieler bis zum Preisgeld" : `Noch ${count} Spieler bis zum Preisgeld`),
    icm: "ICM-Wert",
    stats: "Statistik",
    statNames: ["Hände", "VPIP", "PFR", "3-Bet", "AF", "WTSD"],
    chips: "Stacks",
    hand: "Hände",
    equity: "Gewinnchance",
    outsOf: "Outs",
    clockOn: (name) => `Zeit läuft: ${name}`,
    playOn: "Es geht weiter",
    place: (no) => `${no}.`,
    makes: inGerman,
  },
};

export const LANGUAGE = LANG in TEXTS ? LANG : "en";
export const text = TEXTS[LANGUAGE];

const RANKS = {
  ace: ["Ass", "Asse"],
  king: ["König", "Könige"],
  queen: ["Dame", "Damen"],
  jack: ["Bube", "Buben"],
  ten: ["Zehn", "Zehner"],
  nine: ["Neun", "Neuner"],
  eight: ["Acht", "Achter"],
  seven: ["Sieben", "Siebener"],
  six: ["Sechs", "Sechser"],
  five: ["Fünf", "Fünfer"],
  four: ["Vier", "Vierer"],
  three: ["Drei", "Dreier"],
  two: ["Zwei", "Zweier"],
};
const rank = (word) => RANKS[word.replace(/(?<=six)es$|s$/, "")] ?? [word, word];
const one = (word) => rank(word)[0];
const many = (word) => rank(word)[1];
const HANDS = [
  [/^royal flush$/, () => "Royal Flush"],
  [/^straight flush, (\w+) high$/, (high) => `Straight Flush bis ${one(high)}`],
  [/^four of a kind, (\w+)$/, (of) => `Vierling, ${many(of)}`],
  [/^full house, (\w+) over (\w+)$/, (three, two) => `Full House, ${many(three)} und ${many(two)}`],
  [/^flush, (\w+) high$/, (high) => `Flush, ${one(high)} hoch`],
  [/^straight, (\w+) high$/, (high) => `Straße bis ${one(high)}`],
  [/^three of a kind, (\w+)$/, (of) => `Drilling, ${many(of)}`],
  [/^two pair, (\w+) and (\w+)$/, (high, low) => `Zwei Paare, ${many(high)} und ${many(low)}`],
  [/^pair of (\w+)$/, (of) => `Ein Paar ${many(of)}`],
  [/^(\w+) high$/, (high) => `${one(high)} hoch`],
];

/** `table_core.ranking.describe`'s words. What is none of them stays as it is. */
function inGerman(words) {
  for (const [form, make] of HANDS) {
    const found = form.exec(words);
    if (found) return make(...found.slice(1));
  }
  return words;
}

const grouped = new Intl.NumberFormat(LANGUAGE);
const short = new Intl.NumberFormat(LANGUAGE, { maximumFractionDigits: 2 });
const oneDecimal = new Intl.NumberFormat(LANGUAGE, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
const cents = new Intl.NumberFormat(LANGUAGE, { minimumFractionDigits: 2 });
const THOUSANDS = [
  [1_000_000_000, "B"],
  [1_000_000, "M"],
  [1_000, "k"],
];

export const number = (amount) => grouped.format(amount);
export const percent = (thousandths) => `${Math.round(thousandths / 10)}%`;

/** Prizes: whole amounts without decimals. */
export const money = (amount) => (amount % 100 ? cents.format(amount / 100) : grouped.format(amount / 100));

/** Tenths of a big blind: `12.5 BB`, from a hundred on `112 BB`. */
const inBlinds = (tenths) => `${tenths < 1_000 ? oneDecimal.format(tenths / 10) : grouped.format(Math.floor(tenths / 10))} BB`;

/** Chips as the page was asked to show them: `12,500`, `12.5k`, `12.5 BB`; `tenths`: the same amount in tenths of a
 * big blind, where it is known. */
export function stack(amount, tenths = null) {
  const unit = chosen("stack");
  if (unit === "bb" && tenths !== null && tenths !== undefined) return inBlinds(tenths);
  const [by, letter] = (unit === "k" && THOUSANDS.find(([from]) => amount >= from)) || [1, ""];
  if (!letter) return grouped.format(amount);
  // Three figures, rounded down by hand: older streaming programs know no `roundingMode`.
  const unitOf = 10 ** Math.max(0, 3 - String(Math.trunc(amount / by)).length);
  return short.format(Math.trunc((amount * unitOf) / by) / unitOf) + letter;
}

/** Tenths of a big blind of a level, rounded down. */
export const tenthsOf = (amount, level) => (level?.big_blind ? Math.floor((amount * 10) / level.big_blind) : null);

/** `500 / 1,000` and its ante */
export function blinds(level) {
  if (level.is_break) return level.what ? `${text.break}: ${level.what}` : text.break;
  return `${number(level.small_blind)} / ${number(level.big_blind)}`;
}

export function ante(level) {
  if (level.is_break) return "";
  if (level.big_blind_ante) return text.bigBlindAnte(number(level.big_blind_ante));
  return level.ante ? text.ante(number(level.ante)) : "";
}

/** The flag of a country's two letters; "" for anything else. */
export function flag(country) {
  if (!/^[A-Za-z]{2}$/.test(country ?? "")) return "";
  return String.fromCodePoint(...[...country.toUpperCase()].map((letter) => 0x1f1e6 + letter.charCodeAt(0) - 65));
}
