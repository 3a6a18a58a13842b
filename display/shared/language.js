/** The words, numbers and times of this page's language. The catalogue stands in the page (`display/language.py`); a
 * sentence that it has not is said in English. */

const { locale = "en", texts = {} } = JSON.parse(document.getElementById("words")?.textContent || "{}");
const whole = new Intl.NumberFormat(locale);
const twoDecimals = new Intl.NumberFormat(locale, { minimumFractionDigits: 2, maximumFractionDigits: 2 });

/** `1,200` */
export const number = (value) => whole.format(value);

/** Cents as an amount: `1,234.50`. */
export const amount = (cents) => twoDecimals.format(cents / 100);

const filled = (sentence, values) =>
  sentence.replace(/\{(\w+)\}/g, (all, name) => {
    if (!(name in values)) return all;
    return typeof values[name] === "number" ? number(values[name]) : String(values[name]);
  });

/** `t("Level {no}", { no: 3 })` */
export function t(sentence, values = {}) {
  const entry = texts[sentence] ?? sentence;
  return filled(Array.isArray(entry) ? entry[1] : entry, values);
}

/** `plural("{n} hand", "{n} hands", 1200)` */
export function plural(one, more, n, values = {}) {
  const entry = texts[one] ?? [one, more];
  const forms = Array.isArray(entry) ? entry : [entry, entry];
  return filled(forms[n === 1 ? 0 : 1], { n, ...values });
}

/* ------------------------------------------------------------------ what the table says in English */

const PATTERNS = Object.keys(texts).filter((key) => /\{\d\}/.test(key)).map(patternOf).sort((one, other) => other.letters - one.letters);
const SENTENCES = /(?<=[.?!]) (?=\S)/; // also the places at which a catalogue's keys are divided
const CLAUSES = /((?:; | · |: |, | \(|\)| = ))/;
const FEW_LETTERS = 12; // a sentence of fewer says little by itself
const WORD = /(?<!\w)[a-z]/;
const GROUPED = /^\d{1,3}(,\d{3})+$/;

function patternOf(key) {
  const parts = key.split(/\{\d\}/);
  const source = parts.map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("(.+?)");
  const places = [...key.matchAll(/\{\d\}/g)].map(([place]) => place);
  return { key, places, letters: parts.join("").length, test: new RegExp(`^${source}$`, "s") };
}

/**
 * A text of engine, tracker and rulings in this language. They say English; the catalogue `said` has their sentences,
 * with places for values. A text is matched as a whole, else sentence by sentence, else in its clauses; values are
 * said in the same way. What no catalogue has stays as it is.
 */
export function said(text) {
  if (!text || !PATTERNS.length) return text;
  const whole = sentence(text);
  if (whole !== null) return whole;
  const sentences = text.split(SENTENCES);
  if (sentences.length > 1) return sentences.map(said).join(" ");
  const clauses = text.split(CLAUSES);
  return clauses.length > 1 ? clauses.map((one, at) => (at % 2 ? one : value(one))).join("") : text;
}

/** One sentence, with or without its full stop and its capital letter; null where the catalogue has it not. */
function sentence(text) {
  const end = /[^.]\.$/.test(text) ? "." : "";
  const bare = end ? text.slice(0, -1) : text;
  const found = known(bare) ?? turned(bare);
  return found === null ? null : found + end;
}

function turned(text) {
  const first = text[0];
  const other = first === first.toLowerCase() ? first.toUpperCase() : first.toLowerCase();
  const found = other === first ? null : known(other + text.slice(1));
  if (found === null) return null;
  return (first === first.toUpperCase() ? found[0].toUpperCase() : found[0]) + found.slice(1);
}

function known(text) {
  const entry = texts[text];
  if (typeof entry === "string") return entry;
  for (const { key, places, letters, test } of PATTERNS) {
    const found = test.exec(text);
    if (!found || found.slice(1).some((one) => SENTENCES.test(one))) continue;
    // `{0} to {1}` is in many a sentence that the catalogue has not.
    if (letters < FEW_LETTERS && !found.slice(1).every((one) => !WORD.test(one) || sentence(one) !== null || said(one) !== one)) continue;
    const values = Object.fromEntries(places.map((place, at) => [place, value(found[at + 1])]));
    return texts[key].replace(/\{\d\}/g, (place) => values[place]);
  }
  return null;
}

/** A value in a sentence: an amount, or words that the catalogue has, too. */
function value(text) {
  if (GROUPED.test(text)) return number(Number(text.replaceAll(",", "")));
  return said(text);
}
