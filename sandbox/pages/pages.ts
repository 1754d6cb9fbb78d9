import { html } from "../../lib/html.ts";
import type { ApiRequest, HttpResponse } from "../api/context.ts";
import { createPathMatcher, queryOf } from "../api/paths.ts";
import { controlOperations, validateInput } from "../control/control.ts";
import { withoutOthers } from "../control/failures.ts";
import {
  ControlError,
  type GatewayServices,
  type Input,
  methodNotAllowed,
  type Operation,
} from "../control/operation.ts";
import { confirmationPage } from "../domain/confirmation.ts";
import { type PageContext, renderPage, type Section, withCode } from "./components.ts";
import { confirmPage, contactsPage, suppressionsPage } from "./contacts.ts";
import { clockPage, controlPage, failuresPage } from "./control.ts";
import { attachmentFile, framePage, messagePage } from "./message.ts";
import { outboxPage, requestPage, requestsPage } from "./requests.ts";

const findPage = createPathMatcher<(context: PageContext) => HttpResponse | Promise<HttpResponse>>([
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

export const isPage = (path: string): boolean => isForm(path) || findPage(path) !== undefined;

/** Responds to a request for a page, or from a form of one. */
export async function page(services: GatewayServices, request: ApiRequest, path: string) {
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
    return errorPage({ services, request }, error, method === "POST" ? forms.get(path)?.page : undefined);
  }
}

const titles: Readonly<Record<number, string>> = { 404: "Not found", 500: "Failed", 503: "Not available" };

/** The page of a request that fails. @param back where it came from; default: the outbox */
export const errorPage = (
  context: Pick<PageContext, "services" | "request">,
  { status, message, hint }: Pick<ControlError, "status" | "message" | "hint">,
  back: Section = "/",
): HttpResponse =>
  renderPage(context, {
    ...{ title: titles[status] ?? "Not possible", section: back, status },
    content: html`<p class="notice bad">${withCode(message)}</p><p>${withCode(hint)}</p>
<p><a href="${back}">Back to ${back === "/" ? "the outbox" : "the form"}</a></p>`,
  });

interface Form {
  /** The path of the operation of the control API that it runs. */
  operation: string;
  /** Default: POST. */
  method?: Operation["method"];
  /** The page to show then. */
  page: Section;
  /** What of its fields the operation gets; default: all of them. */
  select?: typeof withoutOthers;
}

const forms = new Map<string, Form>([
  ["/clock", { operation: "/sandbox/clock", page: "/clock" }],
  ["/contacts/confirm", { operation: "/sandbox/confirm", page: "/contacts" }],
  ["/suppressions", { operation: "/sandbox/suppress", page: "/suppressions" }],
  ["/suppressions/remove", { operation: "/sandbox/unsuppress", page: "/suppressions" }],
  ["/failures", { operation: "/sandbox/failures", page: "/failures", select: withoutOthers }],
  ["/failures/end", { operation: "/sandbox/failures/{id}", method: "DELETE", page: "/failures" }],
  ["/failures/end-all", { operation: "/sandbox/failures", method: "DELETE", page: "/failures" }],
  ["/reset", { operation: "/sandbox/reset", page: "/" }],
]);

const isForm = (path: string): boolean => forms.has(path);

/**
 * Runs the operation of a form, and redirects to its page.
 * @throws ControlError
 */
async function submitForm(services: GatewayServices, path: string, request: ApiRequest) {
  const form = forms.get(path);
  const { method = "POST" } = form ?? {};
  const operation = controlOperations.find((one) => one.method === method && one.path === form?.operation);
  if (form === undefined || operation === undefined) throw new Error(`no form at ${path}`);
  const { local, account, ...given } = parseForm(request.body);
  const fields = form.select?.(given) ?? given;
  const input: Input = {
    ...fields,
    ...(account !== undefined && { account }),
    ...(local !== undefined && { to: `${local}Z` }),
  };
  // The next message may have become due after the page was loaded.
  const isDone =
    form.page === "/clock" && local === undefined && Date.parse(fields.to ?? "") <= services.clock.now();
  if (!isDone) await operation.run(services, await validateInput(operation, input), request);
  const query = account === undefined ? "" : `?account=${encodeURIComponent(account)}`;
  return { status: 303, headers: { location: form.page + query, "cache-control": "no-store" }, body: "" };
}

function parseForm(body: Uint8Array | null): Record<string, string | undefined> {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(body ?? new Uint8Array());
    // A form sends its empty fields too.
    return Object.fromEntries([...new URLSearchParams(text)].filter(([, value]) => value !== ""));
  } catch {
    throw new ControlError("The form is not UTF-8 text.", "Send the form from its page.");
  }
}
