/** A picture of the table's camera, asked for by whoever rules there. */
import { $, h, say } from "../shared/dom.js";
import { timeOfDay } from "../shared/time.js";
import { pressed, tell } from "./command.js";

const WAIT_MS = 10_000; // the table answers no question that is older

/** Null where the page has no camera's section; `hear` takes the channel `picture/<table>`. */
export function camera(table) {
  const take = $("#take-picture");
  if (!take) return null;
  let waiting = 0;
  take.addEventListener("click", async () => {
    take.disabled = true;
    say($("#picture-said"), "Asked for");
    waiting = setTimeout(() => answered("No picture came within ten seconds."), WAIT_MS);
    try {
      await pressed("take_picture", { table });
      tell("");
    } catch (error) {
      tell(error.message, true);
      answered("");
    }
  });

  function answered(said) {
    clearTimeout(waiting);
    take.disabled = false;
    say($("#picture-said"), said);
  }

  async function hear({ answers, wall, jpeg, why }) {
    if (!answers) {
      $("#picture").replaceChildren(); // the station keeps only the newest few
      return answered("");
    }
    const trouble = why && `${why[0].toUpperCase()}${why.slice(1)}.`;
    const taken = jpeg && `Taken at ${timeOfDay(Date.parse(wall))}. What is not public is covered.`;
    $("#picture").replaceChildren(...(jpeg ? [await drawn(jpeg, `Table ${table} from above, ${taken}`)] : []));
    answered([trouble, taken].filter(Boolean).join(" "));
  }

  return { hear };
}

/** Drawn, not linked: pages load pictures from their own server only, and this one came in a message. */
async function drawn(jpeg, label) {
  const bytes = Uint8Array.from(atob(jpeg), (one) => one.charCodeAt(0));
  const image = await createImageBitmap(new Blob([bytes], { type: "image/jpeg" }));
  const canvas = h("canvas", { width: `${image.width}`, height: `${image.height}`, role: "img", "aria-label": label });
  canvas.getContext("2d").drawImage(image, 0, 0);
  return canvas;
}
