import { type Kysely, sql } from "kysely";
import type { Contact, Message } from "../../domain/records.ts";
import { endOf, keptFor, searchCondition, searchedMessages } from "../../domain/retention.ts";
import {
  type Decision,
  type DueStep,
  type IdempotencyRecord,
  type InitialState,
  type MessageSummary,
  type Replay,
  type Store,
  type Suppression,
  stateSetting,
} from "../../domain/store.ts";
import { monthOf } from "../../domain/times.ts";
import { type Database, together } from "./database.ts";
import { type ChangedMessage, inPage, type NewMessage, prepareQueries, type Queries } from "./queries.ts";
import { createRequestLog, type RequestLog } from "./request-log.ts";
import { createSettings, type Settings, writeSetting } from "./settings.ts";
import { type Tables, tableNames } from "./tables.ts";

type Connection = Kysely<Tables>;

type Accepted = Exclude<Decision, { error: unknown }>;

export class SqlStore implements Store {
  readonly #database: Database;
  readonly #queries: Queries;
  readonly #settings: Settings;
  readonly #requests: RequestLog;
  /** @param database with its tables @param onError gets the errors of writing the request log */
  constructor(database: Database, onError: (error: unknown) => void) {
    this.#database = database;
    this.#queries = prepareQueries(database);
    this.#settings = createSettings(database, this.#queries);
    this.#requests = createRequestLog(database, onError);
  }

  readSettings: Store["readSettings"] = () => this.#settings.readChanges();
  setting: Store["setting"] = (name) => this.#settings.get(name);
  changeSetting: Store["changeSetting"] = (name, change) => this.#settings.change(name, change);
  nextSequence: Store["nextSequence"] = () => this.#settings.nextNumber();
  logRequest: Store["logRequest"] = (request) => this.#requests.add(request);
  loggedRequest: Store["loggedRequest"] = (requestId) => this.#requests.find(requestId);
  loggedRequests: Store["loggedRequests"] = (page) => this.#requests.list(page);

  countRequest: Store["countRequest"] = (accountId, now, limit) =>
    this.#database.run((db) => this.#database.driver.countRequest(db, accountId, now, limit));

