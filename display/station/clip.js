/** The last minutes of the table's camera, opened by the director for a dispute: played, and stepped through. */
import { $, h, say } from "../shared/dom.js";
import { timeOfDay } from "../shared/time.js";
import { confirm } from "./confirm.js";
import { command, pressed, tell } from "./command.js";

const WAIT_MS = 10_000; // the table answers no question that is older
const STEP_MS = 500; // between two pictures, as they were taken

/** Null where the page has no clip's section; `hear` takes the channel `clip/<table>`. */
export function clip(table) {
  const open = $("#open-clip");
  if (!open) return null;
  const place = $("#clip-place");
  let view = { opening: "", shots: [] };
  let at = ""; // the id of the picture that is shown
  let playing = 0;
  let waiting = 0;
  let drawing = 0; // the newest picture that is being fetched
  let seen = ""; // the opening whose newest picture was shown

  open.addEventListener("click", () =>
    confirm({
      heading: `Open the last three minutes of table ${table}?`,
      text: "The table records that you do, and shows it to everybody there. What is not public is covered.",
      yes: "Open",
      act: ask,
    }),
  );
  $("#close-clip").addEventListener("click", () => {
    hide();
    command("close_clip", { table });
  });
  $("#clip-play").addEventListener("click", () => (playing ? pause() : play()));
  $("#clip-back").addEventListener("click", () => step(-1));
  $("#clip-on").addEventListener("click", () => step(1));
  place.addEventListener("input", () => {
    pause();
    show(Number(place.value));
  });

  async function ask() {
    open.disabled = true;
    say($("#clip-said"), "Asked for");
    waiting = setTimeout(() => answered("No clip came within ten seconds."), WAIT_MS);
    try {
      await pressed("open_clip", { table });
      tell("");
    } catch (error) {
      tell(error.message, true);
      answered("");
    }
  }

  function answered(said) {
    clearTimeout(waiting);
    open.disabled = false;
    say($("#clip-said"), said);
  }

  function hear(now) {
    view = now;
    if (!view.opening) return hide();
    if (view.why && !view.shots.length) return answered(`${view.why}.`);
    if (!view.shots.length) return; // asked for, by this page or another
    $("#clip").hidden = false;
    place.max = `${view.shots.length - 1}`;
    if (seen !== view.opening) {
      seen = view.opening;
      show(view.shots.length - 1);
    } else place.value = `${index()}`; // older ones have come before it
    const whole = view.parts >= view.of ? "" : `, ${view.parts} of ${view.of} parts so far`;
    answered(`Opened by ${view.by || "the director"}${whole}. What is not public is covered. ${view.why}`.trim());
  }

  function hide() {
    pause();
    $("#clip").hidden = true;
    $("#clip-picture").replaceChildren();
    answered("");
  }

  const index = () => Math.max(0, view.shots.findIndex((shot) => shot.id === at));

  async function show(number) {
    const shot = view.shots[number];
    if (!shot) return;
    at = shot.id;
    place.value = `${number}`;
    say($("#clip-time"), timeOfDay(Date.parse(shot.wall)));
    const mine = ++drawing;
    const answer = await fetch(`/clip/${encodeURIComponent(table)}/${shot.id}?opening=${encodeURIComponent(view.opening)}`);
    if (!answer.ok || mine !== drawing) return;
    const image = await createImageBitmap(await answer.blob());
    if (mine === drawing) draw(image, shot);
  }

  function draw(image, shot) {
    const label = `Table ${table} from above at ${timeOfDay(Date.parse(shot.wall))}`;
    const canvas = $("#clip-picture canvas") ?? h("canvas", { role: "img" });
    canvas.setAttribute("aria-label", label);
    canvas.width = image.width;
    canvas.height = image.height;
    canvas.getContext("2d").drawImage(image, 0, 0);
    if (!canvas.isConnected) $("#clip-picture").replaceChildren(canvas);
  }

  function step(by) {
    pause();
    show(Math.min(Math.max(index() + by, 0), view.shots.length - 1));
  }

  function play() {
    if (index() >= view.shots.length - 1) show(0);
    playing = setInterval(() => (index() >= view.shots.length - 1 ? pause() : show(index() + 1)), STEP_MS);
    say($("#clip-play"), "Pause");
  }

  function pause() {
    clearInterval(playing);
    playing = 0;
    say($("#clip-play"), "Play");
  }

  return { hear };
}
