import { errors } from "../../generated/errors.ts";
import { type OperationId, operations } from "../../generated/operations.ts";
import { failures, failuresOfType, inEach } from "./answers.ts";
import { must } from "./broken.ts";
import { check } from "./check.ts";
import { document } from "./document.ts";
import { errorOf, hasErrorShape, hasListedType, hasOneRequestId } from "./error-laws.ts";
import { has, isAsDocumented } from "./laws.ts";

/** The types of error that the operations of a tag fail with, by the tag, where the document lists them. */
const typesOfTag = new Map((document.tags ?? []).map((tag) => [tag.name, tag["x-error-types"]]));
const listedTypes = ({ operation }: { operation: OperationId }): string[] | undefined =>
  typesOfTag.get(operations[operation].tag);
/** What the shared front answers on any address. */
const frontTypes = Object.values(errors)
  .filter((row) => row.operations.length === 0)
  .map(({ type }): string | null => type);

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
  inEach(failuresOfType("invalid_request"), (exchange, answer) => {
    const { fields } = errorOf(exchange) ?? {};
    must(fields !== undefined, exchange, { expected: "error.fields", found: "an error without fields" });
    has("/error/fields", "a list of texts under each name in error.fields")(exchange, answer);
  }),
);
check("ERR-5", "the request id of an error is that of the header", inEach(failures, hasOneRequestId));
check(
  "ERR-12",
  "newsletter calls fail with the types of their tag only, apart from what the shared front answers",
  inEach(
    failures.filter((answer) => listedTypes(answer) !== undefined && answer.status < 500),
    (exchange, answer) => {
      const types = listedTypes(answer) ?? [];
      const type = String(errorOf(exchange)?.type);
      must([...types, ...frontTypes].includes(type), exchange, {
        expected: `error.type ${types.join(", ")}`,
        found: `error.type ${type}`,
      });
    },
  ),
);
check(
  "ERR-16",
  "a 429 for too many requests has the same error object as any other error",
  inEach(failuresOfType("rate_limited"), hasErrorShape),
);
