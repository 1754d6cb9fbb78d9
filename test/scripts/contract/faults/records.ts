import { isMessage, type KnownFault, status, text } from "./changes.ts";

/** Successes of a server that breaks a promise about them. */
export const recordFaults: KnownFault[] = [
  {
    name: "a send answered with 200",
    ids: ["SEND-30"],
    shownIn: "sendEmail: the example receipt is accepted",
    expected: "status 202",
    found: "status 200",
    after: status(202, 200),
  },
  {
    name: "a record without its subject",
    ids: ["LOOK-5", "LOOK-1"],
    shownIn: "getEmail 2XX delivered",
    expected: "subject, a text",
    found: "/subject is missing",
    after: text(/"subject":"[^"]*",/g, "", isMessage),
  },
  {
    name: "a status that no message has",
    ids: ["DELIV-1", "LOOK-7"],
    shownIn: "getEmail 2XX sent",
    expected: "one of the ten states",
    found: "/status must be equal to one of the allowed values",
    after: text(`"status":"sent"`, `"status":"on its way"`),
  },
  {
    name: "a time with an offset",
    ids: ["GEN-7"],
    shownIn: "sendEmail 202 scheduled",
    expected: "scheduled_at in UTC",
    found: "+01:00",
    after: text(/(T\d\d:\d\d:\d\d)Z"/g, '$1+01:00"'),
  },
  {
    name: "an id of a batch without its beginning",
    ids: ["BATCH-11"],
    shownIn: "sendBatch 2XX accepted",
    expected: "an id with sched_ in each entry",
    found: "must match pattern",
    after: text(`"id":"sched_`, `"id":"`),
  },
  {
    name: "a membership in capitals",
    ids: ["MEMB-2"],
    shownIn: "upsertContact 201 pending",
    expected: "email, an address in lower case",
    found: "/email must match pattern",
    after: text("ada@example.com", "Ada@example.com", (_, given) => given.status === 201),
  },
];
