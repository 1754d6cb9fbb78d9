import { inEach, successesOf } from "./answers.ts";
import { casesOf, tried } from "./bounds.ts";
import { check } from "./check.ts";
import { has, isAsDocumented } from "./laws.ts";
import { isList, isOf, shows } from "./shows.ts";

const reschedule = casesOf("rescheduleEmail", { "SCHED-8": [[""], ["scheduled_at"]] });
const scheduled = successesOf("sendEmail").filter(({ value }) => "scheduled_at" in (value as object));

check(
  "SCHED-3",
  "a scheduled send is answered with an id of a scheduled message",
  inEach(scheduled, shows("id", isOf("ScheduledMessageId", "the id of a scheduled message"))),
);
check(
  "SCHED-4",
  "a scheduled send is answered with its time",
  inEach(scheduled, shows("scheduled_at", isOf("Timestamp", "a time in UTC"))),
);
check(
  "SCHED-5",
  "a scheduled send is answered with who is left out",
  inEach(scheduled, shows("suppressed", isList)),
);
check(
  "SCHED-8",
  "a change of time needs the new time, under the rules of a send",
  tried(reschedule["SCHED-8"]),
);
check(
  "SCHED-8",
  "a change of time is answered as documented",
  inEach(successesOf("rescheduleEmail"), isAsDocumented),
);
check(
  "SCHED-15",
  "canceling is answered with the status canceled",
  inEach(successesOf("cancelEmail"), has("/status", "status canceled")),
);
check("SCHED-15", "canceling is answered as documented", inEach(successesOf("cancelEmail"), isAsDocumented));
