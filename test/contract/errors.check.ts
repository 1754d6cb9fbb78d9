import { operations } from "../../generated/operations.ts";
import { failures, inEach } from "./answers.ts";
import { must } from "./broken.ts";
import { check, leftOut } from "./check.ts";
import { errorOf, has, hasErrorShape, hasListedType, hasOneRequestId, isAsDocumented } from "./laws.ts";

const own = "Prism answers this itself, in its own form, before it looks at the document.";
/** The types that newsletter calls fail with, and those that the shared front gives on any address. */
const newsletterTypes = [
  "unauthorized",
  "forbidden",
  "no_plan",
  "invalid_request",
  "not_found",
  "idempotency_conflict",
];
const frontTypes = ["rate_limited", "method_not_allowed"];

check("ERR-1", "an error has a type, a message and a request id", inEach(failures, hasErrorShape));
check(
  "ERR-1",
  "every documented error comes when it is asked for, as documented",
  inEach(failures, isAsDocumented),
);
check(
  "ERR-1",
  "the type of an error is one that the document lists for the status",
  inEach(failures, hasListedType),
);
check(
  "ERR-4",
  "what is wrong with a field stands in fields, under its name, as a list of texts",
  inEach(
    failures.filter(({ example }) => example.startsWith("invalid_request")),
    (exchange, answer) => {
      const { fields } = errorOf(exchange) ?? {};
      must(fields !== undefined, exchange, { expected: "error.fields", found: "an error without fields" });
      has("/error/fields", "a list of texts under each name in error.fields")(exchange, answer);
    },
  ),
);
check("ERR-5", "the request id of an error is that of the header", inEach(failures, hasOneRequestId));
check(
  "ERR-12",
  "newsletter calls fail with their six types only, apart from what the shared front answers",
  inEach(
    failures.filter(({ operation, status }) => operations[operation].tag === "Newsletter" && status < 500),
    (exchange) => {
      const type = String(errorOf(exchange)?.type);
      must([...newsletterTypes, ...frontTypes].includes(type), exchange, {
        expected: `error.type ${newsletterTypes.join(", ")}`,
        found: `error.type ${type}`,
      });
    },
  ),
);
check(
  "ERR-16",
  "a 429 for too many requests has the same error object as any other error",
  inEach(
    failures.filter(({ example }) => example === "rate_limited"),
    hasErrorShape,
  ),
);
leftOut("ERR-6", "an address that does not exist is answered 404 not_found", own);
leftOut(["ERR-7", "HEAD-10"], "a method that an address does not take is answered 405, with Allow", own);
