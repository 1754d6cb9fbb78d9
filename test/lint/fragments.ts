import type { Node } from "../../scripts/document/values.ts";

/** What a rule must find in a document: JSON pointer, severity and the exact message. */
export interface Expected {
  at: string;
  severity: "error" | "warn";
  message: string;
}

/** Documents in which a rule finds nothing, by what they show. */
export type Valid = Record<string, Node>;

/** Documents in which a rule finds something, by what is wrong with them, with all that it finds. */
export type Invalid = Record<string, { document: Node; findings: Expected[] }>;

/** A finding of severity error. */
export const error = (at: string, message: string): Expected => ({ at, severity: "error", message });

/** A document with these parts and no others. */
export const document = (parts: Node = {}): Node => ({
  openapi: "3.1.1",
  info: { title: "Things", version: "1.0.0" },
  paths: {},
  ...parts,
});

/** A document with one operation, `getThing` at GET /api/v1/things, that has these parts. */
export const operation = (parts: Node, rest: Node = {}): Node =>
  document({ paths: { "/api/v1/things": { get: { operationId: "getThing", ...parts } } }, ...rest });

/** The JSON pointer of that operation. */
export const getThing = "/paths/~1api~1v1~1things/get";

/** A document in which `getThing` gives one response with this status. */
export const withResponse = (status: string, response: Node, rest: Node = {}): Node =>
  operation({ responses: { [status]: response } }, rest);

/** The JSON pointer of that response. */
export const responseAt = (status: string): string => `${getThing}/responses/${status}`;

/** A response with these headers. */
export const withHeaders = (headers: Record<string, Node>): Node => ({ description: "A response.", headers });

/** Content with this schema and these examples. */
export const json = (schema: Node, examples?: Node): Node => ({
  "application/json": { schema, ...(examples && { examples }) },
});

/** A document with one schema, `Thing`, that nothing refers to. */
export const schema = (thing: Node, rest: Node = {}): Node =>
  document({ components: { schemas: { Thing: thing } }, ...rest });

/** The JSON pointer of that schema. */
export const thing = "/components/schemas/Thing";

const toThing = json({ $ref: "#/components/schemas/Thing" });

/** A document whose schema `Thing` is the body of the only response. */
export const responseSchema = (schema: Node): Node =>
  withResponse("200", { content: toThing }, { components: { schemas: { Thing: schema } } });

/** A document whose schema `Thing` is the body of the only request. */
export const requestSchema = (schema: Node): Node =>
  operation({ requestBody: { content: toThing } }, { components: { schemas: { Thing: schema } } });

/** The body of an error of this type. */
export const failure = (type: string, more: Node = {}): Node => ({
  summary: "It fails",
  value: { error: { type, message: "It failed.", request_id: "req_1", ...more } },
});

/** A document in which `getThing` fails with this status and these examples, and the error table has these rows. */
export const failing = (status: string, examples: Node, rows: Node[], rest: Node = {}): Node =>
  withResponse(
    status,
    { description: "It failed.", content: json({}, examples) },
    { "x-errors": rows, ...rest },
  );

/** A row of the error table for `getThing`. */
export const row = (status: number, type: string | null, more: Node = {}): Node => ({
  id: type === null ? String(status) : `${status}.${type}`,
  status,
  type,
  operations: ["getThing"],
  when: "Now and then.",
  retry: "never",
  resolution: "Do something else.",
  ...more,
});
