import { markdownTable } from "../../../lib/text.ts";
import demo from "../../../sandbox/seed/demo.json" with { type: "json" };
import { limitOf } from "../../document/limits.ts";
import { abilitiesOf, operationsOf, type PlacedOperation } from "../../document/operations.ts";
import { dereference } from "../../document/references.ts";
import { headerNames } from "../../document/responses.ts";
import type { Header, OpenApiDocument, Parameter } from "../../document/types.ts";
import { inWords, kebab, operationPath, type Page } from "../page.ts";
import { parameterEntry } from "../parts/request.ts";
import { headerEntry } from "../parts/responses.ts";
import { amount } from "../schema/constraints.ts";
import {
  all,
  anchor,
  box,
  bulletList,
  cellLines,
  code,
  fieldList,
  joined,
  operationLink,
  operationLinks,
  siteLink,
} from "../text/markdown.ts";
import { mergedIds, requirementNotes } from "../text/requirement-notes.ts";
import { errorLink } from "./errors.ts";

export const operationsWith = (document: OpenApiDocument, tag: string): PlacedOperation[] =>
  operationsOf(document).filter(({ operation }) => operation.tags.includes(tag));

export function operationsPage(document: OpenApiDocument): Page {
  const lists = document.tags.map(({ name }) => {
    const rows = operationsWith(document, name).map(({ id, method, path, operation }) => [
      siteLink(operation.summary, operationPath(id)),
      code(`${method.toUpperCase()} ${path}`),
      code(id),
    ]);
    return joined(`## ${name}`, markdownTable(["Operation", "Request", "Operation id"], rows));
  });
  return {
    path: "operations",
    source: "openapi/openapi.yaml",
    title: "Operations",
    label: "All operations",
    description: "Every operation with its method, path and operation id.",
    text: joined(
      "Every operation with its method, path and operation id.",
      // A search for a word should find the page of the operation.
      `<div class="even" data-pagefind-ignore>`,
      ...lists,
      "</div>",
    ),
  };
}

export function abilitiesPage(document: OpenApiDocument): Page {
  // Abilities with the same description have one section.
  const groups = Map.groupBy(Object.entries(document["x-abilities"]), ([, { description }]) => description);
  const sections = [...groups].map(([description, abilities]) => {
    const names = abilities.map(([name]) => name);
    const rows = operationsOf(document)
      .filter(({ operation }) => abilitiesOf(operation).some((name) => names.includes(name)))
      .map(({ id, operation }) => [operationLink(id), operation.summary]);
    return joined(
      `## ${all(names.map(code))}`,
      description,
      requirementNotes(mergedIds(...abilities.map(([, row]) => row))),
      rows.length === 0 ? "" : markdownTable(["Operation", "Description"], rows),
    );
  });
  const scheme = Object.values(document.components.securitySchemes ?? {})[0] ?? {};
  const others = operationsOf(document).filter(({ operation }) => abilitiesOf(operation).length === 0);
  return {
    path: "abilities",
    source: "openapi/abilities.yaml",
    title: "Keys and abilities",
    description: "How requests are authenticated, and which ability each operation requires of the API key.",
    text: joined(
      String(scheme.description ?? ""),
      requirementNotes(scheme),
      // Lets the search find the page by the words of other APIs.
      "Other APIs call an ability a permission or a scope.",
      others.length === 0
        ? ""
        : `Which ability ${operationLinks(others.map(({ id }) => id))} requires is ${siteLink("unspecified", "unspecified")}.`,
      ...sections,
    ),
  };
}

export function limitsPage(document: OpenApiDocument): Page {
  const rows = Object.entries(document["x-limits"]).map(([name, limit]) => [
    `${anchor(name)}${inWords(name)}`,
    amount(limitOf(document, name, limit), limit.unit),
    joined(...document["x-errors"].filter(({ id }) => id === limit.error).map(errorLink)),
    cellLines(limit.description, requirementNotes(limit, [], name)),
  ]);
  return {
    path: "limits",
    source: "openapi/limits.yaml",
    title: "Limits",
    description: "Every limit of the API: rates, sizes, lengths, counts and durations.",
    text: joined(
      "Rates, sizes, lengths, counts and durations, with the error for a request beyond the limit.",
      box("limits", markdownTable(["Limit", "Value", "Error", "Description"], rows)),
    ),
  };
}

