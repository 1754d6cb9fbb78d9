import { abilities } from "../../generated/operations.ts";
import { displayPath, readTextFile } from "../../lib/files.ts";
import { assertNoProblems, type Problem, schemaProblems } from "../../lib/schema-errors.ts";
import { parseDuration } from "../../lib/text.ts";
import { type Path, parseYaml, type YamlSource } from "../../lib/yaml-source.ts";
import { fits } from "../domain/contacts.ts";
import { day, readTime, writeTime } from "../domain/times.ts";
import schema from "./seed.schema.json" with { type: "json" };
import { keyId, type Seed, type SeedAccount, type SeedContact } from "./seed.ts";

const hint = "See the schema sandbox/seed/seed.schema.json and the example sandbox/seed/demo.json.";

/**
 * Reads a seed from a YAML or JSON file.
 * @throws UserError that lists every problem with its line
 */
export function readSeed(path: string): Seed {
  const text = readTextFile(path, { maxMegabytes: 16, hint: "Give --seed the path of a YAML or JSON file." });
  const source = parseYaml(text, displayPath(path), { hint });
  return checkSeed(source.value, source);
}

/**
 * Validates a seed: its schema, unique names, and references.
 * @throws UserError that lists every problem
 */
export function checkSeed(value: unknown, source?: YamlSource): Seed {
  const problems = schemaProblems(schema, value);
  assertNoProblems(problems.length > 0 ? problems : referenceProblems(value as Seed), {
    subject: source === undefined ? "the seed" : `the seed ${source.name}`,
    hint,
    ...(source !== undefined && { source }),
  });
  return value as Seed;
}

const oneAbility = `must be one of ${Object.keys(abilities).join(", ")}`;

/** A hundred years: well within the range of Date. */
const longestDuration = 100 * 366 * day;

/** The problems of a seed that its schema cannot express: duplicate names, unknown references, and times that do not exist. */
function referenceProblems(seed: Seed): Problem[] {
  const problems = new Problems();
  for (const [index, account] of seed.accounts.entries()) {
    const { id, domains = [], templates = [], lists = [], customFields = [], messages = [] } = account;
    const path = ["accounts", index];
    problems.unique("account", id, [...path, "id"]);
    checkKeys(account, path, problems);
    const named: [kind: string, list: string, property: string, values: (string | number)[]][] = [
      ["domain", "domains", "name", domains.map(({ name }) => name.toLowerCase())],
      [`template of ${id}`, "templates", "id", templates.map((template) => template.id)],
      ["list", "lists", "id", lists.map((list) => list.id)],
      [`custom field of ${id}`, "customFields", "key", customFields.map(({ key }) => key)],
      ["message", "messages", "id", messages.map((message) => message.id)],
    ];
    for (const [kind, list, property, values] of named)
      for (const [at, value] of values.entries()) problems.unique(kind, value, [...path, list, at, property]);
    for (const [at, contact] of (account.contacts ?? []).entries())
      checkContact(account, contact, [...path, "contacts", at], problems);
    for (const [at, { scheduledAt }] of messages.entries())
      checkTimeOrDuration(scheduledAt, [...path, "messages", at, "scheduledAt"], problems);
  }
  return problems.found;
}

class Problems {
  readonly found: Problem[] = [];
  readonly #names = new Set<string>();

  add(path: Path, message: string, value: unknown): void {
    this.found.push({ path, message: `${message} (got ${JSON.stringify(value)})` });
  }

  unique(kind: string, value: string | number, path: Path): void {
    const name = `${kind} ${value}`;
    if (this.#names.has(name)) this.add(path, "must be unique", value);
    this.#names.add(name);
  }
}

function checkKeys(account: SeedAccount, path: Path, problems: Problems): void {
  const domains = (account.domains ?? []).map(({ name }) => name.toLowerCase());
  for (const [index, { key, id, abilities: own = [], domain, stopsAt }] of account.keys.entries()) {
    const at = [...path, "keys", index];
    problems.unique("key", key, [...at, "key"]);
    problems.unique("key id", keyId(account, index), id === undefined ? at : [...at, "id"]);
    for (const [place, ability] of own.entries())
      if (!Object.hasOwn(abilities, ability)) problems.add([...at, "abilities", place], oneAbility, ability);
    if (domain !== undefined && !domains.includes(domain.toLowerCase()))
      problems.add([...at, "domain"], "must be a domain of the account", domain);
    checkTimeOrDuration(stopsAt, [...at, "stopsAt"], problems);
  }
}

function checkContact(account: SeedAccount, contact: SeedContact, path: Path, problems: Problems): void {
  const { email, fields = {}, memberships = [] } = contact;
  const address = email.toLowerCase();
  problems.unique(`contact of ${account.id}`, address, [...path, "email"]);
  for (const [key, value] of Object.entries(fields)) {
    const type = account.customFields?.find((field) => field.key === key)?.type;
    if (type === undefined)
      problems.add([...path, "fields", key], "must be a custom field of the account", key);
    // Numbers are numbers here, not texts with one.
    else if (!fits[type](value) || (type === "number" && typeof value !== "number"))
      problems.add([...path, "fields", key], `must be a ${type}`, value);
  }
  for (const [index, { list, subscribedAt, unsubscribedAt }] of memberships.entries()) {
    const at = [...path, "memberships", index];
    problems.unique(`membership of ${account.id} ${address}`, list, [...at, "list"]);
    if (!account.lists?.some(({ id }) => id === list))
      problems.add([...at, "list"], "must be the id of a list of the account", list);
    checkTime(subscribedAt, [...at, "subscribedAt"], problems);
    checkTime(unsubscribedAt, [...at, "unsubscribedAt"], problems);
  }
}

function checkTimeOrDuration(text: string | undefined, path: Path, problems: Problems): void {
  const length = text?.startsWith("P") ? parseDuration(text) : undefined;
  if (length === undefined) checkTime(text, path, problems);
  else if (length > longestDuration) problems.add(path, "must be at most a hundred years", text);
}

function checkTime(text: string | undefined, path: Path, problems: Problems): void {
  if (text !== undefined && !isTime(text)) problems.add(path, "must be an existing time", text);
}

/** Whether a time exists, for `Date` too, and has a year with four digits in UTC: an offset can lead to another. */
function isTime(text: string): boolean {
  const at = readTime(text);
  return at !== undefined && !Number.isNaN(Date.parse(text)) && /^\d/.test(writeTime(at));
}
