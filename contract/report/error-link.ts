import { errors } from "../../generated/errors.ts";
import { errorUrl } from "../../lib/error-url.ts";
import type { RecordedExchange } from "../engine/outcome.ts";
import type { ContractResult } from "./result.ts";

/** Where the reference describes the error of a response; undefined without a reference or an error. */
export function errorLink(
  { response: { status, body } }: RecordedExchange,
  { docs }: Pick<ContractResult, "docs">,
): string | undefined {
  return docs && errorUrl(docs, errors, { status, type: errorTypeIn(body) });
}

/** Where the reference describes a requirement; undefined without a reference. */
export const requirementLink = (id: string, { docs }: Pick<ContractResult, "docs">): string | undefined =>
  docs && `${docs.replace(/\/+$/, "")}/requirements/#${id}`;

/** The error type of a body; undefined if it is not an error of the service. */
export function errorTypeIn(body: string): string | undefined {
  try {
    const type: unknown = (JSON.parse(body) as { error?: { type?: unknown } } | null)?.error?.type;
    return typeof type === "string" ? type : undefined;
  } catch {
    return undefined;
  }
}
