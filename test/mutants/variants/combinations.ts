import type { Variant } from "./variant.ts";

/**
 * Variants that differ in different places: one server has the behaviour of all of a list. The first is nearest to the client, so those that
 * change how a response looks come before those that decide what it is. A variant that is in no list runs alone.
 */
const lists: readonly (readonly string[])[] = [
  [
    "writes JSON in several lines, with a description that changes as the last property",
    "has a charset and upper case in its media type",
    "has the properties of every object in reverse order",
    "returns times with a zero offset",
    "checks the key before path and method",
    "has a button on the page of the confirmation email",
    "sends the confirmation email as HTML, with other links",
  ],
  [
    "has its own texts",
    "returns unordered lists in another order",
    "returns times with microseconds",
    "names invalid properties and what lies below them",
    "looks up the object before it validates the body",
    "confirms with a form that needs the cookie of its page",
    "sets Reply-To to the sender if there is no reply_to",
  ],
  [
    "has additional properties in every object, and additional headers",
    "returns times in another form each time",
    "returns the email addresses of recipients in lower case",
    "names the inner part of an invalid property",
    "checks product and ability in the other order",
    "confirms with a form that only a web browser may send",
    "adds a footer to the HTML body and encloses it in a page",
  ],
  [
    "has ids of another form",
    "names whole properties only",
    "clears properties in states that leave them unspecified",
    "has other statuses than sent before a message arrives",
    "rejects an unknown template with 404",
    "confirms with a script of the page of the confirmation email",
    "shows hidden recipients their own email address in Bcc",
  ],
  [
    "reports rate limit and quota on errors too",
    "lists cc and bcc in `to` of the response to a send",
    "lists cc and bcc in `to` of a message",
    "says that a body is missing if the only one is invalid",
    "confirms some time after the link of the confirmation email was opened",
    "gives files other content ids, and the HTML body the same",
  ],
  [
    "treats only identical bytes as the same request",
    "succeeds with other unspecified statuses",
    "has new event types",
    "rejects a domain of another account with 422",
    "rejects every email operation of an account without a domain with 403",
    "accepts a message of a batch whose recipients are all suppressed",
    "adds headers of its own",
  ],
  [
    "responds to a reschedule without a body",
    "has new error types if the type is unspecified",
    "names the first message for a domain that no message of a batch may use",
    "rejects a send of an account without a domain with 403",
    "lets a contact leave a list that it is not on",
    "rejects a malformed email address in a path with 422",
    "shows the values of a template in capitals",
    "delivers after more than a minute",
    "trims texts other than tags of messages, and keeps them in NFC",
  ],
  [
    "differs in small unspecified details",
    "moves the time of an unsubscribe that is repeated",
    "has no next_cursor on the last page",
    "returns a full page for a page size above the limit",
    "rejects a body that is not JSON and an unknown template with 400 invalid_request",
    "accepts times in the form of RFC 3339 only",
    "delivers immediately",
    "responds to OPTIONS on every path, and lists HEAD and OPTIONS in Allow",
  ],
  [
    "responds to concurrent requests in another order",
    "sends a message that is scheduled for a time in the past at once",
    "has a restricted key that may do nothing but send",
    "rejects a too long idempotency key with 400",
    "rejects unsubscribing without a body",
  ],
  [
    "keeps an idempotency key for a request that it rejected",
    "accepts null for optional properties, and empty texts",
    "begins the months of the quota at midnight in Tokyo",
  ],
  [
    "counts its rate limit in real time, whatever its clock says",
    "accepts domains beyond ASCII, and base64 of other forms",
    "records the current time for a message that is scheduled for a time in the past",
  ],
];

/** Variants of which a run on the suite shows nothing: it does not send such a request, or only the order in time differs. Most have probes. */
export const unseenTitles: readonly string[] = [
  "is the unchanged sandbox",
  "delivers after more than a minute",
  "delivers immediately",
  "responds to concurrent requests in another order",
  "returns the email addresses of recipients in lower case",
  "treats only identical bytes as the same request",
  "rejects every email operation of an account without a domain with 403",
  "accepts times in the form of RFC 3339 only",
  "has a restricted key that may do nothing but send",
  "rejects unsubscribing without a body",
  "accepts domains beyond ASCII, and base64 of other forms",
];

/** All variants, each in one list. @throws Error for a title in the lists that no variant has */
export function combinationsOf(variants: readonly Variant[]): Variant[][] {
  const left = new Map(variants.map((variant) => [variant.title, variant]));
  const together = lists.map((titles) =>
    titles.map((title) => {
      const variant = left.get(title);
      if (variant === undefined || !left.delete(title))
        throw new Error(`no variant ${JSON.stringify(title)}`);
      return variant;
    }),
  );
  return [...[...left.values()].map((variant) => [variant]), ...together];
}
