/** While somebody types, the server is asked: it knows the words that people use for what the rules say. */
import { $ } from "/static/shared/dom.js";

const PAUSE_MS = 150;
const form = document.querySelector("form[role=search]");
let asking = null;
let waiting = 0;

async function search() {
  asking?.abort();
  asking = new AbortController();
  const address = `/rules?${new URLSearchParams(new FormData(form))}`;
  try {
    const answer = await fetch(address, { signal: asking.signal });
    if (!answer.ok) return;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    $("#results").replaceWith(page.querySelector("#results"));
    history.replaceState(null, "", address);
  } catch {
    // A later letter asked again, or the server is away: Enter loads the page, and the browser says why it cannot.
  }
}

form.addEventListener("input", () => {
  clearTimeout(waiting);
  waiting = setTimeout(search, PAUSE_MS);
});
