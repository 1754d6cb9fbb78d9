import { execFile } from "node:child_process";
import { cp, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { promisify } from "node:util";
import { childEnvironment } from "../../contract/config/child-environment.ts";
import { UserError } from "../../lib/user-error.ts";
import { isPackaged, root } from "../common/paths.ts";
import { dereference } from "../document/references.ts";
import { baseUrlOf } from "../document/requests.ts";
import type { OpenApiDocument, Parameter } from "../document/types.ts";
import { clientPackage } from "./links.ts";

/** Writes the package of the TypeScript client, which readers install from its file. */
export async function writeClientPackage(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  // The installed package has no sources.
  if (isPackaged) await cp(join(root, "dist", clientPackage), join(folder, clientPackage));
  else await (await import("../../client/build.ts")).packClient(folder);
}

/** What `convertV2` of openapi-to-postmanv2 passes to its callback. */
interface Conversion {
  reason?: string;
  output?: { type: string; data: object }[];
}

/** A Postman collection as JSON. Its requests have the examples of the document and a new idempotency key each. */
export async function postmanCollection(document: OpenApiDocument): Promise<string> {
  const copy = structuredClone(document);
  dereference<Parameter>(copy, { $ref: "#/components/parameters/IdempotencyKeyParameter" }).example =
    "{{$guid}}";
  const { convertV2 } = createRequire(import.meta.url)("openapi-to-postmanv2");
  const conversion: Conversion = await promisify(convertV2)(
    { type: "string", data: JSON.stringify(copy) },
    { parametersResolution: "Example", folderStrategy: "Tags" },
  );
  const collection = conversion.output?.find(({ type }) => type === "collection")?.data;
  if (collection === undefined)
    throw new UserError(`cannot create the Postman collection: ${conversion.reason ?? ""}`);
  const variable = [
    { key: "baseUrl", value: baseUrlOf(document) },
    { key: "bearerToken", value: "", description: "The API key." },
  ];
  return `${JSON.stringify({ ...collection, variable }, null, 2)}\n`;
}

/** Writes a single-page reference by Redocly to `file`, an absolute path. The page loads nothing from other hosts. */
export async function writeRedocPage(document: OpenApiDocument, file: string): Promise<void> {
  const program = join(createRequire(import.meta.url).resolve("@redocly/cli/package.json"), "../bin/cli.js");
  const source = `${file}.json`;
  // Redocly shows the variables of a URL, not their values.
  const servers = document.servers.map(({ description, ...server }) => ({
    description,
    url: baseUrlOf({ servers: [server] }),
  }));
  await writeFile(source, JSON.stringify({ ...document, servers }));
  const args = ["build-docs", source, "--output", file, "--inlineBundle"];
  const env = childEnvironment({ REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" });
  await promisify(execFile)(process.execPath, [program, ...args], { env }).catch((cause: unknown) => {
    throw new UserError(`Redocly cannot build redoc.html: ${String(cause)}`, { cause });
  });
  await rm(source);
  const page = await readFile(file, "utf8");
  await writeFile(file, page.replaceAll(logo, `data:image/svg+xml,${encodeURIComponent(logoText)}`));
}

const logo = "https://cdn.redoc.ly/redoc/logo-mini-full.svg";

/** The text of a logo from another host. */
const logoText = `<svg xmlns="http://www.w3.org/2000/svg" width="46" height="14"><text y="11" font-family="sans-serif" font-size="11">Redocly</text></svg>`;
