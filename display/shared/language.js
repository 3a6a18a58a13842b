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
