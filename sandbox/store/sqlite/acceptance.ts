import type {
  Acceptance,
  AcceptanceOutcome,
  ContactChange,
  ContactOutcome,
  IdempotencyRecord,
  Replay,
} from "../../domain/store.ts";
import type { Tables } from "./tables.ts";

/** Accepts messages or rejects them, in one transaction. */
export function accept(tables: Tables, acceptance: Acceptance): Promise<AcceptanceOutcome> {
  const { accountId, now, recipients, idempotency } = acceptance;
  return writeOnce(
    tables,
    acceptance,
    () => acceptance.decide(tables.suppressions.among(accountId, recipients)),
    (decided): AcceptanceOutcome => {
      if ("error" in decided) return decided;
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
  const { accountId, email, idempotency } = change;
  return writeOnce(
    tables,
    change,
    () => {
      const suppressed = tables.suppressions.among(accountId, [email]).size > 0;
      return change.decide(tables.contacts.find(accountId, email), suppressed);
    },
    ({ contact, mail, response, result }): ContactOutcome<Result> => {
      if (contact !== undefined) tables.contacts.write(contact);
      if (mail !== undefined) tables.messages.insert(mail);
      if (idempotency !== null) tables.idempotency.insert(idempotency, response);
      return { response, result };
    },
  );
}

/** Decides and writes, unless the request is a replay. */
function writeOnce<Decided extends object, Outcome>(
  tables: Tables,
  { idempotency, now }: { idempotency: IdempotencyRecord | null; now: number },
  decide: () => Decided,
  write: (decided: Decided) => Outcome,
): Promise<Outcome | { replay: Replay }> {
  return tables.commits.write<Decided | { replay: Replay }, Outcome | { replay: Replay }>(
    () => {
      const replay = idempotency === null ? undefined : tables.idempotency.find(idempotency, now);
      return replay === undefined ? decide() : { replay };
    },
    (decided) => ("replay" in decided ? decided : write(decided)),
  );
}
