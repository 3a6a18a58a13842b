/** People, their links and their sessions. A press that changes the lists draws the page again. */
import { $, say } from "../shared/dom.js";
import { pressWithPin } from "../shared/pin.js";

const SURE_MS = 4_000;

function tell(words, failed = false) {
  say($("#said"), words);
  $("#said").classList.toggle("error", failed);
}

async function ask(body, then = again) {
  try {
    then(await pressWithPin("/people", body));
  } catch (error) {
    tell(error.message, true);
  }
}

function again(words) {
  sessionStorage.setItem("said", words);
  location.reload();
}

function showLink(path) {
  // A director on the process's own machine sends links that others can open.
  const here = /^(localhost|127\..*|\[::1\])$/.test(location.hostname);
  $("#made").hidden = false;
  $("#link").value = ((here && $("#made").dataset.reach) || location.origin) + path;
  $("#link").select();
  tell("Send this link; nobody can look it up again.");
}

$("#add").addEventListener("submit", (event) => {
  event.preventDefault();
  const { name, role, table, code } = Object.fromEntries(new FormData(event.target));
  if (code) ask({ do: "pair", name, role, table: table ?? "", code });
  else ask({ do: "add", name, role, table: table ?? "" }, showLink);
});

for (const button of document.querySelectorAll("[data-do]")) {
  button.addEventListener("click", () => {
    const { do: what, person = "", session = "", sure } = button.dataset;
    if (sure && button.textContent !== sure) {
      const words = button.textContent;
      button.textContent = sure;
      setTimeout(() => (button.textContent = words), SURE_MS);
      return;
    }
    ask({ do: what, person, session }, what === "link" ? showLink : again);
  });
}

$("#copy").addEventListener("click", async () => {
  $("#link").select();
  await navigator.clipboard?.writeText($("#link").value).catch(() => {});
  tell("Copied.");
});

tell(sessionStorage.getItem("said") ?? "");
sessionStorage.removeItem("said");
