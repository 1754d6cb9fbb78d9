import { cp, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { errors } from "../../../generated/errors.ts";
import { exampleTime } from "../../../generated/examples.ts";
import { operations } from "../../../generated/operations.ts";
import demo from "../../../sandbox/seed/demo.json" with { type: "json" };
import { isPackaged, root } from "../../common/paths.ts";
import { operationsOf, type PlacedOperation } from "../../document/operations.ts";
import { readBundle } from "../../document/read-bundle.ts";
import { dereference } from "../../document/references.ts";
import { baseUrlOf } from "../../document/requests.ts";
import type { Example, OpenApiDocument } from "../../document/types.ts";
import { sampleRequests } from "../samples/samples.ts";

export async function writeTry(document: OpenApiDocument, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  // The installed package has no sources.
  if (isPackaged) await cp(join(root, "dist/try"), folder, { recursive: true });
  else await (await import("./build.ts")).buildTry(folder);
  await writeFile(join(folder, "data.json"), tryData(document, baseUrlOf(await readBundle())));
}

/**
 * What the panel "Try it" knows of the API and of the demo accounts, as JSON.
 * @param placeholder the base URL of the bundle, where no server is
 */
export const tryData = (document: OpenApiDocument, placeholder: string): string => {
  const baseUrl = baseUrlOf(document);
  const samples = sampleRequests(document);
  const simulator = document["x-simulator"];
  return JSON.stringify({
    start: exampleTime,
    baseUrl,
    ownUrl: baseUrl === placeholder ? "http://127.0.0.1:8080" : baseUrl,
    keys: demo.accounts.flatMap(({ id, keys }) =>
      keys.map((key) => ({ id: `${id}.${key.id}`, label: `${id} · ${key.label}`, key: key.key })),
    ),
    // An overlay may add operations, which the sandbox does not have.
    operations: operationsOf(document)
      .filter(({ id }) => Object.hasOwn(operations, id))
      .map((placed) => operationData(document, placed, samples)),
    simulatorDomain: simulator.domain,
    recipients: simulator.recipients.map(({ localPart }) => `${localPart}@${simulator.domain}`),
    seeded: demo.accounts.flatMap(({ messages = [] }) => messages.map(({ id }) => id)),
    errors: Object.keys(errors),
  });
};

function operationData(
  document: OpenApiDocument,
  { id, method, path, parameters, operation }: PlacedOperation,
  samples: ReturnType<typeof sampleRequests>,
) {
  const examples = Object.entries(operation.requestBody?.content["application/json"]?.examples ?? {});
  const rows: Record<string, { idempotent: boolean }> = operations;
  const sample = samples.find(({ operationId }) => operationId === id);
  return {
    ...{ id, path, method: method.toUpperCase() },
    idempotencyKey: rows[id]?.idempotent === true ? (sample?.headers["Idempotency-Key"] ?? "") : null,
    parameters: parameters
      .filter((one) => one.in !== "header")
      .map(({ name, in: place, example = "" }) => ({ name, in: place, example: String(example) })),
    examples: examples.map(([name, reference]) => {
      const { summary = name, value } = dereference<Example>(document, reference);
      return { title: summary, body: JSON.stringify(value) };
    }),
  };
}
