import { readdirSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { openStore } from "../../../sandbox/store/open.ts";
import { runHere } from "../../scripts/run-here.ts";
import { temporaryFolder } from "../../temporary-folder.ts";
import { keys } from "../rig.ts";
import { baseUrl, runSandbox, startOnAnyPort } from "./process.ts";

test.for<[string, (file: string) => void, string, string]>([
  ["cut", (file) => truncateSync(file, 8192), "is damaged: ", "Restore "],
  [
    "replaced by a text",
    (file) => writeFileSync(file, "x".repeat(4096)),
    "is not a database",
    "Move it away",
  ],
  ["written by a newer version", upgrade, "was written by a newer version", "Use that version"],
])("a data file that was %s: exit code 2, with its path and what to do", async ([, change, error, hint]) => {
  const folder = temporaryFolder();
  await (await openStore({ data: folder })).store.close();
  const file = join(folder, "sandbox.sqlite");
  change(file);
  const { status, err } = await runHere("sandbox", "--port", "0", "--data", folder);
  expect(status).toBe(2);
  const text = err.replaceAll(/\s+/g, " ");
  expect(text).toContain(`error: ${file} ${error}`);
  expect(text).toContain(`hint: ${hint}`);
  expect(text).toContain("--data");
  expect(err).not.toContain("    at ");
});

test("a data folder that has only other files is rejected, and stays as it is", async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "readme.txt"), "");
  const { status, err } = await runHere("sandbox", "--port", "0", "--data", folder);
  expect(status).toBe(2);
  expect(err.replaceAll(/\s+/g, " ")).toContain(
    `error: the data folder ${folder} has other files, such as readme.txt`,
  );
  expect(readdirSync(folder)).toEqual(["readme.txt"]);
});

test.each([
  ["the root of a volume", "lost+found"],
  ["a folder with a hidden file", ".gitkeep"],
])("%s is taken for an empty folder, and other files may come later", async (_, name) => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, name), "");
  await (await openStore({ data: folder })).store.close();
  writeFileSync(join(folder, "readme.txt"), "");
  await (await openStore({ data: folder })).store.close();
  expect(readdirSync(folder)).toContain("sandbox.sqlite");
});

function upgrade(file: string): void {
  const database = new DatabaseSync(file);
  database.exec("INSERT INTO kysely_migration VALUES ('9 later', '')");
  database.close();
}

test.runIf(process.platform === "linux").for(["--data", "--outbox"])(
  "%s in a place where no folder can be created is rejected at once",
  async (option) => {
    const sandbox = runSandbox("--port", "0", option, "/proc/sandbox");
    // Without this check the process never ends.
    const timer = setTimeout(() => sandbox.child.kill("SIGKILL"), 4_000);
    expect(await sandbox.ended).toBe(2);
    clearTimeout(timer);
    expect(sandbox.errors()).toMatch(
      /^error: the (data|outbox) folder \/proc\/sandbox is not writable\nhint: /,
    );
  },
);

test("another seed on old data: a warning says what is used and what to do, and a reset loads the seed", async () => {
  const folder = temporaryFolder();
  const seed = join(folder, "shop.yaml");
  const contacts =
    "contacts: [{ email: bob@readers.example, memberships: [{ list: 5, status: subscribed }] }]";
  const lists = "lists: [{ id: 5, name: Letter }]";
  writeFileSync(seed, `accounts:\n  - { id: bakery, keys: [{ key: ${keys.all} }], ${lists}, ${contacts} }\n`);
  const flags = ["--quiet", "--data", join(folder, "data")];
  const first = startOnAnyPort(...flags);
  await first.says(baseUrl);
  expect([await first.end("SIGTERM"), first.errors()]).toEqual([0, ""]);

  const second = startOnAnyPort(...flags, "--seed", seed);
  const [url] = await second.says(baseUrl);
  const look = async (path: string) => {
    const response = await fetch(url + path, { headers: { authorization: `Bearer ${keys.all}` } });
    return response.status;
  };
  const contact = "/api/v1/newsletter/contacts/";
  const paths = [`${contact}bob@readers.example`, `${contact}subscribed@readers.example`, "/contacts", "/"];
  expect(await Promise.all(paths.map(look))).toEqual([404, 200, 200, 200]);
  await fetch(`${url}/sandbox/reset`, { method: "POST" });
  expect(await Promise.all(paths.map(look))).toEqual([200, 404, 200, 200]);
  expect(await second.end("SIGTERM")).toBe(0);
  const warning = second.errors().replaceAll(/\s+/g, " ");
  expect(warning).toContain(`warning: ${join(folder, "data")} was filled from another seed`);
  expect(warning).toContain("POST /sandbox/reset");

  const third = startOnAnyPort(...flags, "--seed", seed);
  await third.says(baseUrl);
  expect([await third.end("SIGTERM"), third.errors()]).toEqual([0, ""]);
});
