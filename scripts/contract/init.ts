import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";
import { stringify } from "yaml";
import type { Environment } from "../../contract/config/config.ts";
import {
  type Discovery,
  discover,
  missingKey,
  readOperations,
  withDiscovery,
} from "../../contract/config/discover.ts";
import { defaultFiles, defaultVariable, settingsFrom } from "../../contract/config/load.ts";
import type { Need } from "../../contract/engine/check.ts";
import { profiles, type Role, type Settings } from "../../contract/engine/settings.ts";
import { absent, type Exchange, responseText } from "../../contract/exchange.ts";
import { planOf } from "../../contract/plan.ts";
import { brief } from "../../contract/text.ts";
import { coverageOf, requirementsByNeed } from "../../contract/verifiable.ts";
import { type OperationId, operations } from "../../generated/operations.ts";
import { printLine } from "../../lib/print.ts";
import { count, wrapped } from "../../lib/text.ts";
import { usageError } from "../../lib/user-error.ts";
import { root } from "../common/paths.ts";
import type { SetUpOptions } from "./options.ts";
import { printWait, tellingFetch } from "./output.ts";
import { allSettings, nodeAt, type Setting } from "./settings-list.ts";

export interface InitOptions extends SetUpOptions {
  /** Default: `contract.config.yaml`. */
  output?: string;
  force?: boolean;
}

/**
 * The command `contract init`: reads lists and custom fields from the server, in three requests, and writes a configuration with
 * comments.
 * @returns the exit code, 0
 * @throws UserError with exit code 2 if there is a configuration, the server does not respond or is not one of this API, or the key is
 * missing or rejected
 */
export async function runInit(options: InitOptions = {}): Promise<number> {
  const { output = "contract.config.yaml", env = process.env, folder = process.cwd() } = options;
  const { print = printLine, baseUrl, profile, fetch, wait, onWait = printWait } = options;
  const file = resolve(folder, output);
  assertNoFile(folder, output, options.force === true);
  const given = settingsFrom(undefined, undefined, { env, baseUrl, profile });
  const keyVariable = given.keyVariables.full;
  const means = { onWait, fetch: fetch ?? tellingFetch(given.deadlines.response) };
  const found = await discover(given, { ...means, keyVariable, wait });
  if (keyVariable === undefined) throw missingKey();
  const rejected = Object.entries(found.rejections) as [OperationId, Exchange | undefined][];
  const missing = rejected.flatMap(([name, one]) => (one && absent.includes(one.status) ? name : []));
  const settings = { ...withDiscovery(given, found), ...(missing[0] && { notImplemented: missing }) };
  const text = `${top}${schemaLine(file, root)}\n${templateOf(settings, found, env)}`;
  await writeFile(file, text, { flag: options.force === true ? "w" : "wx" });
  const { lists, fields } = found;
  const known: readonly string[] = [...readOperations, ...missing];
  const others = Object.keys(operations).filter((one) => !known.includes(one));
  const more = Object.keys(settings.keys).length - 1;
  const numberOf = (operation: OperationId, all: readonly object[], one: string): string =>
    operation in found.rejections ? `an unknown number of ${one}s` : count(all.length, one);
  const { able, all } = coverageOf(settings, planOf(settings));
  const lines = [
    [
      `The server has ${numberOf("listNewsletterLists", lists, "newsletter list")} and ${numberOf("listCustomFields", fields, "custom field")}.`,
      ...rejected.map(
        ([name, one]) => `${name} ${one ? `was rejected with ${responseText(one)}` : "got no response"}.`,
      ),
      ...(missing[0] ? ["What seems not to exist is in notImplemented."] : []),
      ...(more > 0 ? [`The environment has ${count(more, "other key")}.`] : []),
    ].join(" "),
    `Not looked for, because requests could change something or need an id: ${others.join(", ")}. List those that do not exist yet in notImplemented.`,
    `With this configuration, a run of the profile ${settings.profile} can verify up to ${able} of ${all} requirements.`,
    "Next: add the fixtures of your server, then run `email-api-contract contract doctor`.",
  ];
  print([`Written: ${output}`, ...lines.map((line) => wrapped(line))].join("\n"));
  return 0;
}

/** @throws UserError with exit code 2 if there is a configuration, which only `--force` replaces, and only one of the same name */
function assertNoFile(folder: string, output: string, isForced: boolean): void {
  if (!isForced && existsSync(resolve(folder, output)))
    throw usageError(
      `${output} already exists`,
      "It is unchanged. Use --force to replace it, or --output to write another file.",
    );
  const other = defaultFiles.find((name) => name !== output && existsSync(join(folder, name)));
  if (defaultFiles.includes(output) && other !== undefined)
    throw usageError(
      `there already is a configuration: ${other}`,
      "It is unchanged. Remove it, or use --output to write one with another name.",
    );
}

const top = `# The configuration of the contract suite for one server. Uncomment the settings
# that your server has; checks whose settings are missing are not verified.
# Do not write secrets here: API keys come from environment variables.
#
# \`email-api-contract contract doctor\` checks it, and prints what a run sends.
`;

