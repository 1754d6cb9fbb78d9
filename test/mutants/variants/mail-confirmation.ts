import type { MutantRequest, MutantResponse } from "../mutant.ts";
import { pathOf, type Variant } from "./variant.ts";

const isLink = ({ method, path }: MutantRequest): boolean => method === "GET" && path.startsWith("/confirm?");

const page = (text: string): MutantResponse => ({
  status: 200,
  headers: { "content-type": "text/html; charset=utf-8" },
  body: undefined,
  text,
});

/** A page with a form in place of one that confirms when it is opened. */
const button = ({ path }: MutantRequest): string => {
  const fields = [...new URLSearchParams(path.split("?")[1])];
  const hidden = fields.map(([name, value]) => `<input type=hidden name='${name}' value="${value}">`);
  return `<form action='/unsubscribe' method=post><button>No</button></form>
<form action="/confirm" method="POST">${hidden.join("")}<button>Yes, subscribe me</button></form>`;
};

/** The text of a confirmation email as HTML, with a picture and a link to leave before the one that confirms. */
function asHtml(mime: string): string {
  if (!mime.includes("Subject: Please confirm")) return mime;
  const [head = "", ...body] = mime.split("\r\n\r\n");
  const text = body.join("\r\n\r\n").replaceAll("=\r\n", "").replaceAll("=3D", "=");
  const [link = ""] = /https?:\S+\/confirm\?\S+/.exec(text) ?? [];
  const headers = head
    .replace("text/plain", "text/html")
    .replace(/^(Content-Transfer-Encoding): .*$/m, "$1: 7bit");
  return `${headers}\r\n\r\n<p><img src="https://mail.example/logo.png"><a href="https://mail.example/a?b">Home</a>
<a href='https://mail.example/leave'>Not me</a> <a class="button" href="${link.replaceAll("&", "&amp;")}">Yes</a></p>\r\n`;
}

/** Variants of the confirmation email and its page. */
export const mailConfirmationVariants: Variant[] = [
  { title: "sends the confirmation email as HTML, with other links", deliver: asHtml },
  {
    title: "has a button on the page of the confirmation email",
    intercept: () => (request, next) => {
      if (isLink(request)) return page(button(request));
      if (pathOf(request) !== "/confirm") return next(request);
      const { "content-type": _, ...headers } = request.headers;
      return next({ method: "GET", path: `/confirm?${request.text}`, headers, body: undefined });
    },
  },
  {
    title: "confirms with a form that needs the cookie of its page",
    intercept: () => (request, next) => {
      if (isLink(request)) {
        const shown = page(button(request));
        return { ...shown, headers: { ...shown.headers, "set-cookie": "form=1; HttpOnly; Path=/" } };
      }
      if (pathOf(request) !== "/confirm") return next(request);
      const { "content-type": _, cookie, ...headers } = request.headers;
      if (cookie !== "form=1") return { ...page("No."), status: 403 };
      return next({ method: "GET", path: `/confirm?${request.text}`, headers, body: undefined });
    },
  },
  {
    title: "confirms with a form that only a web browser may send",
    intercept: () => (request, next) =>
      isLink(request)
        ? page(button(request))
        : pathOf(request) === "/confirm"
          ? { ...page("No."), status: 403 }
          : next(request),
  },
  {
    title: "confirms with a script of the page of the confirmation email",
    intercept: () => (request, next) =>
      isLink(request) ? page('<script src="/app.js"></script>') : next(request),
  },
  {
    title: "confirms some time after the link of the confirmation email was opened",
    intercept: () => {
      const opened: MutantRequest[] = [];
      let lookups = 0;
      return async (request, next) => {
        if (isLink(request)) {
          opened.push(request);
          return page("<p>Thank you.</p>");
        }
        if (request.method === "GET" && request.path.includes("/newsletter/contacts/") && opened.length > 0)
          lookups += 1;
        if (lookups > 4) for (const link of opened.splice(0)) await next(link);
        return next(request);
      };
    },
  },
];
