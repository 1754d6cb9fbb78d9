import type { ApiRequest } from "../api/context.ts";
import { ControlRefusal, refused, type SiteAnswer } from "../control/answer.ts";
import type { GatewayServices } from "../control/parts.ts";
import { attachmentFile } from "./attachments.ts";
import { callsPage } from "./calls.ts";
import { clockPage } from "./clock.ts";
import { contactsPage } from "./contacts.ts";
import { fieldsOf, forms } from "./forms.ts";
import { html } from "./html.ts";
import { document } from "./layout.ts";
import { framePage, messagePage } from "./message.ts";
import { outboxPage } from "./outbox.ts";
import { suppressionsPage } from "./suppressions.ts";
import type { Visit } from "./visit.ts";

type Page = (visit: Visit) => Promise<SiteAnswer>;

const pages: readonly [RegExp, Page][] = [
  [/^\/$/, outboxPage],
  [/^\/messages\/([^/]+)$/, messagePage],
  [/^\/messages\/([^/]+)\/html$/, framePage],
  [/^\/messages\/([^/]+)\/attachments\/(\d{1,2})$/, attachmentFile],
  [/^\/calls$/, callsPage],
  [/^\/contacts$/, contactsPage],
  [/^\/suppressions$/, suppressionsPage],
  [/^\/clock$/, clockPage],
];

/** Whether a page or a form is at a path. */
export const isPage = (path: string): boolean =>
  Object.hasOwn(forms, path) || pages.some(([pattern]) => pattern.test(path));

/** Answers a request for a page, or a form that one sent. */
export async function page(parts: GatewayServices, request: ApiRequest, path: string): Promise<SiteAnswer> {
  try {
    return (await answer(parts, request, path)) ?? refusedMethod(path);
  } catch (error) {
    if (!(error instanceof ControlRefusal)) throw error;
    return mistakePage(parts, error);
  }
}

async function answer(
  parts: GatewayServices,
  request: ApiRequest,
  path: string,
): Promise<SiteAnswer | undefined> {
  if (request.method === "POST")
    return Object.hasOwn(forms, path) ? forms[path]?.(parts, fieldsOf(request.body)) : undefined;
  if (request.method !== "GET" && request.method !== "HEAD") return undefined;
  const query = new URLSearchParams(request.target.split("?").slice(1).join("?"));
  for (const [pattern, make] of pages) {
    const found = pattern.exec(path);
    if (found !== null) return make({ parts, query, path: found.slice(1).map(decoded) });
  }
  return undefined;
}

/** A part of a path that cannot be decoded names nothing. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function refusedMethod(path: string): SiteAnswer {
  const methods = [
    ...(pages.some(([pattern]) => pattern.test(path)) ? ["GET"] : []),
    ...(Object.hasOwn(forms, path) ? ["POST"] : []),
  ];
  const result = refused(405, `${path} does not take this method.`, `It takes ${methods.join(" and ")}.`);
  return { ...result, headers: { ...result.headers, allow: methods.join(", ") } };
}

const mistakePage = (parts: GatewayServices, { status, message, hint }: ControlRefusal): SiteAnswer =>
  document({
    title: "Not done",
    section: "/",
    now: parts.clock.now(),
    status,
    content: html`<h1>Not done</h1><p class="notice bad">${message}</p><p>${hint}</p><p><a href="/">Back to the outbox</a></p>`,
  });
