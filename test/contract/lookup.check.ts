import { inEach, successesOf } from "./answers.ts";
import { check } from "./check.ts";
import { has, isAsDocumented } from "./laws.ts";

const answers = successesOf("getEmail");
const bounced = answers.filter(({ value }) => (value as { bounce: unknown }).bounce !== null);
const time = (name: string) => inEach(answers, has(`/${name}`, `${name}, a time in UTC or null`));
const text = (name: string) => inEach(answers, has(`/${name}`, `${name}, a text`));
const ofBounce = (name: string, kind = "a text") =>
  inEach(bounced, has(`/bounce/${name}`, `${name} of the bounce, ${kind}`));

check("LOOK-1", "looking up a message gives its record as documented", inEach(answers, isAsDocumented));
check("LOOK-2", "a message record has its id", text("id"));
check("LOOK-3", "a message record has the from address", text("from"));
check(
  "LOOK-4",
  "a message record has the recipients as a list",
  inEach(answers, has("/to", "to, a list of addresses")),
);
check("LOOK-5", "a message record has the subject", text("subject"));
check("LOOK-7", "a message record has its status", text("status"));
check("LOOK-8", "a message record explains its status", text("status_description"));
check("LOOK-9", "a message record tells when it was scheduled for", time("scheduled_at"));
check("LOOK-10", "a message record tells when it was sent", time("sent_at"));
check("LOOK-11", "a message record tells when it was delivered", time("delivered_at"));
check("LOOK-12", "a message record tells when it bounced", time("bounced_at"));
check("LOOK-13", "a message record tells when it was complained about", time("complained_at"));
check(
  "LOOK-14",
  "a message record has a bounce or null",
  inEach(answers, has("/bounce", "bounce, an object or null")),
);
check(
  "LOOK-15",
  "a message record has its history as a list",
  inEach(answers, has("/events", "events, a list")),
);
check("LOOK-16", "a bounce names its class", ofBounce("type"));
check("LOOK-17", "a bounce names its subclass", ofBounce("subtype"));
check("LOOK-18", "a bounce says whether it lasts", ofBounce("permanent", "true or false"));
check("LOOK-19", "a bounce explains itself", ofBounce("summary"));
check("LOOK-20", "a bounce advises the sender", ofBounce("what_to_do"));
check("LOOK-21", "a bounce quotes the receiving server", ofBounce("diagnostic"));
check(
  "DELIV-1",
  "the status of a message is one of its ten states",
  inEach(answers, has("/status", "one of the ten states")),
);
check(
  "EVENT-1",
  "an event has a type, a time and a detail, which may be null",
  inEach(answers, has("/events/*", "type, at and detail in each event")),
);
