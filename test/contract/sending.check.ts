import { failures, inEach, successesOf } from "./answers.ts";
import { Bounds, tried } from "./bounds.ts";
import { must } from "./broken.ts";
import type { Exchange } from "./call.ts";
import { check } from "./check.ts";
import { hasListedType, isAsDocumented } from "./laws.ts";
import { isList, isText, shows } from "./shows.ts";

const send = new Bounds("sendEmail");
const answers = successesOf("sendEmail");
const immediate = answers.filter(({ value }) => !("scheduled_at" in (value as object)));

check(
  "SEND-1",
  "a message is sent by a post, and the answer is as documented",
  inEach(answers, isAsDocumented),
);
check("SEND-2", "a send needs a from", tried(send.of("from", "required")));
check(
  "SEND-3",
  "the from address stands alone, without a display name",
  tried(send.of("from", "format", "pattern")),
);
check("SEND-5", "a send needs a to", tried(send.of("to", "required")));
check("SEND-6", "to is a list, even of one address", tried(send.of("to", "type")));
check("SEND-7", "to has no more addresses than the limit", tried(send.of("to", "maxItems")));
check("SEND-8", "a send with its own content needs a subject", tried(send.of("subject", "required")));
check("SEND-9", "a subject is no longer than its limit", tried(send.of("subject", "maxLength")));
check("SEND-10", "a send with its own content has html or text, or both", tried(send.of("", "if")));
check(
  "SEND-14",
  "a send may name a template in place of content",
  tried(send.of("template_id", "required", "type")),
);
check("SEND-16", "variables are names with values", tried(send.of("variables")));
check("SEND-18", "cc is a list of addresses within its limit", tried([...send.of("cc"), ...send.of("cc.*")]));
check(
  "SEND-19",
  "bcc is a list of addresses within its limit",
  tried([...send.of("bcc"), ...send.of("bcc.*")]),
);
check(
  "SEND-20",
  "tags are names with texts",
  tried([...send.of("tags", "type"), ...send.of("tags.*", "type")]),
);
check("SEND-21", "tags are no more than their limit", tried(send.of("tags", "maxProperties")));
check("SEND-22", "the name of a tag is made of certain characters", tried(send.of("tags", "propertyNames")));
check("SEND-23", "the value of a tag is no longer than its limit", tried(send.of("tags.*", "maxLength")));
check(
  "SEND-24",
  "headers are names with texts",
  tried([...send.of("headers", "type"), ...send.of("headers.*", "type")]),
);
check("SEND-25", "headers are no more than their limit", tried(send.of("headers", "maxProperties")));
check(
  "SEND-26",
  "a header is named X-... or as one of the two for lists",
  tried(send.of("headers", "propertyNames")),
);
check("SEND-27", "the value of a header has no line break", tried(send.of("headers.*", "pattern")));
check("SEND-29", "what is not required may be left out", tried(send.of("", "properties")));
check("SEND-30", "a send that is taken is answered with 202", tried(send.of("", "example"), isTaken));
check("SEND-31", "an immediate send is answered with its id", inEach(immediate, shows("id", isText)));
check("SEND-33", "an immediate send is answered with its recipients", inEach(immediate, shows("to", isList)));
check(
  "SEND-34",
  "an immediate send is answered with who is left out",
  inEach(immediate, shows("suppressed", isList)),
);
check(
  "SEND-37",
  "a send fails with the types listed for it",
  inEach(
    failures.filter(({ operation }) => operation === "sendEmail"),
    hasListedType,
  ),
);

check(
  "ATT-1",
  "attachments are a list",
  tried([...send.of("attachments", "type"), ...send.of("attachments.*", "type")]),
);
check("ATT-2", "attachments are no more than their limit", tried(send.of("attachments", "maxItems")));
check("ATT-3", "an attachment needs a filename", tried(send.of("attachments.*.filename")));
check(
  "ATT-4",
  "an attachment has either content or path",
  tried([
    ...send.of("attachments.*.content", "required", "not", "type"),
    ...send.of("attachments.*.path", "required", "not", "type"),
  ]),
);
check("ATT-5", "the content of an attachment is base64", tried(send.of("attachments.*.content")));
check("ATT-7", "the path of an attachment is an https address", tried(send.of("attachments.*.path")));
check("GEN-6", "the time of a send states its offset from UTC", tried(send.of("scheduled_at")));
check(
  "IDEM-4",
  "an idempotency key of a send is no longer than its limit",
  tried(send.of("Idempotency-Key")),
);
check("ERR-10", "every other rule on a send holds on both its sides", tried(send.rest()));

function isTaken(exchange: Exchange): void {
  must(exchange.status === 202, exchange, { expected: "status 202", found: `status ${exchange.status}` });
}
