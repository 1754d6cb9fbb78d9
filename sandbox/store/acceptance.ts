import type {
  Acceptance,
  AcceptanceOutcome,
  ContactChange,
  ContactDecision,
  ContactOutcome,
  Decision,
  IdempotencyRecord,
  Replay,
} from "../domain/store.ts";
import type { Tables } from "./tables.ts";

/** Accepts messages or rejects them, in one transaction. */
export function accept(tables: Tables, acceptance: Acceptance): Promise<AcceptanceOutcome> {
  const { accountId, now, recipients, idempotency } = acceptance;
  return tables.commits.write<Replayed | Decision, AcceptanceOutcome>(
    () =>
      replayed(tables, idempotency, now) ??
      acceptance.decide(tables.suppressions.among(accountId, recipients)),
    (decided) => {
      if ("replay" in decided || "error" in decided) return decided;
      const { messages, response, counted } = decided;
      for (const message of messages) tables.messages.insert(message);
      if (idempotency !== null) tables.idempotency.insert(idempotency, response);
      return { response, replayed: false, used: tables.quota.add(accountId, now, counted) };
    },
  );
}

/** Changes a contact and stores the email that goes to it because of that, in one transaction. */
export function changeContact<Result>(
  tables: Tables,
  change: ContactChange<Result>,
): Promise<ContactOutcome<Result>> {
  const { accountId, email, now, idempotency } = change;
  return tables.commits.write<Replayed | ContactDecision<Result>, ContactOutcome<Result>>(
    () => {
      const replay = replayed(tables, idempotency, now);
      if (replay !== undefined) return replay;
      const suppressed = tables.suppressions.among(accountId, [email]).size > 0;
      return change.decide(tables.contacts.find(accountId, email), suppressed);
    },
    (decided) => {
      if ("replay" in decided) return decided;
      const { contact, mail, response, result } = decided;
      if (contact !== undefined) tables.contacts.write(contact);
      if (mail !== undefined) tables.messages.insert(mail);
      if (idempotency !== null) tables.idempotency.insert(idempotency, response);
      return { response, result };
    },
  );
}

type Replayed = { replay: Replay };

function replayed(tables: Tables, record: IdempotencyRecord | null, now: number): Replayed | undefined {
  const replay = record === null ? undefined : tables.idempotency.find(record, now);
  return replay && { replay };
}
