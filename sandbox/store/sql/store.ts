import type { Kysely } from "kysely";
import type { Contact, LoggedRequest, Message } from "../../domain/records.ts";
import { endOf, keptFor, searchCondition, searchedMessages } from "../../domain/retention.ts";
import {
  type Acceptance,
  type AcceptanceOutcome,
  type ContactChange,
  type ContactOutcome,
  type ContactPage,
  type DueMessage,
  type DueRun,
  type DueStep,
  type IdempotencyRecord,
  type InitialState,
  type MessagePage,
  type MessageSummary,
  type Page,
  type RateWindow,
  type Replay,
  type SettingChange,
  type Store,
  type Suppression,
  stateSetting,
} from "../../domain/store.ts";
import { monthOf } from "../../domain/times.ts";
import { type Database, together } from "./database.ts";
import { prepareQueries, type Queries } from "./queries.ts";
import { RequestLog } from "./request-log.ts";
import { type Tables, tableNames } from "./tables.ts";

type Connection = Kysely<Tables>;

/** The setting with the last number that an instance has reserved. */
const sequenceSetting = "sequence";

/** Numbers that an instance reserves at once, and how many it has at least at the start of a request: a batch has 100 messages. */
const reserved = 1_000;
const leastReserved = 250;

/** The store in an SQL database. */
export class SqlStore implements Store {
  readonly #database: Database;
  readonly #queries: Queries;
  readonly #requests: RequestLog;
  #settings: ReadonlyMap<string, string> = new Map();
  /** How many changes of settings this instance has made. */
  #changes = 0;
  #lastChange: Promise<unknown> = Promise.resolve();
  #lastRead: Promise<void> = Promise.resolve();
  #nextRead: Promise<void> | undefined;
  #sequence = { next: 1, last: 0 };
  #reserving: Promise<void> | undefined;

  /** @param database with its tables @param onError gets the errors of writing the request log */
  constructor(database: Database, onError: (error: unknown) => void) {
    this.#database = database;
    this.#queries = prepareQueries(database);
    this.#requests = new RequestLog(database, onError);
  }

