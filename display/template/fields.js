/** What a graphics system sends: fields as text, in JSON or in CasparCG's XML. Nothing of it is ever markup. */

const LONGEST = 20_000; // characters of one call
const LINE = 200; // of a title or a line
const LINES = 50; // of a ticker
// A field has a name and, for SPX, whose templates number them, a second one.
const NAMES = new Map([["f0", "title"], ["f1", "line"], ["f2", "ticker"], ["f3", "feed"], ["f4", "steps"]]);
const ON = ["true", "on", "yes", "1"];
const OFF = ["false", "off", "no", "0"];

/** The fields of `data` as `{title, line, ticker: [text], feed, steps: [[element]], elements: {name: on}}`, only those
 * that are named in it; null for what cannot be read, which the console says. `data` is text, or an object.
 *
 *     newsOf('{"f0": "Final table", "board": "off"}')   // {title: "Final table", elements: {board: false}}
 */
export function newsOf(data) {
  let fields;
  try {
    fields = typeof data === "string" ? fieldsOf(data.trim()) : data;
    if (fields === null || typeof fields !== "object" || Array.isArray(fields)) throw new Error("no object of fields");
  } catch (error) {
    console.warn(`feltwire: the data of this call cannot be read and changes nothing (${error.message})`);
    return null;
  }
  const news = {};
  for (const [given, value] of Object.entries(fields)) {
    const name = NAMES.get(given) ?? given;
    const text = textOf(value);
    if (text === null) console.warn(`feltwire: the field ${given} is no text and is left out`);
    else if (name === "title" || name === "line") news[name] = oneLine(text);
    else if (name === "ticker") news.ticker = lines(text);
    else if (name === "feed") news.feed = text.trim();
    else if (name === "steps") news.steps = steps(text);
    else if (/^[a-z][a-z-]{0,30}$/.test(name)) {
      const word = text.trim().toLowerCase();
      if ([...ON, ...OFF].includes(word)) news.elements = { ...news.elements, [name]: ON.includes(word) };
    }
  }
  return news;
}

function fieldsOf(text) {
  if (text.length > LONGEST) throw new Error(`longer than ${LONGEST} characters`);
  if (text.startsWith("<")) return fieldsOfXml(text);
  // CasparCG writes the text into a call without escaping it anew: what was `\n` has become a line feed.
  return JSON.parse(text.replace(/[\0-\x1f]+/g, " ") || "{}");
}

/** `<templateData><componentData id="f0"><data id="text" value="…"/></componentData></templateData>` */
function fieldsOfXml(text) {
  const tree = new DOMParser().parseFromString(text, "application/xml");
  if (tree.querySelector("parsererror") || tree.documentElement.nodeName !== "templateData") throw new Error("no templateData");
  const fields = {};
  for (const part of tree.querySelectorAll("componentData")) {
    const values = [...part.querySelectorAll("data")];
    const value = values.find((one) => one.getAttribute("id") === "text") ?? values[0];
    if (part.hasAttribute("id") && value?.hasAttribute("value")) fields[part.getAttribute("id")] = value.getAttribute("value");
  }
  return fields;
}

function textOf(value) {
  if (Array.isArray(value)) return value.every((one) => typeof one === "string") ? value.join("\n") : null;
  return ["string", "number", "boolean"].includes(typeof value) ? String(value) : null;
}

const oneLine = (text) => text.replace(/\s+/g, " ").trim().slice(0, LINE);
const lines = (text) => text.split(/\r?\n|\|/).map(oneLine).filter(Boolean).slice(0, LINES);
const steps = (text) => text.split("|").map((step) => step.split(/[\s,]+/).filter((name) => /^[a-z-]+$/.test(name))).filter((step) => step.length);
