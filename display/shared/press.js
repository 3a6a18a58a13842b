const PATIENCE_MS = 4_000;

/** Sends presses to this server. Resolves to the answer's words; rejects with words for the person who pressed. */
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
  if (!answer.ok) throw new Error(said.error);
  return said.text;
}
