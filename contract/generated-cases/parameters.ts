import {
  type OpenApiDocument,
  type Parameter,
  resolve,
  type Schema,
  type TestedOperation,
} from "../document.ts";
import type { Query } from "../exchange.ts";
import { type Case, titleOf } from "./case.ts";
import { sidesOf } from "./limits-and-beyond.ts";
import { type Candidate, texts, wrongTypes } from "./values.ts";

interface ParameterCase {
  keyword: string;
  accepted: boolean;
  candidate: Candidate;
}

const bounds = ["maxLength", "minLength", "maximum", "minimum"];

/**
 * The cases of the header and query parameters of an operation. Path parameters have none: whether a malformed one is rejected
 * with 404 or 422 is unspecified.
 */
export const parameterCases = (operation: TestedOperation, document: OpenApiDocument): Case[] =>
  operation.parameters
    .filter((parameter) => parameter.in !== "path")
    .flatMap((parameter) => {
      const requests = casesOf(parameter, resolve<Schema>(document, parameter.schema), operation.id);
      const missing: ParameterCase = {
        keyword: "required",
        accepted: false,
        candidate: { value: undefined, describe: (name) => `a request without ${name}` },
      };
      return [...requests, ...(parameter.required === true ? [missing] : [])].map((one) =>
        toCase(operation, parameter, one),
      );
    });

function casesOf({ name, example }: Parameter, schema: Schema, start: string): ParameterCase[] {
  if (schema.type === "array" || schema.type === "object")
    throw new Error(
      `${name} is a parameter of type ${schema.type}, which has no cases: add them to parameters.ts`,
    );
  const technical = schema["x-technical-limit"];
  const atBounds = bounds
    .filter((keyword) => typeof schema[keyword] === "number" && technical !== true && technical !== keyword)
    .flatMap((keyword) => {
      const { within, past } = sidesOf(keyword, schema[keyword] as number, start);
      return [all(keyword, true, [within]), all(keyword, false, past)].flat();
    });
  // Every value travels as text, so that no value has the wrong type for a string.
  const ofType =
    schema.type === "string" ? [] : all("type", false, wrongTypes(schema, example ?? "text")).filter(isText);
  const isListed = ["enum", "const", "pattern", "format"].some((keyword) => keyword in schema);
  if (!isListed || schema.type !== "string") return [...atBounds, ...ofType];
  const { accepted, rejected } = texts(schema, name);
  const keyword = "enum" in schema ? "enum" : "format";
  return [...atBounds, ...all(keyword, true, accepted), ...all(keyword, false, rejected)];
}

/** A number written as text is a number in a query. */
const isText = ({ candidate: { value } }: ParameterCase): boolean => !/^\d+$/.test(String(value));

const all = (keyword: string, accepted: boolean, candidates: Candidate[]): ParameterCase[] =>
  candidates.map((candidate) => ({ keyword, accepted, candidate }));

function toCase(
  { id, bodies, parameters }: TestedOperation,
  parameter: Parameter,
  { keyword, accepted, candidate }: ParameterCase,
): Case {
  const { value } = candidate;
  const isQuery = parameter.in === "query";
  const required = parameters.filter((one) => one.in === "query" && one.required === true);
  const query = Object.fromEntries(required.map((one) => [one.name, one.example])) as Query;
  return {
    operation: id,
    location: isQuery ? "query" : "header",
    field: parameter.name,
    path: [],
    keyword,
    accepted,
    title: titleOf({ operation: id, variants: [] }, candidate.describe(parameter.name), accepted),
    body: Object.values(bodies)[0],
    headers: isQuery ? {} : { [parameter.name]: String(value) },
    query: isQuery ? { ...query, [parameter.name]: value === undefined ? undefined : String(value) } : query,
  };
}
