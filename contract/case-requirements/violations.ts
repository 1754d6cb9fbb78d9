import { schemas, type ValidationError } from "../../generated/validators/requests.js";
import { isObject } from "../../lib/objects.ts";
import { pointerOf } from "../document.ts";

type Json = Readonly<Record<string, unknown>>;

/** A constraint of the document that a value violates. */
export interface Violation {
  /** As in `Case.field`. */
  field: string;
  keyword: string;
  /** The properties of the value that `error.fields` may name for it. */
  properties: readonly string[];
}

/** What a message without a template can lack. */
export const content = ["html", "text", "template_id"];
/** The properties that a message of a batch must not have. */
const onlySingle = ["attachments", "scheduled_at"];

export function violationsOf(name: keyof typeof schemas, value: Json): Violation[] {
  const errors = schemas[name](value) ? [] : (schemas[name].errors ?? []);
  return errors
    .filter((error) => isOwn(value, error))
    .map((error) => {
      const { keyword } = error;
      const [, top = "", entry = "", inner = ""] = pointerOf(error).split("/");
      const unnamed = keyword === "if" ? content : onlySingle.filter((one) => one in value);
      const properties = top === "" ? unnamed : [top];
      if (top === "") return { field: keyword === "not" ? String(unnamed[0]) : "", keyword, properties };
      // The entries of arrays and maps have the same constraints.
      const path = [top, top === "consent" || entry === "" ? entry : "*", inner];
      return { field: path.filter((one) => one !== "").join("."), keyword, properties };
    });
}

/** Whether an error is not about an alternative that the value does not use. */
function isOwn({ attachments }: Json, error: ValidationError): boolean {
  const { instancePath, keyword, params, schemaPath } = error;
  const index = /^\/attachments\/(\d+)$/.exec(instancePath)?.[1];
  if (keyword === "oneOf" || schemaPath.startsWith("#/then/")) return false;
  if (index === undefined || params.missingProperty === "filename") return true;
  const attachment = (attachments as readonly Json[])[Number(index)];
  if (!isObject(attachment)) return keyword === "type";
  return keyword === "required" && (attachment.content ?? attachment.path) === undefined;
}
