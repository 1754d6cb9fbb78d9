import type {
  Acceptance,
  AcceptanceOutcome,
  ContactChange,
  ContactOutcome,
  IdempotencyRecord,
  Replay,
} from "../../domain/store.ts";
import type { State } from "./state.ts";

/** Accepts messages or rejects them. */
export function accept(state: State, acceptance: Acceptance): AcceptanceOutcome {
  const { accountId, now, recipients, idempotency, decide } = acceptance;
  const replay = replayOf(state, idempotency, now);
  if (replay !== undefined) return { replay };
  const decision = decide(state.suppressedAmong(accountId, recipients));
  if ("error" in decision) return decision;
  const { messages, response, counted } = decision;
  state.messages.checkNew(messages);
  if (idempotency !== null) state.idempotency.insert(idempotency, response);
  const used = state.count(accountId, now, counted);
  for (const message of messages) state.insert(message);
  return { response, replayed: false, used };
}

/** Changes a contact and stores the email that goes to it because of that. */
export function changeContact<Result>(state: State, change: ContactChange<Result>): ContactOutcome<Result> {
  const { accountId, email, now, idempotency } = change;
  const replay = replayOf(state, idempotency, now);
  if (replay !== undefined) return { replay };
  const suppressed = state.suppressedAmong(accountId, [email]).size > 0;
  const decision = change.decide(structuredClone(state.contact(accountId, email)), suppressed);
  const { contact, mail, response, result } = decision;
  state.messages.checkNew(mail === undefined ? [] : [mail]);
  if (contact !== undefined) state.writeContact(structuredClone(contact));
  if (mail !== undefined) state.insert(mail);
  if (idempotency !== null) state.idempotency.insert(idempotency, response);
  return { response, result };
}

const replayOf = (
  { idempotency }: State,
  record: IdempotencyRecord | null,
  now: number,
): Replay | undefined => (record === null ? undefined : idempotency.find(record, now));
