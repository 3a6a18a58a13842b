const PATIENCE_MS = 4_000;

/** Sends presses to this server. Resolves to the answer's words; rejects with words for the person who pressed, the
 * `rule` that says so and the field that it is `about`, where they are known. */
export async function press(path, body) {
  let answer;
  try {
    answer = await fetch(path, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
  } catch {
    throw new Error("Not sent: no answer. Use the keypad, or press again.");
  }
  const said = await answer.json().catch(() => ({ error: `The server answered ${answer.status}.` }));
  if (!answer.ok) throw Object.assign(new Error(said.error), { rule: said.rule ?? "", about: said.about ?? "" });
  return said.text;
}
