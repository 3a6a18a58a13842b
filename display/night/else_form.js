/** What is done rarely: one form, whose fields are those of what was chosen in it. */
import { $, chips, draw, h, say } from "../shared/dom.js";
import { onSubmit } from "./night.js";

export const REASON = { name: "why", words: "Why", required: true };

/**
 * The form `selector`, for `doings`: `id: { words, fits(one, state), fields(one, state), make(given, one, state) => [command,
 * arguments], unforeseen, sure(given, one, state) }`. A field is `{ name, words, numeric, required, options: [[value, words]],
 * list: [words], lines, value }`. The station says first what the command would do, where it is not `unforeseen`.
 * Gives `show(one, state, chosen)`: the form is about `one`, and `chosen` is chosen.
 */
export function elseForm(selector, doings) {
  const form = $(selector);
  let about = null;
  if (!form) return () => {};
  const select = form.elements.what;
  const place = $(".what-fields", form);
  const press = $("button", form);

  function fields() {
    const doing = doings[select.value];
    const wanted = doing ? doing.fields(about.one, about.state) : [];
    draw(place, [about.key, select.value], () => wanted.map((one) => fieldOf(one, form.id)));
    say(press, doing ? doing.words.split(/[:,]/)[0] : "Do it");
    press.hidden = !doing;
  }

  select.addEventListener("change", fields);
  onSubmit(selector, (given) => doings[given.get("what")].make(given, about.one, about.state), {
    foresee: () => !doings[select.value].unforeseen,
    doubt: (given) => doings[given.get("what")].sure?.(given, about.one, about.state) ?? "",
    then: () => setTimeout(fields),
  });
  return (one, state, chosen = "") => {
    about = { one, state, key: one.player ?? one.table ?? "" };
    const fits = Object.entries(doings).filter(([, doing]) => doing.fits(one, state));
    const before = select.value;
    form.hidden = !fits.length;
    draw(select, [about.key, fits.map(([id]) => id)], () => [h("option", { value: "" }, "What else …"), ...fits.map(([id, { words }]) => h("option", { value: id }, words))]);
    const wanted = chosen || before;
    select.value = fits.some(([id]) => id === wanted) ? wanted : "";
    fields();
  };
}

function fieldOf({ name, words, numeric, required, options, list, lines, value = "" }, form) {
  if (options) return h("label", {}, words, h("select", { name, required }, options.map(([one, said]) => h("option", { value: one, selected: one === value }, said))));
  if (lines) return h("label.whole", {}, words, h("textarea", { name, required, rows: Math.min(12, Math.max(3, `${value}`.split("\n").length)), maxlength: "100000", spellcheck: "false" }, value));
  const known = list ? `${form}-${name}` : null;
  const input = h("input", { name, required, value: typeof value === "number" ? chips(value) : value, inputmode: numeric ? "decimal" : null, maxlength: "200", list: known });
  return h("label", {}, words, input, list && h("datalist", { id: known }, list.map((one) => h("option", { value: one }))));
}
