/** Signing in after all, and out. */
import { $, say } from "../shared/dom.js";
import { press } from "../shared/press.js";

async function ask(path, body, then) {
  try {
    then(await press(path, body));
  } catch (error) {
    $("#said").classList.add("error");
    say($("#said"), error.message);
  }
}

const told = (words) => {
  $("#said").classList.remove("error");
  say($("#said"), words);
};

for (const [id, path, more] of [["#pin", "/pin", { set: true }], ["#pair", "/people", { do: "pair" }], ["#name", "/people", { do: "name" }]]) {
  $(id)?.addEventListener("submit", (event) => {
    event.preventDefault();
    const form = event.target;
    ask(path, { ...Object.fromEntries(new FormData(form)), ...more }, (words) => {
      if (id === "#name") return location.reload();
      form.reset();
      told(words);
    });
  });
}

$("#take")?.addEventListener("click", (event) =>
  ask("/sign-in", { token: event.currentTarget.dataset.token }, (home) => location.replace(home)),
);
$("#out")?.addEventListener("click", () => ask("/sign-out", {}, () => location.replace("/sign-in")));
