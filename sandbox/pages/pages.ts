import { html } from "../../lib/html.ts";
import type { ApiRequest } from "../api/context.ts";
import { createPathMatcher, queryOf } from "../api/path-matcher.ts";
import type { GatewayServices } from "../control/operation.ts";
import { ControlError, methodNotAllowed, type SiteResponse } from "../control/response.ts";
import { confirmationPage } from "../domain/confirmation.ts";
import { attachmentFile } from "./attachments.ts";
import { clockPage } from "./clock.ts";
import { type PageContext, withCode } from "./components.ts";
import { confirmPage } from "./confirm.ts";
import { contactsPage } from "./contacts.ts";
import { controlPage } from "./control.ts";
import { failuresPage } from "./failures.ts";
import { isForm, pageOfForm, submitForm } from "./forms.ts";
import { renderPage, type Section } from "./layout.ts";
import { framePage, messagePage } from "./message.ts";
import { outboxPage } from "./outbox.ts";
import { requestPage } from "./request.ts";
import { requestsPage } from "./requests.ts";
import { suppressionsPage } from "./suppressions.ts";

type Page = (context: PageContext) => SiteResponse | Promise<SiteResponse>;

const findPage = createPathMatcher<Page>([
  ["/", outboxPage],
  ["/messages/{id}", messagePage],
  ["/messages/{id}/html", framePage],
  ["/messages/{id}/attachments/{index}", attachmentFile],
  ["/requests", requestsPage],
  ["/requests/{id}", requestPage],
  [confirmationPage, confirmPage],
  ["/contacts", contactsPage],
  ["/suppressions", suppressionsPage],
  ["/clock", clockPage],
  ["/failures", failuresPage],
  ["/control", controlPage],
]);

/** Whether a page or a form has this path. */
export const isPage = (path: string): boolean => isForm(path) || findPage(path) !== undefined;

/** Responds to a request for a page, or from a form of one. */
export async function page(
  services: GatewayServices,
  request: ApiRequest,
  path: string,
): Promise<SiteResponse> {
  const { method, target } = request;
  const found = findPage(path);
  try {
    if (method === "POST" && isForm(path)) return await submitForm(services, path, request);
    if (found === undefined || (method !== "GET" && method !== "HEAD")) {
      const methods = [...(found ? ["GET"] : []), ...(isForm(path) ? ["POST"] : [])];
      return methodNotAllowed(method, path, methods);
    }
    return await found.value({
      services,
      request,
      query: new URLSearchParams(queryOf(target)),
      parameters: found.parameters,
    });
  } catch (error) {
    if (!(error instanceof ControlError)) throw error;
    return errorPage({ services, request }, error, method === "POST" ? pageOfForm(path) : undefined);
  }
}

const titles: Readonly<Record<number, string>> = { 404: "Not found", 500: "Failed", 503: "Not available" };

/** The page of a request that fails. @param back where it came from; default: the outbox */
export function errorPage(
  context: Pick<PageContext, "services" | "request">,
  { status, message, hint }: Pick<ControlError, "status" | "message" | "hint">,
  back: Section = "/",
): SiteResponse {
  return renderPage(context, {
    ...{ title: titles[status] ?? "Not possible", section: back, status },
    content: html`<p class="notice bad">${withCode(message)}</p><p>${withCode(hint)}</p>
<p><a href="${back}">Back to ${back === "/" ? "the outbox" : "the form"}</a></p>`,
  });
}
