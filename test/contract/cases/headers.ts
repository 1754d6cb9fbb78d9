import { type Document, resolve, type Schema, type TestedOperation } from "../document.ts";
import type { Case } from "./case.ts";
import { sidesOf } from "./sides.ts";
import { titleOf } from "./words.ts";

/**
 * The cases of the header parameters of an operation. Parameters in the path have none: what a malformed one is answered with,
 * 404 or 422, is not specified.
 */
export function ofHeaders({ id, parameters, bodies }: TestedOperation, document: Document): Case[] {
  const [body] = Object.values(bodies);
  return parameters
    .filter((parameter) => parameter.in === "header")
    .flatMap(({ name, schema }) =>
      lengths(resolve<Schema>(document, schema), id).map(({ keyword, value, phrase, accepted }) => ({
        operation: id,
        where: "header" as const,
        field: name,
        keyword,
        accepted,
        title: titleOf({ operation: id, variants: [] }, phrase(name), accepted),
        body,
        headers: { [name]: value },
      })),
    );
}

interface Text {
  keyword: string;
  accepted: boolean;
  value: string;
  phrase(name: string): string;
}

function lengths(schema: Schema, start: string): Text[] {
  if (schema["x-technical-limit"] === true) return [];
  return ["maxLength", "minLength"]
    .filter((keyword) => typeof schema[keyword] === "number")
    .flatMap((keyword) => {
      const { within, past } = sidesOf(keyword, schema[keyword] as number, start);
      return [
        { keyword, accepted: true, value: String(within.value), phrase: within.words },
        ...past.map(({ value, words }) => ({
          keyword,
          accepted: false,
          value: String(value),
          phrase: words,
        })),
      ];
    });
}
