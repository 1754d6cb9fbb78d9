import { UserError } from "../../../lib/user-error.ts";

/** The options of `pg` that a URL may have. */
const known = [
  ...["application_name", "host", "options", "password", "port", "ssl", "sslcert", "sslkey", "sslmode"],
  ...["sslnegotiation", "sslrootcert", "user"],
];

interface Limited {
  accepts: RegExp;
  hint: string;
}

/** Options that URLs of hosted databases have and `pg` ignores, with the values that the sandbox can do. */
const limited: Readonly<Record<string, Limited>> = {
  connect_timeout: {
    accepts: /^([1-9]|[12]\d|30)$/,
    hint: "Use a number of seconds from 1 to 30.",
  },
  channel_binding: {
    accepts: /^(disable|prefer)$/,
    hint: "Use prefer or disable: pg cannot require it. With sslmode=verify-full, the certificate of the server is verified.",
  },
  target_session_attrs: {
    accepts: /^(any|read-write|primary)$/,
    hint: "Use read-write, primary or any: the sandbox writes, and uses one server.",
  },
};

/**
 * `pg` ignores an option that it does not know: with a misspelled `sslmode` it would connect without TLS.
 *
 * @throws UserError if an option is unsupported or repeated
 */
export function checkOptions({ searchParams }: URL): void {
  const names = new Set<string>();
  for (const [name, value] of searchParams) {
    checkOption(name, value);
    // `pg` would use the last one.
    if (names.has(name))
      throw new UserError(`the URL of the database has the option "${name}" more than once`, {
        hint: "Remove all but one.",
      });
    names.add(name);
  }
}

function checkOption(name: string, value: string): void {
  if (known.includes(name)) return;
  // It may be a part of the password.
  if (!/^\w+$/.test(name))
    throw new UserError("the URL of the database has a ? that is not encoded, or an invalid option", {
      hint: "Write ? as %3F, or set the password in the variable PGPASSWORD.",
    });
  if (!Object.hasOwn(limited, name))
    throw new UserError(`the URL of the database has an unsupported option "${name}"`, {
      hint: `Remove or correct it. The options are ${[...known, ...Object.keys(limited)].sort().join(", ")}.`,
    });
  const { accepts, hint } = limited[name] as Limited;
  if (!accepts.test(value)) throw new UserError(`${name} is unsupported (got "${value}")`, { hint });
}

/** How long an attempt to connect may take, if the URL says so, in milliseconds. */
export function connectTimeoutOf(url: string): number | undefined {
  const seconds = URL.parse(url)?.searchParams.get("connect_timeout");
  return seconds ? Number(seconds) * 1_000 : undefined;
}
