import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { clientCases, requirementsOfCases } from "../../contract/client-suite/run-client.ts";
import { loadExpected } from "../../contract/config/load.ts";
import { root } from "../../scripts/common/paths.ts";
import { expectedFailures, parseClient, readClients } from "./client.ts";
import { generators } from "./generators.ts";
import { guidesAfter, lastRuns, recordedCommands, topicOf } from "./record.ts";
import { commandsOf } from "./tools.ts";

const clients = readClients();

describe.each(clients)("clients/$id", (client) => {
  const file = (name: string) => readFileSync(join(client.folder, name), "utf8");
  const readme = file("README.md");

  test("its README has the commands that the runner runs", () => {
    for (const command of [...commandsOf(client.tool), client.example])
      expect(readme).toContain(`${command}\n`);
  });

  test("npm installs into the folder, whatever is above it", () => {
    const commands = commandsOf(client.tool).join(" && ").split(" && ");
    const first = commands.findIndex((command) => command.startsWith("npm install"));
    if (first !== -1) expect(commands.slice(0, first)).toContain("npm init -y");
  });

  test("its README names the oldest versions that it works with", () => {
    const [introduction] = readme.split("\n## ");
    for (const version of Object.values(client.tool.versions ?? {}))
      expect(introduction).toMatch(new RegExp(` ${version.replaceAll(".", "\\.")}\\b`));
  });

  test("its README shows its files as they are", () => {
    for (const name of client.shown) expect(readme).toContain(`\n${file(name).trimEnd()}\n\`\`\`\n`);
  });

  test.each(Object.values(expectedFailures))("its README names each requirement of %s", async (name) => {
    const path = join(client.folder, name);
    const rows = existsSync(path) ? await loadExpected(path) : [];
    for (const { id } of rows) expect(readme).toMatch(new RegExp(`\\b${id}\\b`));
  });
});

/** The rows of the table of docs/clients.md. */
const overviewRows = (): string[] =>
  readFileSync(join(root, "docs/clients.md"), "utf8")
    .split("\n")
    .filter((line) => line.startsWith("| "))
    .slice(2);

describe("the guides", () => {
  test("show the last runs", async () => {
    for (const { current, expected } of await guidesAfter(await lastRuns())) expect(current).toBe(expected);
  });

  test("the overview begins with the client that needs no code, and each row with its language", () => {
    const [first = "", ...rows] = overviewRows();
    expect(first).toMatch(/^\| TypeScript, JavaScript \| \[email-api-client\]/);
    const languages = rows.map((row) => row.split(" | ")[0]?.replace("| ", ""));
    expect(languages).toEqual(clients.flatMap(({ language, reliable }) => (reliable ? [language] : [])));
    expect([first, ...rows].filter((row) => row.includes("|  |"))).toEqual([]);
  });

  test.for(clients.filter(({ reliable }) => reliable !== undefined))(
    "the overview has the number of lines that the guide of $id shows",
    ({ id, folder }) => {
      const readme = readFileSync(join(folder, "README.md"), "utf8");
      const [, added = ""] = readme.split("\n## Add retries");
      const blocks = [...added.matchAll(/^```\w+\n([\s\S]*?)\n```$/gm)].map(([, code = ""]) => code);
      const lines = blocks.flatMap((code) => code.split("\n")).length;
      expect(overviewRows().find((row) => row.includes(`${id}/README.md`))).toContain(`[Add ${lines} lines]`);
    },
  );

  test("each client and generator passed with its commands: npm run clients -- --record <name>", async () => {
    const runs = await lastRuns();
    const commandsIn = (of: Record<string, { commands: string[] }>) =>
      Object.fromEntries(Object.entries(of).map(([name, { commands }]) => [name, commands]));
    expect(commandsIn(runs.clients)).toEqual(
      Object.fromEntries(clients.map((client) => [client.id, recordedCommands(client)])),
    );
    expect(commandsIn(runs.generators)).toEqual(
      Object.fromEntries(generators.map((generator) => [generator.name, commandsOf(generator)])),
    );
  });

  test("the last runs have each requirement of the client suite: npm run clients -- --record", async () => {
    const ids = [...requirementsOfCases(clientCases("full"))].sort();
    for (const { generated, reliable = generated } of Object.values((await lastRuns()).clients))
      for (const { verdicts } of [generated, reliable]) expect(Object.keys(verdicts).sort()).toEqual(ids);
  });

  test("each requirement that a client fails has a topic", async () => {
    const failed = Object.values((await lastRuns()).clients)
      .flatMap(({ generated, reliable }) => [generated, reliable ?? generated])
      .flatMap(({ verdicts }) => Object.keys(verdicts).filter((id) => verdicts[id] !== "pass"));
    expect(failed.filter((id) => topicOf(id) === undefined)).toEqual([]);
  });
});

describe("client.yaml", () => {
  const valid = readFileSync(join(clients[0]?.folder ?? "", "client.yaml"), "utf8");
  const change = (changes: object) => () => parseClient("x", JSON.stringify({ ...parse(valid), ...changes }));

  test("an unknown property is rejected", () => {
    expect(change({ lang: "Go" })).toThrow("lang is not a known property");
  });

  test("an unknown generator is rejected", () => {
    expect(change({ generator: "swagger-codegen" })).toThrow('unknown generator (got "swagger-codegen")');
  });

  test("a client without a generator has its own commands", () => {
    expect(change({ generator: undefined })).toThrow("clients/x/client.yaml is invalid");
  });
});
