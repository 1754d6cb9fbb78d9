import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { generatedFolder } from "../../scripts/common/paths.ts";
import { compare, runDiff } from "../../scripts/diff/run.ts";
import { usagesOf } from "../../scripts/diff/usage.ts";
import { readBundle } from "../../scripts/document/read-bundle.ts";
import { isNode, type Node, nodeOf } from "../../scripts/document/values.ts";
import { type Editable, schema } from "../diff/changes/change.ts";
import { take } from "../document-edits.ts";
import { newPath } from "./server.ts";

const today = join(generatedFolder, "openapi.json");
let folder: string;
let future: Editable;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "additions-"));
  future = await readBundle();
  withAdditions(future);
  await writeFile(join(folder, "future.json"), JSON.stringify(future));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

/** Adds to a bundle what the server with all additions has. */
function withAdditions(bundle: Editable): void {
  const usages = usagesOf(structuredClone(bundle) as Node);
  for (const [name, one] of Object.entries<Editable>(bundle.components.schemas))
    if (usages.get(`schemas/${name}`)?.directions.has("response")) withField(one);
  const responses = Object.values<Editable>(bundle.paths)
    .flatMap((item) => Object.values<Editable>(item))
    .flatMap((operation) => Object.values<Editable>(operation.responses ?? {}));
  for (const response of [...responses, ...Object.values<Editable>(bundle.components.responses)])
    if (response.$ref === undefined) response.headers["X-Service-Region"] = { schema: { type: "string" } };
  schema(bundle, "ErrorType")["x-extensible-enum"].push("account_paused");
  const rows = bundle["x-errors"];
  const noPlan = rows.find(({ id }: Editable) => id === "402.no_plan");
  rows.push({ ...noPlan, id: "403.account_paused", status: 403, type: "account_paused" });
  schema(bundle, "EventType")["x-extensible-enum"].push("looked_at");
  bundle.paths[newPath] = { get: { ...bundle.paths["/api/v1/me"].get, operationId: "listSuppressions" } };
}

/** Adds a property to every object with properties, at any depth. */
function withField(value: unknown): void {
  if (Array.isArray(value)) for (const item of value) withField(item);
  if (!isNode(value)) return;
  for (const inner of Object.values(value)) withField(inner);
  if (value.type === "object" && isNode(value.properties))
    nodeOf(value.properties).object_version = { type: "integer" };
}

test("all five additions are additive and the exit code is 0", async () => {
  const log = vi.spyOn(console, "log").mockImplementation(() => {});
  const status = await runDiff({ base: today, revision: join(folder, "future.json") });
  log.mockRestore();
  expect(status).toBe(0);
  const { counts, differences } = await compare({ base: today, revision: join(folder, "future.json") });
  expect(counts).toMatchObject({ breaking: 0, editorial: 0 });
  expect(new Set(differences.map(({ kind }) => kind))).toEqual(
    new Set([
      "response-property-added",
      "response-header-added",
      "response-extensible-enum-value-added",
      "error-added",
      "endpoint-added",
    ]),
  );
  expect(new Set(differences.map(({ requirement }) => requirement))).toEqual(new Set(["VER-2"]));
});

test("one property removed among all additions is breaking", async () => {
  const broken = structuredClone(future);
  delete schema(broken, "Message").properties.sent_at;
  take("/components/schemas/Message/required", "sent_at")(broken);
  await writeFile(join(folder, "broken.json"), JSON.stringify(broken));
  const { counts, differences } = await compare({ base: today, revision: join(folder, "broken.json") });
  expect(counts.breaking).toBe(1);
  expect(differences[0]?.kind).toBe("response-property-removed");
});
