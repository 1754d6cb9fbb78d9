import { operations } from "../../../generated/operations.ts";
import type { OpenApiDocument } from "../../document/types.ts";
import { box, type Tab, tabs } from "../text/layout.ts";
import { joined } from "../text/markdown.ts";
import { isShared } from "./errors.ts";
import { exampleList, examplesOf } from "./examples.ts";
import { mediaOf, type StatusResponse, statusName } from "./responses.ts";

/** The request in a language. */
interface Sample {
  title: string;
  block: string;
}

/** The request in every language. Scripts add a way to send it to the element with `data-try`. */
export function requestPanel(operationId: string, samples: readonly Sample[]): string {
  return box(
    "panel request",
    "## Request",
    sampleTabs("language", samples),
    // The sandbox has no other operations, which an overlay may add.
    Object.hasOwn(operations, operationId) ? `<div class="panel-foot" data-try="${operationId}"></div>` : "",
  );
}

/** A tab for each language. @param name unique on the page */
export function sampleTabs(name: string, samples: readonly Sample[]): string {
  const parts = samples.map(
    ({ title, block }): Tab => ({ label: title, text: joined(`**${title}**`, block) }),
  );
  return tabs({ name, legend: "Language", className: "lines", choice: "language" }, parts);
}

/** Examples of the responses by status. The errors that every operation has are on their own page. */
export function responsePanel(
  document: OpenApiDocument,
  operationId: string,
  success: readonly StatusResponse[],
  errors: readonly StatusResponse[],
): string {
  const own = errors.filter(([status, response]) => !isShared(document, status, response));
  const tab = ([status, response]: StatusResponse): Tab => {
    const media = mediaOf(response);
    const examples = exampleList(examplesOf(document, media));
    // An operation that an overlay added may have none.
    const none = media === undefined ? "No body." : "No example.";
    const name = statusName(status);
    const label = `<span class="status-${status.slice(0, 1)}">${status.replace("XX", "xx")}</span>`;
    return { label, text: joined(`**${name}**`, examples || none) };
  };
  const parts = [...success.map(tab), ...own.map((error) => ({ ...tab(error), isSiteOnly: true }))];
  return box(
    "panel response",
    "## Response examples",
    tabs({ name: `response-${operationId}`, legend: "Status", className: "lines" }, parts),
  );
}
