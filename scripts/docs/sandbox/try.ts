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

export async function writeTry(document: OpenApiDocument, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  // The installed package has no sources.
  if (isPackaged) await cp(join(root, "dist/try"), folder, { recursive: true });
  else await (await import("./build.ts")).buildTry(folder);
  const baseUrl = baseUrlOf(document);
  // No server is at the base URL of the bundle.
  const isPlaceholder = baseUrl === baseUrlOf(await readBundle());
  await writeFile(join(folder, "data.json"), tryData(document, isPlaceholder ? undefined : baseUrl));
}

/** What the panel "Try it" knows of the API and of the demo accounts, as JSON. @param baseUrl default: a server of the reader */
export const tryData = (document: OpenApiDocument, baseUrl = "http://127.0.0.1:8080"): string =>
  JSON.stringify({
    start: exampleTime,
    baseUrl,
    keys: demo.accounts.flatMap(({ id, keys }) =>
      keys.map((key) => ({ id: `${id}.${key.id}`, label: `${id} · ${key.label}`, key: key.key })),
    ),
    // An overlay may add operations, which the sandbox does not have.
    operations: operationsOf(document)
      .filter(({ id }) => Object.hasOwn(operations, id))
      .map((placed) => operationData(document, placed)),
    recipients: {
      sandbox: recipientsAt(document, demo.simulatorDomain),
      own: recipientsAt(document, document["x-simulator"].domain),
    },
    seeded: demo.accounts.flatMap(({ messages = [] }) => messages.map(({ id }) => id)),
    errors: Object.keys(errors),
  });

const recipientsAt = (document: OpenApiDocument, domain: string): string[] =>
  document["x-simulator"].recipients.map(({ localPart }) => `${localPart}@${domain}`);

function operationData(
  document: OpenApiDocument,
  { id, method, path, parameters, operation }: PlacedOperation,
) {
  const examples = Object.entries(operation.requestBody?.content["application/json"]?.examples ?? {});
  const rows: Record<string, { idempotent: boolean }> = operations;
  return {
    ...{ id, path, method: method.toUpperCase(), idempotent: rows[id]?.idempotent === true },
    parameters: parameters
      .filter((one) => one.in !== "header")
      .map(({ name, in: place, example = "" }) => ({ name, in: place, example: String(example) })),
    examples: examples.map(([name, reference]) => {
      const { summary = name, value } = dereference<Example>(document, reference);
      return { title: summary, body: JSON.stringify(value) };
    }),
  };
}
