import { operations } from "../../generated/operations.ts";
import { documentedAnswers, inEach } from "./answers.ts";
import { must } from "./broken.ts";
import { check } from "./check.ts";

check(
  "IDEM-3",
  "no call but the three that take an idempotency key answers with a replay",
  inEach(
    documentedAnswers.filter(({ operation }) => !operations[operation].idempotent),
    (exchange) =>
      must(!("idempotent-replayed" in exchange.headers), exchange, {
        expected: "no header Idempotent-Replayed",
        found: `Idempotent-Replayed: ${exchange.headers["idempotent-replayed"]}`,
      }),
  ),
);
