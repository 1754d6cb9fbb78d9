import type { MutantRequest, MutantResponse } from "../mutant.ts";
import { sentMessages, withMessages } from "../requests.ts";
import { isObject, type Json, pathOf, type Variant } from "./variant.ts";

const inCapitals = ({ variables, ...message }: Json): Json => ({
  ...message,
  ...(variables !== undefined && {
    variables: isObject(variables)
      ? Object.fromEntries(
          Object.entries(variables).map(([name, value]) => [
            name,
            typeof value === "string" ? value.toUpperCase() : value,
          ]),
        )
      : variables,
  }),
});

/** A header before all others. */
const withHeader =
  (line: (mime: string) => string) =>
  (mime: string): string =>
    `${line(mime)}\r\n${mime}`;

/** Variants in the mail itself. */
export const mailVariants: Variant[] = [
  {
    title: "adds a footer to the HTML body and encloses it in a page",
    deliver: (mime) =>
      mime.replaceAll(
        /(Content-Type: text\/html[\s\S]*?\r\n\r\n)([\s\S]*?)(?=\r\n--|$)/g,
        "$1<html><body>\r\n$2\r\n<p>Our bakery</p></body></html>",
      ),
  },
  {
    title: "sets Reply-To to the sender if there is no reply_to",
    deliver: (mime) =>
      /^Reply-To:/m.test(mime)
        ? mime
        : withHeader(() => `Reply-To: ${/^From: (.*)\r$/m.exec(mime)?.[1]}`)(mime),
  },
  {
    title: "gives files other content ids, and the HTML body the same",
    deliver: (mime) => mime.replaceAll(/(cid:|Content-I[dD]: <)logo/g, "$1part1.logo"),
  },
  {
    title: "shows hidden recipients their own email address in Bcc",
    deliver: (mime, recipient) => (mime.includes(recipient) ? mime : `Bcc: ${recipient}\r\n${mime}`),
  },
  {
    title: "shows the values of a template in capitals",
    intercept: () => (request, next) =>
      next(
        sentMessages(request).some(({ variables }) => isObject(variables))
          ? withMessages(request, inCapitals)
          : request,
      ),
  },
  {
    title: "adds headers of its own",
    deliver: withHeader(() => "List-Unsubscribe: <https://mail.example/leave>\r\nX-Mailer: Bakery"),
  },
];

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
