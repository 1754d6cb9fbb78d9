import { responses } from "../../../../generated/validators/responses.js";
import { copyButton, el, state } from "./dom.ts";
import { coloredJson, indented } from "./json-text.ts";
import type { TryResponse } from "./types.ts";

export const unsent = "Send the request to see its response.";

/** The response, with its headers. */
export class ResponseView {
  readonly element = el("section", { class: "panel response", id: "try-response", "aria-label": "Response" });

  constructor() {
    this.clear(unsent);
  }

  clear(text: string): void {
    this.element.replaceChildren(el("div", { class: "panel-head" }, el("span", { class: "soft" }, text)));
  }

  /**
   * @param checked how it compares with the document, if that can be compared
   * @param advice a link to what its error means
   */
  show(response: TryResponse, checked?: { valid: boolean; text: string }, advice?: HTMLElement): void {
    const { status, headers, body, milliseconds, problem } = response;
    const text = indented(body);
    const isSent = milliseconds > 0;
    const noResponse = isSent ? "No response" : "Not sent";
    const name = status === 0 ? noResponse : `${status} ${statusTexts[status] ?? ""}`.trim();
    const head = el(
      "div",
      { class: "panel-head" },
      el("span", { role: "status" }, state(kindOf(status), name)),
      isSent && el("span", { class: "soft" }, `${Math.max(1, Math.round(milliseconds))} ms`),
      el("span", { class: "push" }),
      text !== "" && copyButton("Copy the response", () => text),
    );
    const label = { tabindex: "0", role: "group", "aria-label": "Response body" };
    this.element.replaceChildren(
      head,
      (problem !== undefined && el("p", { class: "note" }, problem)) || "",
      text === "" ? "" : el("pre", label, el("code", {}, coloredJson(text))),
      headers.length === 0 ? "" : headerList(headers),
      checked === undefined && advice === undefined
        ? ""
        : el(
            "p",
            { class: "panel-foot" },
            checked !== undefined && state(checked.valid ? "good" : "bad", checked.text),
            advice ?? false,
          ),
    );
  }
}

function kindOf(status: number): "good" | "wait" | "bad" {
  if (status >= 200 && status < 300) return "good";
  return status === 429 ? "wait" : "bad";
}

const headerList = (headers: TryResponse["headers"]): HTMLElement =>
  el(
    "dl",
    { class: "pairs ruled" },
    ...headers.flatMap(([name, value]) => [el("dt", {}, name), el("dd", {}, value)]),
  );

/** The reason phrases of the status codes in the document (RFC 9110, 15). */
const statusTexts: Readonly<Record<number, string>> = {
  200: "OK",
  201: "Created",
  202: "Accepted",
  204: "No Content",
  401: "Unauthorized",
  402: "Payment Required",
  403: "Forbidden",
  404: "Not Found",
  405: "Method Not Allowed",
  409: "Conflict",
  413: "Content Too Large",
  422: "Unprocessable Content",
  429: "Too Many Requests",
  500: "Internal Server Error",
  502: "Bad Gateway",
  503: "Service Unavailable",
};

interface Validator {
  (value: unknown): boolean;
  errors: { instancePath: string; message?: string }[] | null;
}
type Validators = Record<string, { body: Validator; headers: Validator; mayBeEmpty: boolean }>;

/**
 * Compares a response with the document.
 *
 * @param hasHeaders false if the browser hides headers, as it does with those of another host
 */
export function validate(
  operation: string,
  response: TryResponse,
  hasHeaders: boolean,
): {
  valid: boolean;
  text: string;
} {
  const ofOperation = (responses as unknown as Record<string, Validators>)[operation] ?? {};
  const { status, headers, body } = response;
  const name = ofOperation[status] === undefined && status >= 200 && status < 300 ? "2XX" : String(status);
  const validator = ofOperation[name];
  if (validator === undefined) return { valid: false, text: `The document has no response ${status}.` };
  const problem =
    (hasHeaders ? problemOf(validator.headers, Object.fromEntries(headers)) : undefined) ??
    (body === "" && validator.mayBeEmpty ? undefined : bodyProblem(validator.body, body));
  return problem === undefined
    ? {
        valid: true,
        text: hasHeaders ? `Matches the schema of ${name}` : `Status and body match the schema of ${name}`,
      }
    : { valid: false, text: `Does not match the schema of ${name}: ${problem}` };
}

function bodyProblem(validator: Validator, body: string): string | undefined {
  try {
    return problemOf(validator, JSON.parse(body));
  } catch {
    return "the body is not JSON";
  }
}

function problemOf(validator: Validator, value: unknown): string | undefined {
  if (validator(value)) return undefined;
  const [{ instancePath = "", message = "is invalid" } = {}] = validator.errors ?? [];
  return `${instancePath} ${message}`.trim();
}
