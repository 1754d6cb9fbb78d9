import { operations } from "../../../generated/operations.ts";
import { finding, type ResponseFinding } from "../../response-checks/finding.ts";
import type { Call, Capabilities } from "../driver/driver.ts";
import type { WireRequest } from "../service/wire.ts";
import { checkBody } from "./body-checks.ts";
import { whySecret } from "./output-checks.ts";

/** Checks a request of a client against every rule for requests. */
export function checkRequest(
  request: WireRequest,
  call: Call,
  key: string,
  capabilities: Pick<Capabilities, "idempotencyKeys">,
): ResponseFinding[] {
  return [
    ...pathFindings(request, call),
    finding(
      ["AUTH-1"],
      "has the API key in the header Authorization",
      request.headers.authorization === `Bearer ${key}`,
      {
        expected: "Authorization: Bearer and the API key",
        found: request.headers.authorization ?? "no Authorization header",
      },
    ),
    finding(
      ["GEN-5"],
      "accepts application/json",
      /\bapplication\/json\b/i.test(request.headers.accept ?? ""),
      {
        expected: "Accept: application/json",
        found: request.headers.accept ?? "no Accept header",
      },
    ),
    ...checkBody(request, call),
    finding(["AUTH-6"], "has the API key in no other place", !hasKeyElsewhere(request, key), {
      expected: `the API key in the header Authorization only: it is ${whySecret}`,
      found: `the API key in ${keyPlace(request, key)}`,
    }),
    ...keyFindings(request, call, capabilities),
  ];
}

function pathFindings({ method, target }: WireRequest, { operation, path = {} }: Call): ResponseFinding[] {
  const row = operations[operation];
  const [pathname = "", query] = target.split("?");
  const segments = pathname.split("/");
  const templates = row.path.split("/");
  const isNamed = (segment: string): boolean => segment.startsWith("{");
  const matches =
    method === row.method &&
    segments.length === templates.length &&
    templates.every((template, index) => isNamed(template) || template === segments[index]);
  return [
    finding(["GEN-1"], "has the method and the path of its operation", matches && query === undefined, {
      expected: `${row.method} ${row.path}`,
      found: `${method} ${target}`,
    }),
    ...templates.filter(isNamed).map((template) => {
      const name = template.slice(1, -1);
      const found = matches ? decoded(segments[templates.indexOf(template)] ?? "") : undefined;
      const [id, title] =
        name === "email"
          ? (["GEN-9", "has the email address in the path, percent-encoded"] as const)
          : (["GEN-8", "has the id in the path as the response returned it"] as const);
      return finding([id], title, found === path[name], {
        expected: `{${name}} is ${path[name]} when decoded`,
        found: `${method} ${target}`,
      });
    }),
  ];
}

function decoded(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}

const places = ({ target, headers: sent, body }: WireRequest): [string, string][] => [
  ["the URL", target],
  ["the body", body.toString("latin1")],
  ...Object.entries(sent)
    .filter(([name]) => name !== "authorization")
    .map(([name, value]): [string, string] => [`the header ${name}`, value]),
];

const keyPlace = (request: WireRequest, key: string): string | undefined =>
  places(request).find(([, text]) => text.includes(key))?.[0];

const hasKeyElsewhere = (request: WireRequest, key: string): boolean => keyPlace(request, key) !== undefined;

function keyFindings(
  request: WireRequest,
  { operation, idempotencyKey }: Call,
  { idempotencyKeys }: Pick<Capabilities, "idempotencyKeys">,
): ResponseFinding[] {
  if (!operations[operation].idempotent) return [];
  const sent = request.headers["idempotency-key"];
  if (idempotencyKey === undefined)
    return idempotencyKeys === "automatic"
      ? []
      : [
          finding(["IDEM-5"], "has no other idempotency key, as the driver declares", sent === undefined, {
            expected: "no idempotency key: the driver declares that the client sends only given ones",
            found: `Idempotency-Key: ${sent}`,
          }),
        ];
  return [
    finding(["IDEM-5"], "has the idempotency key of the call", sent === idempotencyKey, {
      expected: `Idempotency-Key: ${idempotencyKey}`,
      found: sent ?? "no idempotency key",
    }),
  ];
}
