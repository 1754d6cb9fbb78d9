import { globSync } from "node:fs";
import { checksOfServer } from "../../contract/checks/all.ts";
import { compare as attemptComparisons } from "../../contract/client-suite/engine/attempt-checks.ts";
import { compare as replyComparisons } from "../../contract/client-suite/engine/reply-checks.ts";
import { compare as requestComparisons } from "../../contract/client-suite/engine/request-checks.ts";
import { clientChecks } from "../../contract/client-suite/run-client.ts";
import { mockChecks } from "../../contract/mock/checks.ts";
import { compare as bodyComparisons } from "../../contract/response-checks/check-response.ts";
import { compare as errorComparisons } from "../../contract/response-checks/errors.ts";
import { compare as headerComparisons } from "../../contract/response-checks/headers.ts";
import { compare as timeComparisons, titles } from "../../contract/response-checks/states.ts";
import { root } from "../common/paths.ts";
import { valueAtPointer } from "../document/json-pointer.ts";
import { referencesIn } from "../document/references.ts";
import { marks } from "../document/requirements.ts";
import { isSuccess, listedResponses } from "../document/responses.ts";
import type { OpenApiDocument } from "../document/types.ts";

/** A check of the contract suite: the requirements it verifies, its title and its file. */
export interface TracedCheck {
  ids: readonly string[];
  title: string;
  file: string;
}

/** Whether a check compares random sequences with the model of the service. */
export const isOfModel = ({ file }: Pick<TracedCheck, "file">): boolean =>
  file === "contract/checks/sequences.ts";

export const isOfClients = ({ file }: Pick<TracedCheck, "file">): boolean => file.includes("/client-suite/");

const statesFile = "contract/response-checks/states.ts";

/** What every request or response is compared with, by file. */
const comparisons: Record<string, Record<string, Omit<TracedCheck, "file">>> = {
  "contract/response-checks/check-response.ts": bodyComparisons,
  "contract/response-checks/errors.ts": errorComparisons,
  "contract/response-checks/headers.ts": headerComparisons,
  [statesFile]: timeComparisons,
  "contract/client-suite/engine/attempt-checks.ts": attemptComparisons,
  "contract/client-suite/engine/reply-checks.ts": replyComparisons,
  "contract/client-suite/engine/request-checks.ts": requestComparisons,
};

export async function tracedChecks(document: OpenApiDocument): Promise<TracedCheck[]> {
  const files = await filesOfChecks();
  const ofSuite = [...checksOfServer({ fixtures: {} }), ...mockChecks, ...clientChecks].map(
    (check): TracedCheck => ({
      ids: [...new Set([...check.ids, ...check.cases.flatMap(({ verifies = [] }) => verifies)])],
      title: check.title,
      // The others are generated from the document.
      file: files.get(check) ?? "contract/case-requirements/requirements.ts",
    }),
  );
  const compared = Object.entries(comparisons).flatMap(([file, all]) =>
    Object.values(all).map(({ ids, title }) => ({ ids, title, file })),
  );
  const states = [...titles].flatMap(([{ "x-encodes": ids = [] }, title]) =>
    ids.length === 0 ? [] : [{ ids, title, file: statesFile }],
  );
  const all = [...ofSuite, ...compared, ...states, ...bodyChecks(document)];
  return all.sort((one, other) => (one.file < other.file ? -1 : Number(one.file > other.file)));
}

/** The file that each check by hand is defined in: the one that exports it. */
async function filesOfChecks(): Promise<Map<unknown, string>> {
  const files = globSync("contract/{checks,client-suite/checks,mock}/*.ts", { cwd: root }).sort();
  const byCheck = new Map<unknown, string>();
  for (const file of files.map((name) => name.replaceAll("\\", "/"))) {
    if (file.endsWith("/all.ts")) continue;
    const exported = (await import(`${root}${file}`)) as Record<string, unknown>;
    for (const check of Object.values(exported).flat()) byCheck.set(check, file);
  }
  return byCheck;
}

/**
 * What the suite verifies by validating every successful response: the requirements of kind `shape` that a response, or
 * anything it refers to, encodes.
 */
function bodyChecks(document: OpenApiDocument): TracedCheck[] {
  const rows = Object.values(document["x-requirements"]).flat();
  const shapes = new Set(
    rows.filter(({ kind, excluded }) => kind === "shape" && excluded === undefined).map(({ id }) => id),
  );
  const successes = listedResponses({ ...document })
    .filter(({ status }) => isSuccess(status))
    .map(({ response }) => response);
  const referred = [...referencesIn(document, successes)].map((pointer) => valueAtPointer(document, pointer));
  const encoded = marks({ parts: [...successes, ...referred] }, "x-encodes").map(({ id }) => id);
  const ids = new Set(encoded.filter((id) => shapes.has(id)));
  const title = "every successful response has the schema and the headers of the document";
  return [...ids].map((id) => ({ ids: [id], title, file: "contract/response-checks/check-response.ts" }));
}