  recall: Store["recall"] = ({ scope, key }, now) =>
    this.#database.run(async (db) => {
      const [row] = await this.#queries.findKey(db, { scope, key });
      return row !== undefined && now < row.expires_at ? replayOf(row) : undefined;
    });

  accept: Store["accept"] = async ({ accountId, now, recipients, idempotency, decide }) => {
    const suppressedNow = async (db: Connection): Promise<Set<string>> => {
      const addresses = JSON.stringify(recipients);
      const rows = await this.#queries.suppressedAmong(db, { account: accountId, addresses });
      return new Set(rows.map(({ address }) => address));
    };
    if (idempotency === null) {
      // Nothing that is read here has to be locked.
      const decision = decide(await this.#database.run(suppressedNow));
      if ("error" in decision) return decision;
      const write = (db: Connection) => this.#insertAndCount(db, accountId, now, decision);
      const used = await (this.#isOneStatement(decision)
        ? this.#database.run(write)
        : this.#database.transaction(write));
      return { response: decision.response, used };
    }
    return this.#database.transaction(async (db) => {
      const [replay, suppressed] = await together(this.#claimKey(db, idempotency, now), suppressedNow(db));
      if (replay) return { replay };
      const decision = decide(suppressed);
      if ("error" in decision) {
        await this.#queries.releaseKey(db, keyOf(idempotency));
        return decision;
      }
      const { response } = decision;
      const [used] = await together(
        this.#insertAndCount(db, accountId, now, decision),
        this.#queries.setResponse(db, { ...keyOf(idempotency), ...response }),
      );
      return { response, used };
    });
  };

  message: Store["message"] = (accountId, id) =>
    this.#database.run(async (db) => {
      const [row] = await this.#queries.message(db, { account: accountId, id });
      return row && messageOf(row);
    });

  messages: Store["messages"] = async (page) => {
    const query = sql<{ summary: string; content: string }>`
      select summary, content from messages where listed = 1 and ${inPage("messages", page)}`;
    return (await this.#database.rows(query)).map(messageOf);
  };

  summaries: Store["summaries"] = async ({ search = "", ...page }) => {
    const read = { ...page, limit: search === "" ? page.limit : searchedMessages };
    const query = sql<{ summary: string }>`
      select summary from messages where listed = 1 and ${inPage("messages", read)}`;
    return (await this.#database.rows(query))
      .map(({ summary }): MessageSummary => JSON.parse(summary))
      .filter(searchCondition(search))
      .slice(0, page.limit);
  };

  changeMessage: Store["changeMessage"] = (accountId, id, change) =>
    this.#database.transaction(async (db) => {
      const [row] = await this.#queries.lockMessage(db, { account: accountId, id });
      if (row === undefined) return false;
      const before: MessageSummary = JSON.parse(row.summary);
      const changed = change(before);
      if (changed === undefined) return false;
      const changes = [changeOf(row.seq, { ...changed, subject: before.subject })];
      await this.#queries.updateMessages(db, { changes: JSON.stringify(changes) });
      return true;
    });

  nextDue: Store["nextDue"] = () =>
    this.#database.run(async (db) => (await this.#queries.nextDue(db, {}))[0]?.due_at ?? null);

  runDue: Store["runDue"] = ({ until, limit, step }) =>
    this.#database.transaction(async (db) => {
      const rows = await this.#queries.lockDue(db, { until, limit });
      const due = rows.map(({ seq, summary }) => ({ seq, before: JSON.parse(summary) as MessageSummary }));
      const steps = due.map(({ before }) => step(before));
      const changes = due.map(({ seq, before: { subject } }, index) =>
        changeOf(seq, { ...(steps[index] as DueStep).message, subject }),
      );
      if (changes.length === 0) return [];
      await this.#queries.updateMessages(db, { changes: JSON.stringify(changes) });
      const counted = new Map<string, { accountId: string; at: number; recipients: number }>();
      for (const { message, counted: effect } of steps) {
        if (effect === undefined) continue;
        const name = `${message.accountId} ${monthOf(effect.at)}`;
        const recipients = effect.recipients + (counted.get(name)?.recipients ?? 0);
        counted.set(name, { accountId: message.accountId, at: effect.at, recipients });
      }
      // In the same order in all transactions.
      for (const name of [...counted.keys()].sort()) {
        const { accountId = "", at = 0, recipients = 0 } = counted.get(name) ?? {};
        await this.#count(db, accountId, at, recipients);
      }
      return steps;
    });

  /** Keeps the first reason. */
  suppress: Store["suppress"] = async (accountId, address, reason, at) => {
    await this.#database.run((db) => writeSuppressions(db, [{ accountId, address, reason, at }]));
  };

  unsuppress: Store["unsuppress"] = async (accountId, address) => {
    const query = sql`
      delete from suppressions where account = ${accountId} and address = ${address} returning seq`;
    return (await this.#database.rows(query)).length > 0;
  };

  suppressions: Store["suppressions"] = (accountId) =>
    this.#database.rows(
      sql<Suppression>`
        select address, reason, at from suppressions where account = ${accountId} order by seq`,
    );

  used: Store["used"] = (accountId, now) =>
    this.#database.run(async (db) => {
      const [row] = await this.#queries.used(db, { account: accountId, month: monthOf(now) });
      return row?.recipients ?? 0;
    });

  contact: Store["contact"] = (accountId, email) =>
    this.#database.run(async (db) => {
      const [row] = await this.#queries.contact(db, { account: accountId, email });
      return row && contactOf(row);
    });

  contacts: Store["contacts"] = async ({ accountId, limit, after = "" }) => {
    const query = sql<{ record: string }>`
      select record from contacts where account = ${accountId} and email > ${after}
      order by email limit ${limit}`;
    return (await this.#database.rows(query)).flatMap((row) => contactOf(row) ?? []);
  };

  changeContact: Store["changeContact"] = ({ accountId, email, now, idempotency, decide }) =>
    this.#database.transaction(async (db) => {
      const replay = await this.#claimKey(db, idempotency, now);
      if (replay) return { replay };
      const [row] = await this.#queries.lockContact(db, { account: accountId, email });
      const addresses = JSON.stringify([email]);
      const suppressed = await this.#queries.suppressedAmong(db, { account: accountId, addresses });
      const known = row && contactOf(row);
      const { contact, mail, response, result } = decide(known, suppressed.length > 0);
      if (mail) await this.#queries.insertMessage(db, rowOf(mail));
      if (contact)
        await db
          .updateTable("contacts")
          .set({ record: JSON.stringify(contact) })
          .where("account", "=", accountId)
          .where("email", "=", email)
          .execute();
      else if (known === undefined)
        await db.deleteFrom("contacts").where("account", "=", accountId).where("email", "=", email).execute();
      if (idempotency) await this.#queries.setResponse(db, { ...keyOf(idempotency), ...response });
      return { response, result };
    });

  forget: Store["forget"] = async (now) => {
    await this.#database.run(async (db) => {
      await db.deleteFrom("idempotency").where("expires_at", "<=", now).execute();
      await db.deleteFrom("messages").where("over_at", "<=", now).execute();
      const oldest = now - keptFor.requests;
      await db.deleteFrom("requests").where("at", "<=", oldest).execute();
    });
  };

  fill: Store["fill"] = async (state) => {
    const isFilled = await this.#database.transaction(async (db) => {
      // A second instance waits here for the first one.
      const marked = await db
        .insertInto("settings")
        .values({ name: stateSetting, value: crypto.randomUUID() })
        .onConflict((conflict) => conflict.doNothing())
        .returning("name")
        .execute();
      if (marked.length > 0) await this.#write(db, state);
      return marked.length > 0;
    });
    await this.#settings.read();
    return isFilled;
  };

  reset: Store["reset"] = async (state) => {
    await this.#requests.flush();
    await this.#database.transaction(async (db) => {
      for (const table of tableNames) await db.deleteFrom(table).execute();
      await this.#database.driver.resetRates(db);
      await writeSetting(db, stateSetting, crypto.randomUUID());
      await this.#write(db, state);
    });
    await this.#settings.read();
  };

  close: Store["close"] = async () => {
    await this.#requests.close();
    await this.#database.close();
  };

  /** Writes an idempotency record, or returns the replay of the earlier request. */
  async #claimKey(db: Connection, record: IdempotencyRecord | null, now: number) {
    if (record === null) return undefined;
    const { fingerprint, expiresAt: expires_at } = record;
    const claimed = await this.#queries.claimKey(db, { ...keyOf(record), fingerprint, expires_at, now });
    if (claimed.length > 0) return undefined;
    const [row] = await this.#queries.findKey(db, keyOf(record));
    if (row === undefined) throw new Error("an idempotency record was deleted in between");
    return replayOf(row);
  }

  #isOneStatement({ messages }: Accepted): boolean {
    return this.#database.driver.isPostgres && messages.length === 1;
  }

  /** @returns the recipients counted in that month */
  async #insertAndCount(db: Connection, account: string, now: number, accepted: Accepted): Promise<number> {
    const { messages, counted: recipients } = accepted;
    const [message] = messages;
    if (message !== undefined && this.#isOneStatement(accepted)) {
      const values = { ...rowOf(message), month: monthOf(now), recipients };
      const [row] = await this.#queries.insertAndCount(db, values);
      return row?.recipients ?? 0;
    }
    const inserted = messages.map((one) => this.#queries.insertMessage(db, rowOf(one)));
    // Last: all sends of an account wait for each other here.
    const [used] = await together(this.#count(db, account, now, recipients), ...inserted);
    return used;
  }

  /** @returns the recipients counted in that month */
  async #count(db: Connection, account: string, at: number, recipients: number): Promise<number> {
    const [row] = await this.#queries.count(db, { account, month: monthOf(at), recipients });
    return row?.recipients ?? 0;
  }

  async #write(db: Connection, { settings, contacts, suppressions, messages }: InitialState): Promise<void> {
    for (const [name, value] of Object.entries(settings)) await writeSetting(db, name, value);
    for (const contact of contacts) {
      const row = { account: contact.accountId, email: contact.email, record: JSON.stringify(contact) };
      await db.insertInto("contacts").values(row).execute();
    }
    if (suppressions.length > 0) await writeSuppressions(db, suppressions);
    for (const message of messages) await this.#queries.insertMessage(db, rowOf(message, 0));
  }
}

