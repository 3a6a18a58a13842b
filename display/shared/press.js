/** Presses: sent once and in time; the outcome is always determined. */
import { StationTime } from "./time.js";

const PATIENCE_MS = 4_000; // how long a press may take; after that the server refuses it
const ASK_AGAIN_MS = 1_000;
const NOT_KNOWN = "Not known whether it arrived. Asking.";

/** The server's time, from its streams. */
const server = new StationTime();
let life = null; // which life of that server

export function hearNow({ server: lives, ms }) {
  life = lives;
  server.hear(lives, ms, performance.now());
}

/**
 * Sends a press to this server. Resolves to the answer's words; rejects with words for the person who pressed, the
 * `rule` that says so and the field that it is `about`, where they are known. Where no answer comes in time,
 * `inDoubt(words)` is called, and the promise settles when the server says what became of the press.
 */
export async function press(path, body, inDoubt = () => {}) {
  if (life === null) await ask("/now").then((now) => now && hearNow(now));
  if (life === null) throw new Error("Not sent: the server does not answer. Press again.");
  const id = drawn();
  const sent = { id, life, until: Math.floor(server.at(performance.now()) + PATIENCE_MS) };
  const headers = { "content-type": "application/json", "press-id": id, "press-until": `${life}/${sent.until}` };
  let answer;
  try {
    answer = await fetch(path, { method: "POST", headers, body: JSON.stringify(body), signal: AbortSignal.timeout(PATIENCE_MS) });
  } catch {
    inDoubt(NOT_KNOWN);
    return read(await outcome(sent));
  }
  const said = await answer.json().catch(() => ({ error: `The server answered ${answer.status}.` }));
  if (answer.status === 503) {
    inDoubt(NOT_KNOWN);
    return read(await outcome(sent));
  }
  if (!answer.ok) ask("/now").then((now) => now && hearNow(now)); // a press refused as late is not late again
  return read({ ok: answer.ok, said });
}

/** The outcome of an unanswered press: asked until the server knows it. */
async function outcome({ id, life: pressedIn, until }) {
  for (;;) {
    const told = await ask(`/press/${id}`);
    if (told) {
      hearNow(told);
      if (told.state === "answered") return { ok: told.status < 400, said: told.answer, late: true };
      if (told.server !== pressedIn) return failed("The server has started again: nobody knows whether that was carried out. Look, then press again.");
      if (told.state === "unknown" && told.ms > until) return failed("Not carried out: it did not arrive in time. Press again.");
    }
    await new Promise((resolve) => setTimeout(resolve, ASK_AGAIN_MS));
  }
}

const failed = (error) => ({ ok: false, said: { error } });

function read({ ok, said, late }) {
  if (!ok) throw Object.assign(new Error(said.error), { rule: said.rule ?? "", about: said.about ?? "" });
  return late ? `It arrived, and was carried out. ${said.text}`.trim() : said.text;
}

/** JSON of this server; null where none comes. */
async function ask(path) {
  try {
    const answer = await fetch(path, { signal: AbortSignal.timeout(PATIENCE_MS) });
    return answer.ok ? await answer.json() : null;
  } catch {
    return null;
  }
}

/** Twenty-four hex digits; `randomUUID` exists on secure pages only. */
function drawn() {
  return Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