  async readSettings(): Promise<void> {
    // Of SQLite, no other process changes them.
    if (this.#database.driver.isPostgres) await this.#readWithOthers();
    await this.#reserveIfFew();
  }

  setting(name: string): string | undefined {
    return this.#settings.get(name);
  }

  changeSetting<Result>(
    name: string,
    change: (value: string | undefined) => SettingChange<Result>,
  ): Promise<Result> {
    // One after the other: otherwise the last one to commit is perhaps not the last one to return.
    const changed = this.#lastChange.then(() => this.#changeSetting(name, change));
    this.#lastChange = changed.catch(() => {});
    return changed;
  }

  async #changeSetting<Result>(
    name: string,
    change: (value: string | undefined) => SettingChange<Result>,
  ): Promise<Result> {
    const { lockSettings, setting } = this.#queries;
    const { value, result } = await this.#database.transaction(async (db) => {
      await lockSettings(db, { name: stateSetting });
      const [row] = await setting(db, { name });
      const changed = change(row?.value);
      if (changed.value !== row?.value) await writeSetting(db, name, changed.value);
      return changed;
    });
    const settings = new Map(this.#settings);
    if (value === undefined) settings.delete(name);
    else settings.set(name, value);
    this.#settings = settings;
    this.#changes += 1;
    return result;
  }

  nextSequence(): number {
    const { next, last } = this.#sequence;
    if (next > last) throw new Error("no numbers are reserved");
    this.#sequence.next += 1;
    return next;
  }

  countRequest(accountId: string, now: number, limit: number): Promise<RateWindow> {
    const { driver } = this.#database;
    return this.#database.run((db) => driver.countRequest(db, accountId, now, limit));
  }

  recall({ scope, key }: Pick<IdempotencyRecord, "scope" | "key">, now: number): Promise<Replay | undefined> {
    return this.#database.run(async (db) => {
      const [row] = await this.#queries.findKey(db, { scope, key });
      return row !== undefined && now < row.expires_at ? replayOf(row) : undefined;
    });
  }

  accept({ accountId, now, recipients, idempotency, decide }: Acceptance): Promise<AcceptanceOutcome> {
    return this.#database.transaction(async (db) => {
      const addresses = JSON.stringify(recipients);
      const [replay, suppressed] = await together(
        this.#claimKey(db, idempotency, now),
        this.#queries.suppressedAmong(db, { account: accountId, addresses }),
      );
      if (replay) return { replay };
      const decision = decide(new Set(suppressed.map(({ address }) => address)));
      if ("error" in decision) {
        if (idempotency) await this.#queries.releaseKey(db, keyOf(idempotency));
        return decision;
      }
      const { messages, counted, response } = decision;
      const written = together(...messages.map((message) => this.#insert(db, message)));
      const remembered = idempotency && this.#queries.setResponse(db, { ...keyOf(idempotency), ...response });
      // Last: all sends of an account wait for each other here.
      const [used] = await together(this.#count(db, accountId, now, counted), written, remembered ?? written);
      return { response, replayed: false, used };
    });
  }

  message(accountId: string, id: string): Promise<Message | undefined> {
    return this.#database.run(async (db) => {
      const [row] = await this.#queries.message(db, { account: accountId, id });
      return row && messageOf(row);
    });
  }

  async messages(page: MessagePage): Promise<Message[]> {
    if (isSearch(page)) {
      const found = await this.summaries(page);
      const messages = await Promise.all(found.map(({ accountId, id }) => this.message(accountId, id)));
      return messages.filter((message) => message !== undefined);
    }
    const rows = await this.#database.run((db) =>
      messagePage(db, page).select(["summary", "content"]).execute(),
    );
    return rows.map(messageOf);
  }

  async summaries({ search = "", ...page }: MessagePage): Promise<MessageSummary[]> {
    const isFound = isSearch({ search }) ? searchCondition(search) : () => true;
    const limit = isSearch({ search }) ? searchedMessages : page.limit;
    const rows = await this.#database.run((db) =>
      messagePage(db, { ...page, limit })
        .select("summary")
        .execute(),
    );
    return rows
      .map(({ summary }): MessageSummary => JSON.parse(summary))
      .filter(isFound)
      .slice(0, page.limit);
  }

  changeMessage(
    accountId: string,
    id: string,
    change: (message: DueMessage) => DueMessage | undefined,
  ): Promise<boolean> {
    return this.#database.transaction(async (db) => {
      const [row] = await this.#queries.lockMessage(db, { account: accountId, id });
      if (row === undefined) return false;
      const before: MessageSummary = JSON.parse(row.summary);
      const changed = change(before);
      if (changed === undefined) return false;
      await this.#update(db, row.seq, { ...changed, subject: before.subject });
      return true;
    });
  }

  nextDue(): Promise<number | null> {
    return this.#database.run(async (db) => (await this.#queries.nextDue(db, {}))[0]?.due_at ?? null);
  }

  runDue({ until, limit, step }: DueRun): Promise<DueStep[]> {
    return this.#database.transaction(async (db) => {
      const rows = await this.#queries.lockDue(db, { until, limit });
      const due = rows.map(({ seq, summary }) => ({ seq, before: JSON.parse(summary) as MessageSummary }));
      const steps = due.map(({ before }) => step(before));
      const updates = due.map(({ seq, before: { subject } }, index) =>
        this.#update(db, seq, { ...(steps[index] as DueStep).message, subject }),
      );
      await together(...updates);
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
  }

  /** Keeps the first reason. */
  async suppress(accountId: string, address: string, reason: string, at: number): Promise<void> {
    await this.#database.run((db) => writeSuppressions(db, [{ accountId, address, reason, at }]));
  }

  async unsuppress(accountId: string, address: string): Promise<boolean> {
    const deleted = await this.#database.run((db) =>
      db
        .deleteFrom("suppressions")
        .where("account", "=", accountId)
        .where("address", "=", address)
        .returning("seq")
        .execute(),
    );
    return deleted.length > 0;
  }

  suppressions(accountId: string): Promise<Suppression[]> {
    return this.#database.run((db) =>
      db
        .selectFrom("suppressions")
        .select(["address", "reason", "at"])
        .where("account", "=", accountId)
        .orderBy("seq")
        .execute(),
    );
  }

  used(accountId: string, now: number): Promise<number> {
    return this.#database.run(async (db) => {
      const [row] = await this.#queries.used(db, { account: accountId, month: monthOf(now) });
      return row?.recipients ?? 0;
    });
  }

  contact(accountId: string, email: string): Promise<Contact | undefined> {
    return this.#database.run(async (db) => {
      const [row] = await this.#queries.contact(db, { account: accountId, email });
      return row && contactOf(row);
    });
  }

  async contacts({ accountId, limit, after = "" }: ContactPage): Promise<Contact[]> {
    const rows = await this.#database.run((db) =>
      db
        .selectFrom("contacts")
        .select("record")
        .where("account", "=", accountId)
        .where("email", ">", after)
        .orderBy("email")
        .limit(limit)
        .execute(),
    );
    return rows.flatMap((row) => contactOf(row) ?? []);
  }

  changeContact<Result>({
    accountId,
    email,
    now,
    idempotency,
    decide,
  }: ContactChange<Result>): Promise<ContactOutcome<Result>> {
    return this.#database.transaction(async (db) => {
      const replay = await this.#claimKey(db, idempotency, now);
      if (replay) return { replay };
      const [row] = await this.#queries.lockContact(db, { account: accountId, email });
      const addresses = JSON.stringify([email]);
      const suppressed = await this.#queries.suppressedAmong(db, { account: accountId, addresses });
      const known = row && contactOf(row);
      const { contact, mail, response, result } = decide(known, suppressed.length > 0);
      if (mail) await this.#insert(db, mail);
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
  }

  logRequest(request: LoggedRequest): void {
    this.#requests.add(request);
  }

  loggedRequest(requestId: string): Promise<LoggedRequest | undefined> {
    return this.#requests.find(requestId);
  }

  loggedRequests(page: Page): Promise<LoggedRequest[]> {
    return this.#requests.list(page);
  }

  async forget(now: number): Promise<void> {
    await this.#database.run(async (db) => {
      await db.deleteFrom("idempotency").where("expires_at", "<=", now).execute();
      await db.deleteFrom("messages").where("over_at", "<=", now).execute();
      await db
        .deleteFrom("requests")
        .where("at", "<=", now - keptFor.requests)
        .execute();
    });
  }

  async fill(state: InitialState): Promise<boolean> {
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
    await this.#readSettings();
    await this.#reserveIfFew();
    return isFilled;
  }

  async reset(state: InitialState): Promise<void> {
    await this.#requests.flush();
    await this.#database.transaction(async (db) => {
      for (const table of tableNames) await db.deleteFrom(table).execute();
      await this.#database.driver.resetRates(db);
      await writeSetting(db, stateSetting, crypto.randomUUID());
      await this.#write(db, state);
    });
    await this.#readSettings();
    await this.#reserveIfFew();
  }

  async close(): Promise<void> {
    await this.#requests.close();
    await this.#database.close();
  }

  /** Requests that come in during a read share the next one. */
  #readWithOthers(): Promise<void> {
    this.#nextRead ??= this.#lastRead.then(() => {
      this.#nextRead = undefined;
      const read = this.#readSettings();
      this.#lastRead = read.catch(() => {});
      return read;
    });
    return this.#nextRead;
  }

  async #readSettings(): Promise<void> {
    const changes = this.#changes;
    const rows = await this.#database.run((db) => this.#queries.settings(db, {}));
    // They may be those of before a change.
    if (changes !== this.#changes) return this.#readSettings();
    const before = this.#settings.get(stateSetting);
    this.#settings = new Map(rows.map(({ name, value }) => [name, value]));
    if (this.#settings.get(stateSetting) !== before) this.#sequence = { next: 1, last: 0 };
  }

  async #reserveIfFew(): Promise<void> {
    if (this.#sequence.last - this.#sequence.next >= leastReserved) return;
    this.#reserving ??= this.#reserve().finally(() => {
      this.#reserving = undefined;
    });
    await this.#reserving;
  }

  async #reserve(): Promise<void> {
    const [row] = await this.#database.run((db) =>
      this.#queries.reserve(db, { name: sequenceSetting, count: String(reserved) }),
    );
    const last = Number(row?.value);
    const first = last - reserved + 1;
    // Without a gap, unless another instance has reserved numbers in between.
    const next = first === this.#sequence.last + 1 ? this.#sequence.next : first;
    this.#sequence = { next, last };
  }

  /** Writes an idempotency record, or returns the replay of the earlier request. */
  async #claimKey(
    db: Connection,
    record: IdempotencyRecord | null,
    now: number,
  ): Promise<Replay | undefined> {
    if (record === null) return undefined;
    const { fingerprint, expiresAt: expires_at } = record;
    const claimed = await this.#queries.claimKey(db, { ...keyOf(record), fingerprint, expires_at, now });
    if (claimed.length > 0) return undefined;
    const [row] = await this.#queries.findKey(db, keyOf(record));
    if (row === undefined) throw new Error("an idempotency record was deleted in between");
    return replayOf(row);
  }

  async #insert(db: Connection, message: Message, listed = 1): Promise<void> {
    const { content, ...rest } = message;
    await this.#queries.insertMessage(db, {
      ...{ id: message.id, account: message.accountId, listed },
      ...{ due_at: message.dueAt, over_at: endOf(message) },
      summary: JSON.stringify({ ...rest, subject: content.subject } satisfies MessageSummary),
      content: JSON.stringify(content),
    });
  }

  async #update(db: Connection, seq: number, message: MessageSummary): Promise<void> {
    const summary = JSON.stringify(message);
    await this.#queries.updateMessage(db, { seq, due_at: message.dueAt, over_at: endOf(message), summary });
  }

  /** @returns the recipients counted in that month */
  async #count(db: Connection, account: string, at: number, recipients: number): Promise<number> {
    const [row] = await this.#queries.count(db, { account, month: monthOf(at), recipients });
    return row?.recipients ?? 0;
  }

  async #write(db: Connection, { settings, contacts, suppressions, messages }: InitialState): Promise<void> {
    for (const [name, value] of Object.entries(settings)) await writeSetting(db, name, value);
    for (const contact of contacts) {
      const { accountId: account, email } = contact;
      await db
        .insertInto("contacts")
        .values({ account, email, record: JSON.stringify(contact) })
        .execute();
    }
    if (suppressions.length > 0) await writeSuppressions(db, suppressions);
    for (const message of messages) await this.#insert(db, message, 0);
  }
}

