import { operations } from "../../generated/operations.ts";
import { failures, inEach, successesOf } from "./answers.ts";
import { casesOf, tried } from "./bounds.ts";
import { must } from "./broken.ts";
import type { Exchange } from "./call.ts";
import { check } from "./check.ts";
import { hasListedType } from "./error-laws.ts";
import { isAsDocumented } from "./laws.ts";
import { isList, isText, shows } from "./shows.ts";

const send = casesOf("sendEmail", {
  "SEND-2": [["from", "required"]],
  "SEND-3": [["from", "format", "pattern"]],
  "SEND-5": [["to", "required"]],
  "SEND-6": [["to", "type"]],
  "SEND-7": [["to", "maxItems"]],
  "SEND-8": [["subject", "required"]],
  "SEND-9": [["subject", "maxLength"]],
  "SEND-10": [["", "if"]],
  "SEND-14": [["template_id", "required", "type"]],
  "SEND-16": [["variables"]],
  "SEND-18": [["cc"], ["cc.*"]],
  "SEND-19": [["bcc"], ["bcc.*"]],
  "SEND-20": [
    ["tags", "type"],
    ["tags.*", "type"],
  ],
  "SEND-21": [["tags", "maxProperties"]],
  "SEND-22": [["tags", "propertyNames"]],
  "SEND-23": [["tags.*", "maxLength"]],
  "SEND-24": [
    ["headers", "type"],
    ["headers.*", "type"],
  ],
  "SEND-25": [["headers", "maxProperties"]],
  "SEND-26": [["headers", "propertyNames"]],
  "SEND-27": [["headers.*", "pattern"]],
  "SEND-29": [["", "properties"]],
  "SEND-30": [["", "example"]],
  "ATT-1": [
    ["attachments", "type"],
    ["attachments.*", "type"],
  ],
  "ATT-2": [["attachments", "maxItems"]],
  "ATT-3": [["attachments.*.filename"]],
  "ATT-4": [
    ["attachments.*.content", "required", "not", "type"],
    ["attachments.*.path", "required", "not", "type"],
  ],
  "ATT-5": [["attachments.*.content"]],
  "ATT-7": [["attachments.*.path"]],
  "GEN-6": [["scheduled_at"]],
  "IDEM-4": [["Idempotency-Key"]],
  "ERR-10": [
    ["", "type"],
    ["from", "type"],
    ["to.*"],
    ["subject", "type", "not"],
    ["template_id", "not"],
    ["html"],
    ["text"],
    ["reply_to"],
    ["attachments.*", "properties"],
    ["attachments.*.content_id"],
    ["attachments.*.content_type"],
  ],
});
const answers = successesOf("sendEmail");
const immediate = answers.filter(({ value }) => !("scheduled_at" in (value as object)));

check(
  "SEND-1",
  "a message is sent by a post, and the answer is as documented",
  inEach(answers, isAsDocumented),
);
check("SEND-2", "a send needs a from", tried(send["SEND-2"]));
check("SEND-3", "the from address stands alone, without a display name", tried(send["SEND-3"]));
check("SEND-5", "a send needs a to", tried(send["SEND-5"]));
check("SEND-6", "to is a list, even of one address", tried(send["SEND-6"]));
check("SEND-7", "to has no more addresses than the limit", tried(send["SEND-7"]));
check("SEND-8", "a send with its own content needs a subject", tried(send["SEND-8"]));
check("SEND-9", "a subject is no longer than its limit", tried(send["SEND-9"]));
check("SEND-10", "a send with its own content has html or text, or both", tried(send["SEND-10"]));
check("SEND-14", "a send may name a template in place of content", tried(send["SEND-14"]));
check("SEND-16", "variables are names with values", tried(send["SEND-16"]));
check("SEND-18", "cc is a list of addresses within its limit", tried(send["SEND-18"]));
check("SEND-19", "bcc is a list of addresses within its limit", tried(send["SEND-19"]));
check("SEND-20", "tags are names with texts", tried(send["SEND-20"]));
check("SEND-21", "tags are no more than their limit", tried(send["SEND-21"]));
check("SEND-22", "the name of a tag is made of certain characters", tried(send["SEND-22"]));
check("SEND-23", "the value of a tag is no longer than its limit", tried(send["SEND-23"]));
check("SEND-24", "headers are names with texts", tried(send["SEND-24"]));
check("SEND-25", "headers are no more than their limit", tried(send["SEND-25"]));
check("SEND-26", "a header is named X-... or as one of the two for lists", tried(send["SEND-26"]));
check("SEND-27", "the value of a header has no line break", tried(send["SEND-27"]));
check("SEND-29", "what is not required may be left out", tried(send["SEND-29"]));
check(
  "SEND-30",
  "a send that is taken is answered with the status of the document",
  tried(send["SEND-30"], isTaken),
);
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

check("ATT-1", "attachments are a list", tried(send["ATT-1"]));
check("ATT-2", "attachments are no more than their limit", tried(send["ATT-2"]));
check("ATT-3", "an attachment needs a filename", tried(send["ATT-3"]));
check("ATT-4", "an attachment has either content or path", tried(send["ATT-4"]));
check("ATT-5", "the content of an attachment is base64", tried(send["ATT-5"]));
check("ATT-7", "the path of an attachment is an https address", tried(send["ATT-7"]));
check("GEN-6", "the time of a send states its offset from UTC", tried(send["GEN-6"]));
check("IDEM-4", "an idempotency key of a send is no longer than its limit", tried(send["IDEM-4"]));
check("ERR-10", "every other rule on a send holds on both its sides", tried(send["ERR-10"]));

function isTaken(exchange: Exchange): void {
  const taken: readonly string[] = operations.sendEmail.success;
  must(taken.includes(String(exchange.status)), exchange, {
    expected: `status ${taken.join(" or ")}`,
    found: `status ${exchange.status}`,
  });
}
