import { describe, expect, test } from "vitest";
import type { SendRequest } from "../../../client/src/index.ts";
import { startRig } from "../rig.ts";

/** Sends a message, and tells what the outbox and its page say of it. */
async function sent(message: SendRequest) {
  const { sandbox, client } = await startRig();
  const { id } = await client.emails.send(message);
  const answer = await fetch(`${sandbox.url}/sandbox/outbox/${id}`);
  const entry = (await answer.json()) as { notes: string[] };
  const page = await (await fetch(`${sandbox.url}/messages/${id}`)).text();
  return { entry, page };
}

const addresses = { from: "orders@bakery.example", to: ["ada@customers.example"] };
const plain = { ...addresses, subject: "Your order", text: "It is ready." };
const templated = (variables?: Record<string, string | number | null>): SendRequest => ({
  ...addresses,
  template_id: "order-ready",
  ...(variables !== undefined && { variables }),
});

describe("a note in the outbox", () => {
  test("tells of variables that the call gave no value for, each once", async () => {
    const { entry, page } = await sent(templated({ order: 4711 }));
    expect(entry).toMatchObject({
      subject: "Your order 4711 is ready",
      text: "Good morning, \n\nYour order 4711 is ready to be picked up.",
      notes: ["Left empty, since the call gave no value for the template's {{name}}."],
    });
    expect(page).toContain("{{name}}.");
  });

  test("names all of them where the call gave none", async () => {
    expect((await sent(templated())).entry.notes).toEqual([
      "Left empty, since the call gave no value for the template's {{order}}, {{name}}.",
    ]);
  });

  test("tells of links that were not followed", async () => {
    const link = { filename: "a.pdf", path: "https://files.example.com/a.pdf" };
    const { entry, page } = await sent({ ...plain, attachments: [link] });
    expect(entry.notes).toEqual(["One attachment was not downloaded: downloads are switched off."]);
    expect(page).toContain("downloads are switched off");
  });

  test.each([
    ["a message without a template", plain],
    ["a template with all it needs", templated({ name: "Ada", order: 1 })],
    ["a variable that is empty on purpose", templated({ name: "", order: null })],
  ])("is not there for %s", async (_name, message) => {
    const { entry, page } = await sent(message);
    expect(entry.notes).toEqual([]);
    expect(page).not.toContain('class="notice"');
  });
});
