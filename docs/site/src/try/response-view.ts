import { copyButton, el, state } from "./dom.ts";
import { coloredJson, indented } from "./json-text.ts";
import { statusTexts } from "./status-texts.ts";
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
