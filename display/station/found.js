/** What find offers to do. Each leads to its page, with the button there in focus (`?do=` and what it is called). */
import { $ } from "../shared/dom.js";

const to = (page, words, player = "") => `/station/${page}?${new URLSearchParams({ ...(player && { player }), ...(words && { do: words }) })}`;

const ACTIONS = [
  ["Open an event", "/station/start"],
  ["Register a player", "/station/players"],
  ["Start: cards in the air", to("clock", "Cards in the air")],
  ["Draw seats", to("seats", "Draw seats")],
  ["Draw the buttons", to("seats", "Draw the buttons")],
  ["Seat a player", "/station/seats"],
  ["Move a player", "/station/seats"],
  ["Balance the tables", to("seats", "Move:")],
  ["Rebuy or add-on", "/station/players"],
  ["Bust, undo a bust", "/station/players"],
  ["Add five minutes (5 minutes more)", to("clock", "5 minutes more")],
  ["Hand for hand", to("clock", "Hand for hand")],
  ["End hand for hand", to("clock", "End hand for hand")],
  ["Next level", to("clock", "Next level")],
  ["Levels and breaks", "/station/clock"],
  ["Colour up", to("chips", "Colour up")],
  ["Count the chips", to("chips", "Player")],
  ["Make a deal", to("prizes", "Chip-chop")],
  ["Pay out prizes", to("prizes", "Pay")],
  ["Give a penalty", to("penalties", "Player")],
  ["Standings", "/station/league"],
  ["Undo the last", to("log", "Undo")],
  ["Redo the last undo", to("log", "Do again")],
  ["Take a break, dinner", to("clock", "Take the break")],
  ["Suggest a schedule", to("clock", "Players")],
  ["Keep two players apart", to("seats", "Keep apart")],
  ["Count the cash box", to("prizes", "Counted")],
  ["Change a setting of the event", "/station/start"],
  ["Bag the chips of a flight", to("start", "Bag the chips")],
  ["Close the event", to("start", "Close the event")],
  ["Cancel the event", to("start", "Cancel the event")],
  ["People and screens: let somebody in", "/people"],
  ["Announcements before the start", "/announcements"],
];
const READ = new Set(["Standings", "Levels and breaks", "Announcements before the start"]); // all that the floor can do there
const SHEETS = [
  ["Print seat slips", "/slips"],
  ["Print the sign-in sheet", "/signatures"],
  ["Print the payout sheet", "/payouts"],
  ["Print receipts", "/receipts"],
];

/** Those of the pages that there are; pausing is done at once, for it is undone as easily. */
export function actions() {
  const toggle = $("#toggle");
  const may = ACTIONS.filter(([words]) => toggle || READ.has(words));
  const there = [...may.filter(([, path]) => $(`.bar nav a[href="${path.split("?")[0]}"]`)), ...SHEETS];
  return [...(!toggle?.hidden && ["Pause", "Resume"].includes(toggle?.textContent) ? [[`${toggle.textContent} the clock`, () => toggle.click()]] : []), ...there];
}

/** Where a player is, and what is done with one; `byHand`: no table reports the event. */
export function ofPlayer({ player, name, table, seat, status = "playing" }, byHand = false) {
  const [playing, who] = [status === "playing" && table, table ? `${name}, table ${table} seat ${seat}` : name];
  return [
    playing && byHand && [`Out: ${who}`, `/station/players?${new URLSearchParams({ out: player })}`],
    playing && [`Move ${who}`, to("seats", "", player)],
    status === "registered" && [`Pay and seat ${who}`, to("players", "Paid", player)],
    status === "playing" && !table && [`Seat ${who}`, to("players", "Seat", player)],
    (playing || status === "busted" || (byHand && status === "out")) && [`Rebuy ${who}`, to("players", "Rebuy", player)],
    status === "busted" && [`Out: ${who}`, to("players", "Out", player)],
    status === "out" && [`Undo the bust of ${who}`, ofOut({ player })],
    status !== "cancelled" && [`Penalty for ${who}`, to("penalties", "", player)],
  ].filter(Boolean);
}

/** Where the bust of one who is out is undone. */
export const ofOut = ({ player }) => to("players", "Undo the bust", player);

/** The book's reasons for one who plays. */
export const penalties = ({ player, name, status = "playing" }, reasons) =>
  status === "playing" ? reasons.map((reason) => [`Penalty for ${name}: ${reason}`, `/station/penalties?${new URLSearchParams({ player, reason })}`]) : [];

export const pathOf = ({ player }) => to("players", "", player);
export const breaks = (table) => [`Break table ${table}`, to("seats", `Break: table ${table}`)];
