import { expectTypeOf } from "vitest";
import type { ErrorId } from "../../generated/errors.ts";
import { limits } from "../../generated/limits.ts";
import { type OperationId, operations } from "../../generated/operations.ts";
import type { components, operations as operationTypes } from "../../generated/types.ts";
import { requests } from "../../generated/validators/requests.js";
import { responses } from "../../generated/validators/responses.js";

// Statements about types, verified by the compiler (types.thorough.test.ts); nothing here is executed.

type Schemas = components["schemas"];

// Open sets complete the known values and take any other string.
type ErrorType = Schemas["ErrorType"];
expectTypeOf<"rate_limited">().toExtend<ErrorType>();
expectTypeOf<"a_type_of_tomorrow">().toExtend<ErrorType>();
expectTypeOf<ErrorType>().toExtend<string>();
expectTypeOf<Schemas["EventType"]>().toEqualTypeOf<"sent" | "bounced" | (string & {})>();

// Closed sets take nothing else.
expectTypeOf<"queued">().toExtend<Schemas["MessageStatus"]>();
expectTypeOf<"lost">().not.toExtend<Schemas["MessageStatus"]>();
expectTypeOf<Schemas["FieldType"]>().toEqualTypeOf<"text" | "number" | "date" | "url">();

// Required, optional and nullable are three things.
expectTypeOf<{ list_id?: number; reason?: string }>().toExtend<Schemas["UnsubscribeRequest"]>();
expectTypeOf<{ email: string; list_id: number }>().toExtend<Schemas["ContactRequest"]>();
expectTypeOf<{ email: string }>().not.toExtend<Schemas["ContactRequest"]>();
expectTypeOf<Schemas["Message"]["delivered_at"]>().toEqualTypeOf<string | null>();
expectTypeOf<Schemas["Message"]["bounce"]>().toEqualTypeOf<Schemas["Bounce"] | null>();
expectTypeOf<Schemas["ErrorDetail"]["fields"]>().toEqualTypeOf<Record<string, string[]> | undefined>();

// A field with a default may be left out of a request.
expectTypeOf<{ filename: string; content: string }>().toExtend<Schemas["ContentAttachment"]>();

// The two kinds of message exclude each other.
interface Common {
  from: string;
  to: string[];
}
expectTypeOf<Common & { subject: string; text: string }>().toExtend<Schemas["SendRequest"]>();
expectTypeOf<Common & { template_id: string }>().toExtend<Schemas["SendRequest"]>();
expectTypeOf<Common & { template_id: string; subject: string }>().not.toExtend<Schemas["SendRequest"]>();
expectTypeOf<Common>().not.toExtend<Schemas["SendRequest"]>();

// A batch message has neither attachments nor a time of its own.
expectTypeOf<Common & { template_id: string }>().toExtend<Schemas["BatchMessage"]>();
expectTypeOf<Common & { template_id: string; scheduled_at: string }>().not.toExtend<
  Schemas["BatchMessage"]
>();

// Objects whose fields are not specified are open, not empty.
expectTypeOf<Schemas["Account"]>().toEqualTypeOf<Record<string, unknown>>();

// The response to a scheduled send is told from that to an immediate one by its time.
type Scheduled = Extract<Schemas["SendResponse"], { scheduled_at: string }>;
type Immediate = Exclude<Schemas["SendResponse"], Scheduled>;
expectTypeOf<Immediate>().toEqualTypeOf<{ id: string; to: string[]; suppressed: string[] }>();
expectTypeOf<Scheduled>().toEqualTypeOf<{ id: string; scheduled_at: string; suppressed: string[] }>();

// A header that may be missing is optional, a required one is not.
type Accepted = operationTypes["sendEmail"]["responses"][202]["headers"];
expectTypeOf<Accepted["Idempotent-Replayed"]>().toEqualTypeOf<"true" | undefined>();
expectTypeOf<Accepted["X-Service-Request-Id"]>().toEqualTypeOf<string>();

// The data keeps its values as types.
expectTypeOf(limits.subjectLength).toEqualTypeOf<998>();
expectTypeOf(operations.sendEmail.path).toEqualTypeOf<"/api/v1/emails">();
expectTypeOf(operations.getMe.ability).toEqualTypeOf<null>();
expectTypeOf<"getMe">().toExtend<OperationId>();
expectTypeOf<"409.not_cancellable">().toExtend<ErrorId>();
expectTypeOf<"409.nothing">().not.toExtend<ErrorId>();

// A validator that returns true narrows.
const body: unknown = {};
if (requests.upsertContact.body(body)) expectTypeOf(body.list_id).toEqualTypeOf<number>();
if (responses.getEmail["2XX"].body(body)) expectTypeOf(body.status).toEqualTypeOf<Schemas["MessageStatus"]>();
expectTypeOf(requests.getMe.body).toEqualTypeOf<null>();
