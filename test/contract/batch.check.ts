import { inEach, successesOf } from "./answers.ts";
import { Bounds, tried } from "./bounds.ts";
import { check } from "./check.ts";
import { has, isAsDocumented } from "./laws.ts";

const batch = new Bounds("sendBatch");
const answers = successesOf("sendBatch");

check(
  "BATCH-1",
  "a batch is an object with its messages in emails",
  tried([...batch.of("emails", "type", "required"), ...batch.of("")]),
);
check("BATCH-2", "a batch has at least one message", tried(batch.of("emails", "minItems")));
check("BATCH-3", "a batch has no more messages than its limit", tried(batch.of("emails", "maxItems")));
check("BATCH-5", "a message of a batch has no attachments", tried(batch.of("emails.*.attachments")));
check("BATCH-6", "a message of a batch has no time of its own", tried(batch.of("emails.*.scheduled_at")));
check(
  "IDEM-4",
  "an idempotency key of a batch is no longer than its limit",
  tried(batch.of("Idempotency-Key")),
);
check("BATCH-4", "a message of a batch keeps to the rules of a single one", tried(batch.rest()));

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
