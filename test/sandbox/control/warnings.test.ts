import { describe, expect, test } from "vitest";
import type { SendRequest } from "../../../client/src/index.ts";
import { startRig } from "../rig.ts";

/** Sends a message, and returns it as the outbox and its page show it. */
async function sent(message: SendRequest) {
  const { sandbox, client } = await startRig();
  const { id } = await client.emails.send(message);
  const response = await fetch(`${sandbox.url}/sandbox/outbox/${id}`);
  const entry = (await response.json()) as { warnings: string[] };
  const page = await (await fetch(`${sandbox.url}/messages/${id}`)).text();
  return { entry, page };
}

const recipients = { from: "orders@bakery.example", to: ["ada@customers.example"] };
const plain = { ...recipients, subject: "Your order", text: "It is ready." };
const templated = (variables?: Record<string, string | number | null>): SendRequest => ({
  ...recipients,
  template_id: "order-ready",
  ...(variables !== undefined && { variables }),
});

describe("a warning in the outbox", () => {
  test("lists template variables without a value, each once", async () => {
    const { entry, page } = await sent(templated({ order: 4711 }));
    expect(entry).toMatchObject({
      subject: "Your order 4711 is ready",
      text: "Good morning, \n\nYour order 4711 is ready to be picked up.",
      warnings: ["These template variables have no value and were rendered empty: {{name}}."],
    });
    expect(page).toContain("{{name}}.");
  });

  test("lists all of them if the request has no variables", async () => {
    expect((await sent(templated())).entry.warnings).toEqual([
      "These template variables have no value and were rendered empty: {{order}}, {{name}}.",
    ]);
  });

  test("reports links that were not downloaded", async () => {
    const link = { filename: "a.pdf", path: "https://files.example.com/a.pdf" };
    const { entry, page } = await sent({ ...plain, attachments: [link] });
    expect(entry.warnings).toEqual([
      "1 attachment was not downloaded: the sandbox runs without --downloads.",
    ]);
    expect(page).toContain("without --downloads");
  });

  test.each([
    ["a message without a template", plain],
    ["a template with all its variables", templated({ name: "Ada", order: 1 })],
    ["a variable with an empty value", templated({ name: "", order: null })],
  ])("is absent for %s", async (_name, message) => {
    const { entry, page } = await sent(message);
    expect(entry.warnings).toEqual([]);
    expect(page).not.toContain('class="notice"');
  });
});
