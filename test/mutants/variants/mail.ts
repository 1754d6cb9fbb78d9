import { sentMessages, withMessages } from "../requests.ts";
import { isObject, type Json, type Variant } from "./variant.ts";

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
