import { UserError } from "../../lib/user-error.ts";
import { escapeSegment, valueAtPointer } from "../document/json-pointer.ts";
import { isNode } from "../document/values.ts";

type Value = Record<string, unknown>;

/** One operation of a document and what stands around it. */
export interface MeasuredOperation {
  /** `POST /emails`, for people. */
  name: string;
  operation: Value;
  /** Its answers by status, with references resolved. */
  answers: [string, Value][];
  body: Value | undefined;
  /** Pointers to the schemas of its body and parameters. */
  requestSchemas: string[];
  /** Pointers to the schemas of its answers and their headers. */
  answerSchemas: string[];
  /** What a caller needs: its own security, or else that of the document. */
  security: unknown;
}

const methods = ["get", "put", "post", "delete", "options", "head", "patch", "trace"];

/** The operations of a document. */
export function operationsIn(document: Value): MeasuredOperation[] {
  return entries(document.paths).flatMap(([path]) => {
    const item = settle(document, `/paths/${escapeSegment(path)}`);
    return methods
      .filter((method) => isNode(item.value[method]))
      .map((method) => placed(document, item, path, method));
  });
}

interface Place {
  pointer: string;
  value: Value;
}

function placed(document: Value, item: Place, path: string, method: string): MeasuredOperation {
  const pointer = `${item.pointer}/${method}`;
  const operation = item.value[method] as Value;
  const body = operation.requestBody === undefined ? undefined : settle(document, `${pointer}/requestBody`);
  const parameters = [item.pointer, pointer].flatMap((owner) =>
    list(valueAtPointer(document, `${owner}/parameters`)).map((_, index) =>
      settle(document, `${owner}/parameters/${index}`),
    ),
  );
  const answers = entries(operation.responses).map(([status]): [string, Place] => [
    status,
    settle(document, `${pointer}/responses/${escapeSegment(status)}`),
  ]);
  return {
    name: `${method.toUpperCase()} ${path}`,
    operation,
    answers: answers.map(([status, { value }]) => [status, value]),
    body: body?.value,
    requestSchemas: [...(body ? contentSchemas(body) : []), ...parameters.flatMap(ownSchemas)],
    answerSchemas: answers.flatMap(([, answer]) => [
      ...contentSchemas(answer),
      ...entries(answer.value.headers).flatMap(([name]) =>
        ownSchemas(settle(document, `${answer.pointer}/headers/${escapeSegment(name)}`)),
      ),
    ]),
    security: operation.security ?? document.security,
  };
}

const ownSchemas = (place: Place): string[] => [`${place.pointer}/schema`, ...contentSchemas(place)];

const contentSchemas = ({ pointer, value }: Place): string[] =>
  entries(value.content).map(([type]) => `${pointer}/content/${escapeSegment(type)}/schema`);

/**
 * What stands at a pointer once references are followed, and where that is.
 * Throws a Failure when the document refers to another file, of which nothing would be measured.
 */
export function settle(document: unknown, pointer: string): Place {
  let place = pointer;
  for (let hops = 0; hops < 20; hops += 1) {
    const value = valueAtPointer(document, place);
    if (!isNode(value)) return { pointer: place, value: {} };
    if (typeof value.$ref !== "string") return { pointer: place, value };
    if (!value.$ref.startsWith("#")) {
      const hint = "Bundle the document into one file first.";
      throw new UserError(`the document refers to another file at ${place}: ${value.$ref}`, {
        hint,
        exitCode: 2,
      });
    }
    place = value.$ref.slice(1);
  }
  return { pointer: place, value: {} };
}

/** The entries of an object; none of anything else. */
export const entries = (value: unknown): [string, unknown][] => (isNode(value) ? Object.entries(value) : []);

const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
