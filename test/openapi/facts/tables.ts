import { nameOf } from "../../../scripts/document/json-pointer.ts";
import { schemaLimits } from "../../../scripts/document/limits.ts";
import { operationsOf, parametersOf, tagsOf } from "../../../scripts/document/operations.ts";
import {
  entriesOf,
  listOf,
  type Node,
  nodeOf,
  rowsOf,
  textOf,
  textsOf,
} from "../../../scripts/document/values.ts";
import type { Facts } from "./shape.ts";

/** Sets of operations by name, from their definitions, so that a new operation changes no row. */
function operationSets(document: Node): [name: string, ids: string][] {
  const places = operationsOf(document);
  const idsOf = (belongs: (place: (typeof places)[number]) => boolean): string =>
    places
      .filter(belongs)
      .map(({ id }) => id)
      .join(" ");
  const hasInput = (place: (typeof places)[number]): boolean =>
    place.operation.requestBody !== undefined ||
    parametersOf(document, place).some(({ value }) => value.in === "query");
  return [
    ["all", idsOf(() => true)],
    ["all but Account", idsOf((place) => !tagsOf(place).includes("Account"))],
    ["with a body or a query parameter", idsOf(hasInput)],
  ];
}

const errors = (document: Node): Record<string, string> => {
  const sets = operationSets(document);
  return Object.fromEntries(
    rowsOf(document["x-errors"]).map(([, row]) => {
      const ids = textsOf(listOf(row.operations)).join(" ");
      const [name] = sets.find(([, members]) => members === ids) ?? [ids];
      return [
        textOf(row.id),
        `${row.status} ${row.type} ${row.retry}: ${name}${row.namesFields === true ? ", names fields" : ""}`.trim(),
      ];
    }),
  );
};

const limits = (document: Node): Record<string, string> => {
  const inSchemas = new Map(schemaLimits(document).map(({ name, value }) => [name, value]));
  return Object.fromEntries(
    entriesOf(document["x-limits"]).map(([name, row]) => [
      name,
      `${inSchemas.get(name) ?? row.value} ${row.unit}${row.schema !== undefined && row.keyword === undefined ? ` of ${nameOf(textOf(row.schema))}` : ""}${row.error === undefined ? "" : ` -> ${textOf(row.error)}`}`,
    ]),
  );
};

/** The states in which each property of a record is set and null. */
const recordStates = ({ schema, state, properties }: Node): [string, string][] =>
  Object.entries(
    Object.groupBy(
      rowsOf(properties).map(([, row]) => row),
      ({ property }) => textOf(property),
    ),
  ).map(([property, rows = []]) => [
    `${textOf(schema).split("/").at(-1)}.${property}`,
    rows
      .flatMap(({ set, unset, unless }) => [
        ...(set === undefined ? [] : [`set if ${state} ${textsOf(set).join(" ")}`]),
        ...(unset === undefined ? [] : [`null if ${state} ${textsOf(unset).join(" ")}`]),
        ...Object.entries(nodeOf(unless)).map(([name, not]) => `unless ${name} ${not}`),
      ])
      .join(", "),
  ]);

const lifecycle = (value: unknown): Record<string, string> => ({
  unspecified: textsOf(listOf(nodeOf(value).unspecified)).join(" "),
  ...Object.fromEntries(rowsOf(nodeOf(value).records).flatMap(([, record]) => recordStates(record))),
  ...Object.fromEntries(
    rowsOf(nodeOf(value).transitions).map(([index, { from, on, when, to, error }]) => [
      String(index),
      `${from === null ? "nothing" : textsOf(from).join(" ")} -- ${on}${when === undefined ? "" : " (if)"} -> ${to ?? "same"}${
        error === undefined ? "" : `, ${error}`
      }`,
    ]),
  ),
});

const root = (document: Node): Record<string, string> => ({
  openapi: textOf(document.openapi),
  servers: JSON.stringify(
    listOf(document.servers).map((server) => [
      nodeOf(server).url,
      nodeOf(nodeOf(server).variables).base_url && nodeOf(nodeOf(nodeOf(server).variables).base_url).default,
    ]),
  ),
  security: JSON.stringify(document.security),
  scheme: entriesOf(nodeOf(document.components).securitySchemes)
    .map(([name, { type, scheme }]) => `${name} ${type} ${scheme}`)
    .join(),
  tags: rowsOf(document.tags)
    .map(([, tag]) => textOf(tag.name))
    .join(" "),
  products: rowsOf(document.tags)
    .map(([, tag]) => tag["x-product"] ?? "none")
    .join(" "),
  verifiedDomain: rowsOf(document.tags)
    .flatMap(([, tag]) => (tag["x-requires-verified-domain"] === true ? [textOf(tag.name)] : []))
    .join(" "),
  newsletterErrors: rowsOf(document.tags)
    .flatMap(([, tag]) => textsOf(listOf(tag["x-error-types"])))
    .join(" "),
  abilities: Object.keys(nodeOf(document["x-abilities"])).join(" "),
  unspecified: `${listOf(document["x-unspecified"]).length} rows`,
  exampleTime: textOf(document["x-example-time"]),
});

const simulator = (document: Node): Record<string, string> => {
  const { domain, recipients } = nodeOf(document["x-simulator"]);
  return {
    domain: textOf(domain),
    ...Object.fromEntries(
      rowsOf(recipients).map(([, { localPart, states }]) => [textOf(localPart), textsOf(states).join(" ")]),
    ),
  };
};

const versioning = (document: Node): Record<string, string> => {
  const { version, prefix, added, never } = nodeOf(document["x-versioning"]);
  return {
    version: textOf(version),
    prefix: textOf(prefix),
    added: textsOf(added).join(", "),
    never: textsOf(never).join(", "),
  };
};

/** The root of the document and its tables. */
export const readTables = (document: Node): Facts => ({
  root: root(document),
  errors: errors(document),
  limits: limits(document),
  message: lifecycle(nodeOf(document["x-lifecycles"]).message),
  membership: lifecycle(nodeOf(document["x-lifecycles"]).membership),
  simulator: simulator(document),
  versioning: versioning(document),
});
