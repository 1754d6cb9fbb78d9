/** The migrations, in order; the version of a database is the number of those applied. One that was released is never changed. */
export const migrations: readonly string[] = [
  `
-- Each reset begins an epoch. Rows of an epoch that has ended are deleted later, in small batches.
CREATE TABLE epoch (
  epoch integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  -- The last number that an instance has reserved.
  reserved bigint NOT NULL DEFAULT 0,
  filled boolean NOT NULL DEFAULT false,
  ended_at timestamptz
);
CREATE TABLE workspace (
  name text COLLATE "C" PRIMARY KEY,
  epoch integer NOT NULL
);

CREATE TABLE setting (
  epoch integer NOT NULL,
  name text COLLATE "C" NOT NULL,
  value text NOT NULL,
  PRIMARY KEY (epoch, name)
);

CREATE TABLE message (
  epoch integer NOT NULL,
  seq bigint GENERATED ALWAYS AS IDENTITY,
  id text COLLATE "C" NOT NULL,
  account text COLLATE "C" NOT NULL,
  -- Lists omit the messages of the initial state.
  listed boolean NOT NULL,
  status text COLLATE "C" NOT NULL,
  created_at bigint NOT NULL,
  scheduled_at bigint,
  sent_at bigint,
  due_at bigint,
  -- JSON. What never changes and is small; what changes and has no column of its own; the content, which may be megabytes.
  envelope text NOT NULL,
  progress text NOT NULL,
  content text NOT NULL,
  PRIMARY KEY (epoch, seq),
  UNIQUE (epoch, id)
) WITH (autovacuum_vacuum_scale_factor = 0.05);
CREATE INDEX message_due ON message (epoch, due_at, seq) WHERE due_at IS NOT NULL;
-- Attachments hardly get smaller.
ALTER TABLE message ALTER content SET STORAGE EXTERNAL;

CREATE TABLE idempotency_record (
  epoch integer NOT NULL,
  scope text COLLATE "C" NOT NULL,
  key text COLLATE "C" NOT NULL,
  fingerprint text NOT NULL,
  status integer NOT NULL,
  body text NOT NULL,
  created_at bigint NOT NULL,
  expires_at bigint NOT NULL,
  PRIMARY KEY (epoch, scope, key)
);
CREATE TABLE contact (
  epoch integer NOT NULL,
  account text COLLATE "C" NOT NULL,
  email text COLLATE "C" NOT NULL,
  -- Increased with each change.
  version integer NOT NULL,
  data text NOT NULL,
  PRIMARY KEY (epoch, account, email)
);
CREATE TABLE suppression (
  epoch integer NOT NULL,
  seq bigint GENERATED ALWAYS AS IDENTITY,
  account text COLLATE "C" NOT NULL,
  address text COLLATE "C" NOT NULL,
  reason text NOT NULL,
  at bigint NOT NULL,
  PRIMARY KEY (epoch, account, address)
);
CREATE TABLE quota (
  epoch integer NOT NULL,
  account text COLLATE "C" NOT NULL,
  month integer NOT NULL,
  used bigint NOT NULL,
  PRIMARY KEY (epoch, account, month)
) WITH (fillfactor = 50);
CREATE TABLE request (
  epoch integer NOT NULL,
  id text COLLATE "C" NOT NULL,
  account text COLLATE "C" NOT NULL,
  method text NOT NULL,
  path text NOT NULL,
  status integer NOT NULL,
  error_type text,
  fields text NOT NULL,
  at bigint NOT NULL,
  PRIMARY KEY (epoch, id)
);

-- The rate windows: how many requests of an account are counted, and when they were made. Not worth a log: after a crash they are empty.
CREATE UNLOGGED TABLE rate (
  epoch integer NOT NULL,
  account text COLLATE "C" NOT NULL,
  used integer NOT NULL,
  PRIMARY KEY (epoch, account)
) WITH (fillfactor = 50);
CREATE UNLOGGED TABLE rate_hit (
  epoch integer NOT NULL,
  account text COLLATE "C" NOT NULL,
  at bigint NOT NULL,
  requests integer NOT NULL,
  PRIMARY KEY (epoch, account, at)
);

-- Counts requests, the groups of an account one after the other. Returns the window before each group.
CREATE FUNCTION count_requests(this_epoch integer, accounts text[], times bigint[], numbers integer[], limits integer[])
RETURNS TABLE (used_before integer, oldest bigint) LANGUAGE plpgsql AS $$
DECLARE
  old integer;
  counted integer;
BEGIN
  FOR i IN 1 .. cardinality(accounts) LOOP
    -- The row lock makes other instances wait.
    SELECT used FROM rate WHERE epoch = this_epoch AND account = accounts[i] FOR UPDATE INTO used_before;
    IF NOT FOUND THEN
      INSERT INTO rate VALUES (this_epoch, accounts[i], 0) ON CONFLICT DO NOTHING;
      SELECT used FROM rate WHERE epoch = this_epoch AND account = accounts[i] FOR UPDATE INTO used_before;
    END IF;
    WITH expired AS (
      DELETE FROM rate_hit WHERE epoch = this_epoch AND account = accounts[i] AND at <= times[i] - 60000
      RETURNING requests
    ) SELECT coalesce(sum(requests), 0) FROM expired INTO old;
    used_before := used_before - old;
    SELECT min(at) FROM rate_hit WHERE epoch = this_epoch AND account = accounts[i] INTO oldest;
    counted := greatest(least(numbers[i], limits[i] - used_before), 0);
    IF counted > 0 THEN
      INSERT INTO rate_hit AS known VALUES (this_epoch, accounts[i], times[i], counted)
      ON CONFLICT (epoch, account, at) DO UPDATE SET requests = known.requests + excluded.requests;
    END IF;
    IF counted <> old THEN
      UPDATE rate SET used = used_before + counted WHERE epoch = this_epoch AND account = accounts[i];
    END IF;
    RETURN NEXT;
  END LOOP;
END $$;

-- Makes the transaction fail, so that it is repeated, if another one has changed what it was decided on.
CREATE FUNCTION unchanged(written bigint, expected bigint) RETURNS boolean LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  IF written <> expected THEN
    RAISE EXCEPTION 'another transaction was faster' USING ERRCODE = 'serialization_failure';
  END IF;
  RETURN true;
END $$;
`,
  `
-- Increased with each change of a setting: most reads of the settings then need not read them.
ALTER TABLE epoch ADD settings_version bigint NOT NULL DEFAULT 0;

-- Which instance relays a message, and until when unless it renews its claim.
ALTER TABLE message ADD holder text COLLATE "C", ADD held_until bigint;
UPDATE message SET (holder, held_until)
  = (progress::json #>> '{relay,holder}', coalesce((progress::json #>> '{relay,heldUntil}')::bigint, 0))
  WHERE due_at IS NOT NULL AND progress::json #>> '{relay,state}' IN ('claimed', 'sending');
CREATE INDEX message_held ON message (epoch, held_until) WHERE held_until IS NOT NULL;

-- When a request was logged, in microseconds of the real time: the clock of the sandbox may stand still.
ALTER TABLE request ADD logged_at bigint;
UPDATE request SET logged_at = at * 1000;
ALTER TABLE request ALTER logged_at SET NOT NULL;
CREATE INDEX request_logged ON request (epoch, logged_at, id);

-- The options of the instances, which all have the same.
CREATE TABLE instance_option (
  name text COLLATE "C" PRIMARY KEY,
  value text NOT NULL
);
`,
];