const isSearch = ({ search = "" }: Pick<MessagePage, "search">): boolean => search.trim() !== "";

/** The listed messages, the newest first. */
const messagePage = (db: Connection, { accountId, limit, before }: Page) =>
  db
    .selectFrom("messages")
    .where("listed", "=", 1)
    .$if(accountId !== undefined, (query) => query.where("account", "=", accountId ?? ""))
    .$if(before !== undefined, (query) =>
      query.where("seq", "<", ({ selectFrom }) =>
        selectFrom("messages as last")
          .select("last.seq")
          .where("last.id", "=", before ?? ""),
      ),
    )
    .orderBy("seq", "desc")
    .limit(limit);

async function writeSetting(db: Connection, name: string, value: string | undefined): Promise<void> {
  if (value === undefined) await db.deleteFrom("settings").where("name", "=", name).execute();
  else
    await db
      .insertInto("settings")
      .values({ name, value })
      .onConflict((conflict) => conflict.column("name").doUpdateSet({ value }))
      .execute();
}

const writeSuppressions = (db: Connection, suppressions: InitialState["suppressions"]) =>
  db
    .insertInto("suppressions")
    .values(
      suppressions.map(({ accountId: account, address, reason, at }) => ({ account, address, reason, at })),
    )
    .onConflict((conflict) => conflict.columns(["account", "address"]).doNothing())
    .execute();

/** Without the fingerprint, which is computed when it is needed first. */
const keyOf = ({ scope, key }: IdempotencyRecord) => ({ scope, key });

const replayOf = ({
  fingerprint,
  status,
  body,
}: {
  fingerprint: string;
  status: number;
  body: string;
}): Replay => ({ fingerprint, response: { status, body } });

function messageOf({ summary, content }: { summary: string; content: string }): Message {
  const { subject: _, ...message } = JSON.parse(summary) as MessageSummary;
  return { ...message, content: JSON.parse(content) };
}

/** A contact whose first transaction is in progress has no record. */
const contactOf = ({ record }: { record: string }): Contact | undefined =>
  record === "" ? undefined : JSON.parse(record);
