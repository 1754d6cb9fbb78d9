import { limits } from "../../../../generated/limits.ts";
import type { Trace, TracedRequirement } from "../../../../scripts/docs/pages/trace.ts";
import { operationsOf } from "../../../../scripts/document/operations.ts";
import type { ErrorRow, Lifecycle, OpenApiDocument, Transition } from "../../../../scripts/document/types.ts";
import { below, errorPath, type Facts, operationSpot, type Spot } from "./fact.ts";

const on = (page: string, ...trail: string[]): Spot => ({ page, trail });
const capital = (text: string): string => `${text[0]?.toUpperCase()}${text.slice(1)}`;

/** What the tables of the document say. */
export function tableFacts(document: OpenApiDocument, facts: Facts): void {
  for (const row of document["x-errors"]) errorFacts(document, facts, row);
  for (const [name, limit] of Object.entries(document["x-limits"])) {
    const spot = on("limits", `| ${name}`);
    const value = limits[name as keyof typeof limits].toLocaleString("en-US");
    for (const text of [`${value} ${limit.unit}`, limit.description]) facts.say(spot, "limit", text);
    facts.marks(spot, limit);
  }
  abilityFacts(document, facts);
  for (const row of document["x-unspecified"]) {
    for (const text of [row.text, ...row.operations]) facts.say(on("unspecified", row.id), "open", text);
  }
  for (const [name, lifecycle] of Object.entries(document["x-lifecycles"]))
    lifecycleFacts(document, facts, on("lifecycles", capital(name)), lifecycle);
  simulatorFacts(document, facts);
  versioningFacts(document, facts);
}

const repeating = {
  never: ["no", "No. The same request fails again"],
  after: ["after Retry-After", "Yes, after the number of seconds in the Retry-After header"],
  backoff: ["with backoff", "Yes, with backoff: wait longer before each attempt"],
} as const;

function errorFacts(document: OpenApiDocument, facts: Facts, row: ErrorRow): void {
  const [, , distinction] = row.id.split(".");
  const name = [row.status, row.type, distinction && `(${distinction})`].filter(Boolean).join(" ");
  const [short, long] = repeating[row.retry];
  const [line, spot] = [on("errors", `| ${name}`), on("errors", name)];
  for (const text of [short, row.when]) facts.say(line, "error", text);
  facts.leads(line, errorPath(row));
  for (const id of row.operations) facts.leads(spot, `${operationSpot(id).page}/`);
  const cause = `Cause. ${row.when} Resolution. ${row.resolution} Retry. ${long}`;
  for (const text of [cause, ...row.operations]) facts.say(spot, "error", text);
  const everywhere = row.operations.length === operationsOf(document).length;
  facts.say(spot, "operations", everywhere ? "All operations." : "");
  facts.say(spot, "operations", row.operations.length === 0 ? "the request reaches no operation" : "");
  facts.marks(spot, row);
}

function abilityFacts(document: OpenApiDocument, facts: Facts): void {
  for (const scheme of Object.values(document.components.securitySchemes ?? {})) {
    facts.say(on("abilities"), "description", scheme.description);
    facts.marks(on("abilities"), scheme);
  }
  for (const [ability, row] of Object.entries(document["x-abilities"])) {
    facts.say(on("abilities", ability), "description", row.description);
    facts.marks(on("abilities", ability), row);
  }
  for (const { id, operation } of operationsOf(document))
    for (const ability of operation.security.flatMap((scheme) => Object.values(scheme).flat()))
      facts.say(on("abilities", ability, `| ${id}`), "ability", operation.summary);
}

function lifecycleFacts(document: OpenApiDocument, facts: Facts, spot: Spot, lifecycle: Lifecycle): void {
  facts.say(spot, "description", lifecycle.description);
  facts.marks(spot, lifecycle);
  for (const state of lifecycle.unspecified ?? []) facts.say(spot, "state", state);
  for (const row of lifecycle.transitions) {
    const place = below(spot, `| ${[row.on, row.when].filter(Boolean).join(" ")}`);
    facts.say(place, "transition", `${fromOf(row).join(", ")} → ${targetOf(document, row)}`);
    const refusal = document["x-errors"].find(({ type }) => row.error !== undefined && type === row.error);
    if (refusal !== undefined) facts.leads(place, errorPath(refusal));
    for (const text of [row.on, row.when, row.effect]) facts.say(place, "transition", text);
    facts.marks(place, row);
    for (const from of row.to === null ? [] : fromOf(row))
      for (const text of [`From ${from} to ${row.to}:`, row.on]) facts.say(spot, "arrow", text, "drawn");
  }
}

const fromOf = ({ from }: Transition): string[] => from ?? ["(new)"];

function targetOf(document: OpenApiDocument, { to, from, error }: Transition): string {
  const row = document["x-errors"].find(({ type }) => error !== undefined && type === error);
  if (row !== undefined) return `error ${row.status} ${row.type}`;
  return to ?? (from === null ? "(unspecified)" : "(unchanged)");
}

function simulatorFacts(document: OpenApiDocument, facts: Facts): void {
  const simulator = document["x-simulator"];
  facts.say(on("simulator"), "recipient", simulator.domain);
  facts.say(on("simulator"), "description", simulator.description);
  facts.marks(on("simulator"), simulator);
  for (const row of simulator.recipients) {
    const spot = on("simulator", `${row.localPart}@`);
    for (const text of [row.description, row.states.join(" → ")]) facts.say(spot, "recipient", text);
    facts.marks(spot, row);
  }
}

function versioningFacts(document: OpenApiDocument, facts: Facts): void {
  const rules = document["x-versioning"];
  facts.say(on("versioning"), "rule", rules?.prefix);
  const parts: Record<string, string | string[] | undefined> = {
    "Additive changes": rules?.added,
    "Changes that never happen within the version": rules?.never,
    "Breaking changes": rules?.breaking,
    Deprecation: rules?.deprecation,
    Changelog: [...(rules?.history ?? []), rules?.changelog ?? ""],
  };
  for (const [heading, texts] of Object.entries(parts))
    for (const text of [texts].flat()) facts.say(on("versioning", heading), "rule", text);
  facts.marks(on("versioning", "Changelog"), rules ?? {});
}

/** The promises, with what verifies them, on their own page and on those of the operations that they concern. */
export function requirementFacts({ requirements }: Trace, facts: Facts): void {
  for (const row of requirements) {
    const spot = on("requirements", row.topic === "call-log" ? "API log" : capital(row.topic), row.id);
    facts.say(spot, "requirement", row.text);
    facts.say(spot, "requirement", `Kind: ${row.kind}`);
    for (const text of [...row.operations, ...verification(row)]) facts.say(spot, "requirement", text);
    for (const id of row.operations) {
      const place = below(operationSpot(id), "Requirements", row.id);
      facts.leads(place, `requirements/#${row.id}`);
      for (const text of [row.text, ...verification(row)]) facts.say(place, "requirement", text);
    }
    if (row.topic === "idempotency")
      facts.say(on("idempotency", "Requirements", row.id), "requirement", row.text);
  }
}

const verification = ({ checks, excluded }: TracedRequirement): (string | null)[] => [
  ...checks.map(({ law }) => law),
  excluded && `Not verified: ${excluded}`,
];
