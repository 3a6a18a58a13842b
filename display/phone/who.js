/** Who this phone's player is: the name that was typed once, the code of the seat slip, or the desk's press. */
import { $, draw, h, say } from "../shared/dom.js";
import { t } from "../shared/language.js";

const ASK_MS = 8_000;
const POLL_MS = 3_000;
const SHOWN = 12;

/** Kept by this browser; a browser that keeps nothing asks again. */
export const kept = {
  get: (name) => {
    try {
      return localStorage.getItem(`feltwire-${name}`) ?? "";
    } catch {
      return "";
    }
  },
  set: (name, value) => {
    try {
      if (value) localStorage.setItem(`feltwire-${name}`, value);
      else localStorage.removeItem(`feltwire-${name}`);
    } catch {
      // as above
    }
  },
};

/** Refusals and answers of the station in the language of this phone. */
const SAID = () => ({
  "This code does not fit.": t("This code does not fit."),
  "Too many tries. Wait some minutes, or go to the desk.": t("Too many tries. Wait some minutes, or go to the desk."),
  "Enter the code of your seat slip first.": t("Enter the code of your seat slip first."),
  "No event is open.": t("No event is open."),
  "Many ask at the moment. Go to the desk.": t("Many ask at the moment. Go to the desk."),
  "You have no seat to call the floor to.": t("You have no seat to call the floor to."),
  "The floor is called already.": t("The floor is called already."),
  "The floor is called.": t("The floor is called."),
  "The floor was just here. Call your dealer, or wait two minutes.": t("The floor was just here. Call your dealer, or wait two minutes."),
});
const inWords = (text) => SAID()[text] ?? text;

/** The answer of a POST; raises words for the player. */
export async function post(path, body) {
  const headers = { "content-type": "application/json" };
  let answer;
  try {
    answer = await fetch(path, { method: "POST", headers, body: JSON.stringify(body), signal: AbortSignal.timeout(ASK_MS) });
  } catch {
    throw new Error(t("No network: that was not sent. Try again."));
  }
  const said = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new Error(inWords(said.error ?? t("That did not work. Try again.")));
  return { ...said, text: inWords(said.text ?? "") };
}

/** Words below the cards, until the next ones. */
export function tell(words, kind = "done") {
  $("#said").hidden = !words;
  $("#said").dataset.kind = kind;
  say($("#said"), words);
  if (words) $("#said").scrollIntoView({ block: "nearest" });
}

const plain = (name) => name.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().replace(/[^\p{L}\p{N}]+/gu, " ").trim();
const initials = (name) => plain(name).split(" ").map((part) => part[0] ?? "").join("");

/** Rows of the public list that a typed name may mean: it is shown so, or by these initials, or begins so. */
export function matching(list, typed) {
  const wanted = plain(typed);
  if (!wanted) return [];
  const shown = list.map((row) => [row, plain(row[1])]);
  const equal = shown.filter(([, name]) => name === wanted || name.replaceAll(" ", "") === wanted.replaceAll(" ", ""));
  const near = shown.filter(([, name]) => wanted.length > 2 && wanted.split(" ").every((part) => name.split(" ").some((one) => one.startsWith(part))));
  const short = shown.filter(([, name]) => name.replace(/ ?\d+$/, "").replaceAll(" ", "") === initials(typed));
  return [...new Set([...equal, ...near, ...short].map(([row]) => row))].slice(0, SHOWN);
}

/** `become(player, name, proven)` is called once it is known who the player is; `proven`: by code or desk. */
export function identify(become) {
  let typed = "";
  let timer = null;

  $("#find").addEventListener("submit", async (event) => {
    event.preventDefault();
    tell("");
    typed = new FormData(event.target).get("name").trim();
    let list;
    try {
      list = await (await fetch("/me/players", { signal: AbortSignal.timeout(ASK_MS) })).json();
    } catch {
      tell(t("No network. Try again."), "wrong");
      return;
    }
    const rows = matching(list, typed);
    $("#found-none").hidden = rows.length > 0;
    $("#found").hidden = !rows.length;
    draw($("#found"), rows, () => rows.map((row) => h("li", {}, choice(row))));
  });

  function choice([player, name, table, seat]) {
    const at = table ? t("{name}: table {table}, seat {seat}", { name, table, seat: String(seat) }) : name;
    const button = h("button", { type: "button" }, at);
    button.addEventListener("click", () => {
      $("#found").hidden = true;
      become(player, name, false);
    });
    return button;
  }

  $("#code").addEventListener("submit", (event) => {
    event.preventDefault();
    enter(kept.get("player"), new FormData(event.target).get("code"));
  });
  $("#sign-up").addEventListener("click", () => askDesk(typed || $("#find").elements.name.value.trim()));
  $("#ask-desk").addEventListener("click", () => askDesk(kept.get("name")));
  $("#ask-no-more").addEventListener("click", () => {
    clearTimeout(timer);
    $("#asking").hidden = true;
    kept.set("asked", "");
  });

  async function enter(player, code) {
    tell("");
    try {
      const said = await post("/me/code", { player, code });
      $("#code").reset();
      become(said.player, "", true);
    } catch (error) {
      tell(error.message, "wrong");
    }
  }

  async function askDesk(name) {
    tell("");
    if (!name) {
      tell(t("Type your name first."), "wrong");
      $("#find").elements.name.focus();
      return;
    }
    try {
      wait(await post("/me/ask", { name }));
    } catch (error) {
      tell(error.message, "wrong");
    }
  }

  function wait({ digits }) {
    kept.set("asked", "yes");
    $("#asking").hidden = false;
    say($("#digits"), digits);
    $("#asking").scrollIntoView({ block: "nearest" });
    clearTimeout(timer);
    timer = setTimeout(poll, POLL_MS);
  }

  async function poll() {
    const said = await fetch("/me/asked", { signal: AbortSignal.timeout(ASK_MS) }).then((answer) => answer.json()).catch(() => null);
    if (said === null) timer = setTimeout(poll, POLL_MS);
    else if (said.state === "waiting") wait(said);
    else {
      $("#asking").hidden = true;
      kept.set("asked", "");
      if (said.state === "in") become(said.player, "", true);
      else tell(said.state === "refused" ? t("The desk did not let this phone in.") : t("The desk did not answer. Ask again."), "wrong");
    }
  }

  // The code of a seat slip: #p7.7KQ-M4X. It is taken out of the address at once.
  const slip = /^#([^.]+)\.([\w-]+)$/.exec(decodeURIComponent(location.hash));
  if (slip) {
    history.replaceState(null, "", location.pathname);
    kept.set("player", slip[1]);
    enter(slip[1], slip[2]);
  } else if (kept.get("asked")) poll();
}
