import { inEach, successesOf } from "./answers.ts";
import { casesOf, tried } from "./bounds.ts";
import { check } from "./check.ts";
import { has, isAsDocumented } from "./laws.ts";

const batch = casesOf("sendBatch", {
  "BATCH-1": [["emails", "type", "required"], [""]],
  "BATCH-2": [["emails", "minItems"]],
  "BATCH-3": [["emails", "maxItems"]],
  "BATCH-4": [["emails.**"]],
  "BATCH-5": [["emails.*.attachments"]],
  "BATCH-6": [["emails.*.scheduled_at"]],
  "IDEM-4": [["Idempotency-Key"]],
});
const answers = successesOf("sendBatch");

check("BATCH-1", "a batch is an object with its messages in emails", tried(batch["BATCH-1"]));
check("BATCH-2", "a batch has at least one message", tried(batch["BATCH-2"]));
check("BATCH-3", "a batch has no more messages than its limit", tried(batch["BATCH-3"]));
check("BATCH-5", "a message of a batch has no attachments", tried(batch["BATCH-5"]));
check("BATCH-6", "a message of a batch has no time of its own", tried(batch["BATCH-6"]));
check("IDEM-4", "an idempotency key of a batch is no longer than its limit", tried(batch["IDEM-4"]));
check("BATCH-4", "a message of a batch keeps to the rules of a single one", tried(batch["BATCH-4"]));

check(["BATCH-1", "BATCH-9"], "a batch is answered as documented", inEach(answers, isAsDocumented));
check(
  "BATCH-9",
  "the answer to a batch has its entries in data",
  inEach(answers, has("/data", "data, a list")),
);
check(
  "BATCH-11",
  "an entry for a message has an id with sched_",
  inEach(answers, has("/data/*/id", "an id with sched_ in each entry")),
);
check(
  "BATCH-12",
  "an entry for a message lists who is left out",
  inEach(answers, has("/data/*/suppressed", "suppressed, a list, in each entry")),
);