const writeSuppressions = (db: Connection, suppressions: InitialState["suppressions"]) =>
  db
    .insertInto("suppressions")
    .values(suppressions.map(({ accountId: account, ...rest }) => ({ account, ...rest })))
    .onConflict((conflict) => conflict.columns(["account", "address"]).doNothing())
    .execute();

/** Without the fingerprint, which is computed when it is needed first. */
const keyOf = ({ scope, key }: IdempotencyRecord) => ({ scope, key });

const replayOf = ({ fingerprint, status, body }: Omit<Tables["idempotency"], "scope" | "key">): Replay => ({
  fingerprint,
  response: { status, body },
});

const rowOf = ({ content, ...rest }: Message, listed = 1): NewMessage => ({
  ...{ id: rest.id, account: rest.accountId, listed, due_at: rest.dueAt, over_at: endOf(rest) },
  summary: JSON.stringify({ ...rest, subject: content.subject } satisfies MessageSummary),
  content: JSON.stringify(content),
});

const changeOf = (seq: number, message: MessageSummary): ChangedMessage => ({
  ...{ seq, due_at: message.dueAt, over_at: endOf(message), summary: JSON.stringify(message) },
});

function messageOf({ summary, content }: { summary: string; content: string }): Message {
  const { subject: _, ...message } = JSON.parse(summary) as MessageSummary;
  return { ...message, content: JSON.parse(content) };
}

/** A contact whose first transaction is in progress has no record. */
const contactOf = ({ record }: { record: string }): Contact | undefined =>
  record === "" ? undefined : JSON.parse(record);
