/** Presses: sent once and in time; the outcome is always determined. */
import { t } from "./language.js";
import { StationTime, timeOfDay } from "./time.js";

const LASTS_MS = 4_000; // how long a press may take, unless it says otherwise; after that the server refuses it
const DOUBT_MS = 2_500; // who waits for an answer hears within three seconds that none came
const ASK_MS = 4_000;
const ASK_AGAIN_MS = 1_000;
const REACH_MS = 1_000;

/** The server's time, from its streams. */
const server = new StationTime();
let life = null; // which life of that server
let line = true; // whether its stream stands, as the browser knows it

export function lineStands(stands) {
  line = stands;
}

export function hearNow({ server: lives, ms }) {
  life = lives;
  server.hear(lives, ms, performance.now());
}

/**
 * Sends a press to this server. Resolves to the answer's words; rejects with words for the person who pressed, the
 * `rule` that says so, the field that it is `about` and the `choices` of a question, where they are known. Where no answer comes soon,
 * `inDoubt(words)` is called, and the promise settles when the server says what became of the press: the words then
 * name it, and the error is `late`. `name`: what was pressed; `lastsMs`: how long the server may take it; `id`: of a
 * press that comes again with its PIN; `kind`: the content type of a `body` that is a file.
 */
export async function press(path, body, inDoubt = () => {}, { name = "", lastsMs = LASTS_MS, id = drawn(), kind = "" } = {}) {
  const pressed = { name, time: timeOfDay() };
  const what = name || t("the press");
  if (life === null) await ask("/now").then((now) => now && hearNow(now));
  if (life === null) throw new Error(t("Not sent: the server does not answer. Press again."));
  const sent = { id, life, until: Math.floor(server.at(performance.now()) + lastsMs) };
  if (!(await reached())) throw new Error(t("No line: {press} was not sent.", { press: what }));
  const doubt = AbortSignal.timeout(DOUBT_MS);
  let doubted = false;
  const doubting = () => {
    if (!doubted) inDoubt(t("Not known whether {press} arrived. Asking.", { press: what }));
    doubted = true;
  };
  doubt.addEventListener("abort", doubting);
  let became;
  try {
    became = await answered(path, kind ? body : JSON.stringify(body), sent, lastsMs, kind || "application/json");
    doubt.removeEventListener("abort", doubting);
  } catch {
    doubting();
    became = await outcome(sent);
  }
  return read(became, doubted && pressed);
}

/** The answer of the server; throws where none comes. */
async function answered(path, body, { id, life: pressedIn, until }, lastsMs, kind) {
  const headers = { "content-type": kind, "press-id": id, "press-until": `${pressedIn}/${until}` };
  const answer = await fetch(path, { method: "POST", headers, body, signal: AbortSignal.timeout(lastsMs) });
  if (answer.status === 503) throw new Error("no answer yet");
  const said = await answer.json().catch((fault) => {
    if (fault.name !== "SyntaxError") throw fault; // the time was over, or the line broke, in the middle of the answer
    return { error: t("The server answered {status}.", { status: String(answer.status) }) };
  });
  if (!answer.ok) ask("/now").then((now) => now && hearNow(now)); // a press refused as late is not late again
  return { ok: answer.ok, said };
}

/** Whether a press can leave this device. Where the stream is down a question goes first: where that cannot be sent,
 * the press is not sent either, and that is certain. A server that only hangs may still take the press in time. */
async function reached() {
  if (line && navigator.onLine) return true;
  return fetch("/now", { signal: AbortSignal.timeout(REACH_MS) }).then(
    () => true,
    (error) => error.name === "TimeoutError",
  );
}

/** The outcome of an unanswered press: asked until the server knows it. */
async function outcome({ id, life: pressedIn, until }) {
  for (;;) {
    const told = await ask(`/press/${id}`);
    if (told?.error) return failed(told.error);
    if (told) {
      hearNow(told);
      if (told.state === "answered") return { ok: told.status < 400, said: told.answer };
      if (told.server !== pressedIn) return failed(t("The server has started again: nobody knows whether that was carried out. Look, then press again."));
      if (told.state === "unknown" && told.ms > until) return failed(t("Not carried out: it did not arrive in time. Press again."));
    }
    await new Promise((resolve) => setTimeout(resolve, ASK_AGAIN_MS));
  }
}

const failed = (error) => ({ ok: false, said: { error } });

/** `late`: the press that was in doubt, which the words then name. */
function read({ ok, said }, late) {
  const which = late && late.name ? t("{press} of {time}:", { press: late.name, time: late.time }) + " " : "";
  if (!ok) throw Object.assign(new Error(`${which}${said.error}`), { rule: said.rule ?? "", about: said.about ?? "", choices: said.choices ?? [], late: Boolean(late) });
  return late ? `${which}${t("It arrived, and was carried out.")} ${said.text}`.trim() : said.text;
}

/** JSON of this server; null where none comes. */
async function ask(path) {
  try {
    const answer = await fetch(path, { signal: AbortSignal.timeout(ASK_MS) });
    return answer.ok || answer.status === 403 ? await answer.json() : null;
  } catch {
    return null;
  }
}

/** The id of a press: twenty-four hex digits; `randomUUID` exists on secure pages only. */
export function drawn() {
  return Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
