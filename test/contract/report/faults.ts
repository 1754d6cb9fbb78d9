import { stripVTControlCharacters } from "node:util";
import { planOf } from "../../../contract/plan.ts";
import { consoleText } from "../../../contract/report/console.ts";
import type { ContractResult } from "../../../contract/report/result.ts";
import { demoSettings } from "../../mutants/demo.ts";
import { runOnSandbox } from "../../mutants/harness.ts";
import type { Interceptor, MutantRequest, MutantResponse } from "../../mutants/mutant.ts";
import { resultOf } from "./samples.ts";

/** A server with other responses; those for which the function returns nothing stay. */
export const responding =
  (change: (response: MutantResponse, request: MutantRequest) => MutantResponse | undefined): Interceptor =>
  async (request, next) => {
    const response = await next(request);
    return change(response, request) ?? response;
  };

/** A JSON value with other properties, as by the reviver of `JSON.parse`. */
export const revived = (value: unknown, revive: (name: string, value: unknown) => unknown): unknown =>
  value === undefined ? undefined : JSON.parse(JSON.stringify(value), (name, inner) => revive(name, inner));

/** A JSON value with other texts. */
export const mapped = (value: unknown, change: (text: string) => string): unknown =>
  revived(value, (_, inner) => (typeof inner === "string" ? change(inner) : inner));

export const isSuccess = ({ status }: MutantResponse): boolean => status < 300;

export const errorIn = ({ body }: MutantResponse) =>
  (body as { error?: { type: string; fields?: object } } | undefined)?.error;

let count = 0;
/** The rejection of a request for a property. */
export const rejection = (field: string, text: string): MutantResponse => {
  count += 1;
  const error = { type: "invalid_request", message: "Invalid.", fields: { [field]: [text] } };
  return {
    status: 422,
    headers: { "content-type": "application/json", "x-service-request-id": `req_${count}` },
    body: { error: { ...error, request_id: `req_${count}` } },
  };
};

/** The result of some checks for the sandbox with a fault. */
export async function resultFor(
  intercept: Interceptor,
  grep: RegExp,
  profile: "core" | "full" | "newsletter" = "core",
) {
  const plans = [planOf(demoSettings(profile), grep)];
  return resultOf(await runOnSandbox({ intercept: () => intercept, plans }), []);
}

export const textOf = (result: ContractResult): string => stripVTControlCharacters(consoleText(result));

export const inOneLine = (text: string): string => text.replaceAll(/\s+/g, " ");
