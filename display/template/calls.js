// The end of the template's script: the calls of CasparCG and SPX on the graphic. OBS calls none, and a page there stands
// on air at once; elsewhere `?play=now` does it. The address may name fields: `?feed=feature&steps=board,pot|leaderboard`.
customElements.define("feltwire-graphic", FeltwireGraphic);
const graphic = document.body.appendChild(document.createElement("feltwire-graphic"));
const asked = new URLSearchParams(location.search);
const first = graphic.load({ data: Object.fromEntries([...asked].filter(([name]) => name !== "play")) });
// One call after the other, however fast they come.
let last = first.then(complain);
const inTurn = (call) => (last = last.then(call).then(complain));

function complain({ statusCode, statusMessage }) {
  if (statusCode >= 400) console.warn(`feltwire: ${statusMessage}`);
}

window.play = () => void inTurn(() => graphic.playAction({ goto: Math.max(graphic.currentStep, 0) }));
window.stop = () => void inTurn(() => graphic.stopAction({}));
window.next = () => void inTurn(() => graphic.playAction({ goto: Math.min(graphic.currentStep + 1, graphic.stepCount - 1) }));
window.update = (data) => void inTurn(() => graphic.updateAction({ data }));
if (asked.get("play") === "now" || (window.obsstudio && asked.get("play") !== "wait")) window.play();