export function idempotencyPage(document: OpenApiDocument): Page {
  const parameter = dereference<Parameter>(document, {
    $ref: "#/components/parameters/IdempotencyKeyParameter",
  });
  const replayed = dereference<Header>(document, { $ref: "#/components/headers/IdempotentReplayed" });
  const name = headerNames(document).get("IdempotentReplayed") ?? "";
  const operations = operationsOf(document).filter(({ parameters }) => parameters.includes(parameter));
  const requirements = document["x-requirements"].idempotency ?? [];
  return {
    path: "idempotency",
    source: "openapi/parameters/IdempotencyKeyParameter.yaml",
    title: "Idempotency",
    description: "How to retry a request without sending twice, and which operations support it.",
    text: joined(
      "With an idempotency key, you can send a request again, and the service sends or adds nothing twice.",
      "## Request header",
      fieldList(parameterEntry(document, parameter)),
      "## Operations",
      bulletList(operations.map(({ id, operation }) => `${operationLink(id)}: ${operation.summary}`)),
      "## Response header",
      fieldList(headerEntry(document, { id: kebab(name), name }, replayed)),
      "## Rules",
      "The guide says [what is certain, and what is not](site:guides/errors-and-retries#what-is-certain-and-what-is-not).",
      bulletList(requirements.map(({ id, text }) => `${text} ${requirementNotes({ "x-encodes": [id] })}`)),
    ),
  };
}

export function simulatorPage(document: OpenApiDocument): Page {
  const simulator = document["x-simulator"];
  const sandbox = siteLink("a sandbox that you run", "guides/sandbox");
  const domains =
    simulator.domain === demo.simulatorDomain
      ? `here, in "Try it" and in ${sandbox}`
      : `here and in "Try it"; ${sandbox} has ${code(demo.simulatorDomain)}, unless its seed file names another`;
  const recipients = simulator.recipients.map((recipient) =>
    joined(
      `## ${code(`${recipient.localPart}@`)}`,
      recipient.description,
      `\`\`\`text\n${recipient.localPart}@${simulator.domain}\n\`\`\``,
      recipient.states.length === 0 ? "" : `States: ${recipient.states.map(code).join(", then ")}`,
      requirementNotes(recipient),
    ),
  );
  return {
    path: "simulator",
    source: "openapi/simulator.yaml",
    title: "Simulated recipients",
    description: "Recipients for tests: the outcome of a message to each of them is known in advance.",
    text: joined(
      simulator.description,
      `The simulator domain is ${code(simulator.domain)} ${domains}. To send to one of them now, open ${siteLink("Send a message", operationPath("sendEmail"))}, choose "Try it", and select it under "Recipient". ${siteLink("Lifecycles", "lifecycles#message")} explains the states.`,
      requirementNotes(simulator),
      ...recipients,
    ),
  };
}

/** Points of one operation have its summary as heading, points of several the group of these. */
export function unspecifiedPage(document: OpenApiDocument): Page {
  const operations = operationsOf(document);
  const [all, several, none] = [
    "All operations",
    "Several groups of operations",
    "Other parts of the service",
  ];
  const points = document["x-unspecified"].map(({ id, text, operations: ids }) => {
    const users = operations.filter((one) => ids.includes(one.id));
    const [tag = none, ...otherTags] = new Set(users.flatMap(({ operation }) => operation.tags));
    const ofTags = otherTags.length > 0 ? several : tag;
    const heading = users.length === operations.length ? all : ofTags;
    const links = users.map(({ id: user, operation }) => siteLink(operation.summary, operationPath(user)));
    const isSome = heading !== all && links.length > 1;
    return {
      heading: users.length === 1 ? users[0]?.operation.summary : heading,
      line: `${anchor(id)}${text} ${requirementNotes({ "x-leaves-unspecified": [id] })}${isSome ? `<br>In: <span data-pagefind-ignore>${links.join(", ")}</span>` : ""}`,
    };
  });
  const headings = document.tags.flatMap(({ name }) => [
    name,
    ...operationsWith(document, name).map(({ operation }) => operation.summary),
  ]);
  const sections = [all, several, ...headings, none].map((heading) => {
    const lines = points.filter((point) => point.heading === heading).map(({ line }) => line);
    return lines.length === 0 ? "" : joined(`## ${heading}`, bulletList(lines));
  });
  return {
    path: "unspecified",
    source: "openapi/requirements/unspecified.yaml",
    title: "Unspecified behavior",
    description: "Behavior that the service does not specify, so that no client depends on it.",
    text: joined(
      `The service does not specify these ${points.length} points. It may change them at any time, and the sandbox may behave differently. Do not depend on any of them.`,
      ...sections,
    ),
  };
}

export function versioningPage(document: OpenApiDocument): Page {
  const versioning = document["x-versioning"];
  return {
    path: "versioning",
    source: "openapi/versioning.yaml",
    title: "Versioning",
    description: `Which changes of ${versioning.version} are possible at any time, which are not, and how a new version is introduced.`,
    text: joined(
      `Every path of this version starts with ${code(versioning.prefix)}.`,
      "## Additive changes",
      "These can be added at any time:",
      bulletList(versioning.added),
      "Clients must ignore everything that they do not know.",
      "## Changes that never happen within the version",
      bulletList(versioning.never),
      "## Breaking changes",
      versioning.breaking,
      "## Deprecation",
      versioning.deprecation,
      "## Changelog",
      siteLink(versioning.changelog, "changelog"),
      "The history of the service:",
      versioning.history.map((line, index) => `${index + 1}. ${line}`).join("\n"),
      requirementNotes(versioning),
    ),
  };
}
