import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { rejectProblems, schemaProblems } from "../../lib/schema-errors.ts";
import { UserError } from "../../lib/user-error.ts";
import { root } from "../../scripts/common/paths.ts";
import { generators } from "../generators/all.ts";
import { steps, type Tool } from "../generators/generator.ts";
import schema from "./client.schema.json" with { type: "json" };

/** A client.yaml; client.schema.json describes its properties. */
interface ClientFile {
  language: string;
  generator?: string;
  name?: string;
  needs?: string[];
  versions?: Record<string, string>;
  install?: string;
  compile?: string;
  example: string;
  driver: string;
  reliable?: string;
  shown: string[];
}

/** A client of `clients/`, with the commands of its generator. */
export interface Client extends Pick<ClientFile, "language" | "example" | "driver" | "reliable" | "shown"> {
  /** The name of its folder. */
  id: string;
  /** Its folder, absolute. */
  folder: string;
  /** `oapi-codegen 2.8.2` */
  title: string;
  tool: Tool;
}

const clientsFolder = join(root, "clients");

/** @throws UserError if the file is invalid, or there is no such generator */
export function parseClient(id: string, text: string): Client {
  const file: ClientFile = parse(text);
  const subject = `clients/${id}/client.yaml`;
  const hint = "Its schema is test/clients/client.schema.json.";
  rejectProblems(schemaProblems(schema, file), { subject, hint });
  const row = generators.find(({ name }) => name === file.generator);
  if (file.generator !== undefined && row === undefined)
    throw new UserError(`${subject} names an unknown generator (got ${JSON.stringify(file.generator)})`, {
      hint: "`npm run generators -- --help` lists them.",
    });
  const commands = Object.fromEntries(
    steps.flatMap((step) => {
      const command = step === "read" || step === "generate" ? row?.[step] : (file[step] ?? row?.[step]);
      return command === undefined ? [] : [[step, command]];
    }),
  );
  const versions = { ...row?.versions, ...file.versions };
  const needs = [...(row?.needs ?? []), ...(file.needs ?? [])];
  const { language, example, driver, reliable, shown } = file;
  return {
    ...{ id, language, example, driver, shown, folder: join(clientsFolder, id) },
    ...(reliable === undefined ? {} : { reliable }),
    title: row === undefined ? (file.name ?? id) : `${row.name} ${row.version}`,
    tool: {
      ...{ name: id, version: row?.version ?? "", needs, versions, ...commands },
      ...(row?.file === undefined ? {} : { file: row.file }),
    },
  };
}

/** The clients by the names of their folders. */
export const readClients = (): Client[] =>
  readdirSync(clientsFolder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => parseClient(name, readFileSync(join(clientsFolder, name, "client.yaml"), "utf8")))
    .sort((one, other) => (one.id < other.id ? -1 : 1));