/** The line that tells editors the schema; none if others would not have the package, such as outside of the project. */
export function schemaLine(file: string, packageFolder: string): string {
  const [project = "", ...inside] = packageFolder.split("/node_modules/");
  const path = relative(dirname(file), join(packageFolder, "contract/config/contract.schema.json"));
  const isAbove = path.startsWith(".");
  if (!file.startsWith(join(project, "/")) && (isAbove || inside.length > 0)) return "";
  return `#\n# yaml-language-server: $schema=${isAbove ? "" : "./"}${path}\n`;
}

/** A configuration in YAML: known settings, and all others commented out, each with its description. */
function templateOf(settings: Settings, { lists, fields }: Discovery, env: Environment): string {
  const { baseUrl, keys, fixtures, profile, notImplemented } = settings;
  // A run finds them again; they would be a long line.
  const { manyFields: _, ...shown } = fixtures;
  const have = { ...shown, keys } as Record<string, unknown>;
  const byNeed = requirementsByNeed(planOf(settings));
  const notes = new Map<Need, string>();
  for (const [name, id] of Object.entries(fixtures.lists ?? {}))
    notes.set(`lists.${name}` as Need, lists.find((list) => list.id === id)?.name ?? "");
  for (const [type, key] of Object.entries(fixtures.fields ?? {}))
    notes.set(`fields.${type}` as Need, fields.find((field) => field.key === key)?.label ?? "");

  const lineOf = ({ need, description, examples: [given] = [] }: Setting): Line => {
    const [section = "", inner] = need.split(".");
    const role = section === "keys" ? (inner as Role) : undefined;
    const found =
      inner === undefined ? have[section] : (have[section] as Record<string, unknown> | undefined)?.[inner];
    const example = role === undefined ? given : defaultVariable(role, env);
    const size = need === "keys.full" ? 0 : (byNeed.get(need)?.size ?? 0);
    const number = size === 0 ? "" : ` Needed for ${count(size, "requirement")} of the profile ${profile}.`;
    const note = notes.get(need);
    return {
      name: inner ?? section,
      comment: description + number,
      value: role === undefined ? (found ?? example) : example,
      isSet: found !== undefined,
      ...(note && { note }),
    };
  };
  const sections = Map.groupBy(byImportance(byNeed), ({ need }) => need.split(".")[0] ?? "");
  const setting = (name: string, set?: unknown): Line => {
    const { description: comment, examples: [example] = [] } = nodeAt(name);
    return { name, comment, value: set ?? example, isSet: set !== undefined };
  };
  const parts: Part[] = [
    setting("baseUrl", baseUrl),
    setting("implementation"),
    { ...setting("profile", profile), note: profiles.join(", ") },
    setting("without"),
    setting("notImplemented", notImplemented),
    ...[...sections].map(([name, own]): Part => {
      const lines = own.map(lineOf);
      return lines.find((line) => line.name === name) ?? { name, comment: nodeAt(name).description, lines };
    }),
    setting("attachmentServer"),
    setting("deadlines"),
    setting("expectedFailures"),
  ];
  // Removing the # of a line sets it.
  const texts = parts.map((part) => ("lines" in part ? group(part) : line(part, "", part.isSet ? "" : "#")));
  return `${texts.join("\n\n")}\n`;
}

/** All settings, the domains of roles as one. */
const settings: readonly Setting[] = [
  ...allSettings.filter(({ need }) => !need.startsWith("domains.ofRole.")),
  { ...nodeAt("domains.ofRole"), need: "domains.ofRole" as Need },
];

/** The settings that most requirements need first: a section stands where its most important setting does, `keys.full` before other keys. */
function byImportance(byNeed: ReadonlyMap<Need, ReadonlySet<string>>): Setting[] {
  const weight = ({ need }: Setting): number => byNeed.get(need)?.size ?? 0;
  const full = settings.filter(({ need }) => need === "keys.full");
  const others = settings.filter((one) => !full.includes(one));
  const ordered = others.toSorted((one, other) => weight(other) - weight(one));
  const firstKey = ordered.findIndex(({ need }) => need.startsWith("keys."));
  return ordered.toSpliced(firstKey, 0, ...full);
}

/** A setting with its description, and its value, or an example that is commented out. */
interface Line {
  name: string;
  comment: string;
  value: unknown;
  isSet: boolean;
  /** A comment after the value. */
  note?: string;
}

/** A group of settings, commented out as a whole if none is set; or a single setting. */
type Part = Line | { name: string; comment: string; lines: Line[] };

function group({ name, comment, lines }: Extract<Part, { lines: Line[] }>): string {
  const off = lines.some((one) => one.isSet) ? "" : "#";
  const inner = lines.map((one) => line(one, "  ", off === "" && !one.isSet ? "#" : "", off));
  return [...remark(comment, ""), `${off}${name}:`, ...inner].join("\n");
}

/**
 * @param indent of the line within its group
 * @param off comments out a line of a group that is set
 * @param all comments out a line of a group that is not set
 */
function line({ name, comment, value, note }: Line, indent: string, off: string, all = ""): string {
  const text = stringify({ [name]: value }, { lineWidth: 0 })
    .trimEnd()
    .split("\n");
  const lines = note === undefined ? text : [`${text[0]} # ${brief(note, 60)}`, ...text.slice(1)];
  return [...remark(comment, all + indent), ...lines.map((one) => `${all}${indent}${off}${one}`)].join("\n");
}

const remark = (text: string, before: string): string[] =>
  text === "" ? [] : wrapped(`${before}# ${text}`, `${before}# `).split("\n");
