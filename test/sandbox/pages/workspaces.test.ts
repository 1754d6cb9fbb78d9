import { expect, test } from "vitest";
import { expiry } from "../../../sandbox/pages/workspace-line.ts";
import { started } from "../workspaces/started.ts";

test("the page of the sandbox lists the workspaces, the newest first, and creates and deletes them", async () => {
  const { sandbox, send, create } = await started();
  expect((await send("GET", "/workspaces")).text).toContain("No workspaces.");
  const first = await create({ lifetime: "PT1H" });
  const form = (path: string, fields: Record<string, string>) =>
    fetch(sandbox.url + path, { method: "POST", body: new URLSearchParams(fields), redirect: "manual" });
  const created = await form("/workspaces", { lifetime: "P7D" });
  const [, second = ""] = /^\/workspaces\/([0-9a-f]+)\/$/.exec(created.headers.get("location") ?? "") ?? [];
  const { text } = await send("GET", "/workspaces");
  expect(text.indexOf(second)).toBeLessThan(text.indexOf(first.id));
  for (const shown of [`href="/workspaces/${first.id}/"`, "expires in 60 minutes", "expires in 7 days"])
    expect(text).toContain(shown);
  expect((await form("/delete-workspace", { id: second })).status).toBe(303);
  expect((await send("GET", "/workspaces")).text).not.toContain(second);
});

test("a label says whose a workspace is: in the list, on its pages and in the control API", async () => {
  const { send, create } = await started();
  const { url, id, label } = await create({ label: "Checkout <team>" });
  expect([label, (await create()).label, (await create({ label: " " })).label]).toEqual([
    "Checkout <team>",
    null,
    null,
  ]);
  const { text } = await send("GET", "/workspaces/");
  expect(text).toContain(`href="/workspaces/${id}/"><bdi>Checkout &lt;team&gt;</bdi></a>`);
  expect((await send("GET", `${url}/`)).text).toContain("<bdi>Checkout &lt;team&gt;</bdi>");
  const { workspaces } = (await send("GET", "/sandbox/workspaces")).body;
  expect(workspaces[0]).toMatchObject({ id, label: "Checkout <team>" });
  expect((await send("POST", "/sandbox/workspaces", { label: "x".repeat(101) })).status).toBe(422);
});

test("every page of a workspace names it, says when it expires, and leads back to the list", async () => {
  const { sandbox, send, create } = await started();
  const { url, id, expires_at } = await create({ lifetime: "PT1H" });
  for (const path of ["/", "/requests", "/contacts", "/suppressions", "/clock", "/failures", "/control"]) {
    const { text } = await send("GET", url + path);
    expect(text).toContain(`<code>${id}</code>`);
    expect(text).toContain(`datetime="${expires_at}"`);
    expect(text).toContain(`href="${sandbox.url}/workspaces"`);
    expect((await send("GET", path)).text).not.toContain(id);
  }
  expect((await send("GET", `${url}/workspaces`)).status).toBe(404);
});

test.each([
  [-1, "expired"],
  [1_000, "expires in 1 minute"],
  [119 * 60_000, "expires in 119 minutes"],
  [2 * 3_600_000, "expires in 2 hours"],
  [47 * 3_600_000, "expires in 47 hours"],
  [28 * 86_400_000, "expires in 28 days"],
])("%d milliseconds before its end, a workspace %s", (left, text) => {
  expect(expiry(1_000_000_000 + left, 1_000_000_000)).toBe(text);
});
