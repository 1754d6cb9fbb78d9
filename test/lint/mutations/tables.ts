import { add, change, type Edit, inRow, put, remove, take } from "../../document-edits.ts";
import type { Defects } from "../mutate/defects.ts";

const message = "/x-lifecycles/message";
const membership = "/x-lifecycles/membership";
const step = (on: string, edit: (row: string) => Edit) => inRow(`${message}/transitions`, "on", on, edit);
const recipient = (name: string, edit: (row: string) => Edit) =>
  inRow("/x-simulator/recipients", "localPart", name, edit);

export const tables: Defects = {
  release: {
    "a transition to another state": step("the receiving server rejects the message", (at) =>
      change(`${at}/to`, "failed"),
    ),
    "a transition from another state": step("the recipient marks the message as spam", (at) =>
      change(`${at}/from`, ["sent"]),
    ),
    "a transition without a condition": step("reschedule", (at) => remove(`${at}/when`)),
    "an error transition with the error of another": change(
      `${message}/transitions/5/error`,
      "not_cancellable",
    ),
    "a contact that is put back": change(`${membership}/transitions/4/to`, "subscribed"),
    "an unsubscribe that leaves out a state": take(`${membership}/transitions/5/from`, "cleaned"),
    "a property that another state sets": change(`${message}/records/0/properties/3/set`, ["delivered"]),
    "a simulator address renamed": recipient("bounce", (at) => change(`${at}/localPart`, "bounced")),
    "a simulator address in another state": recipient("complaint", (at) =>
      change(`${at}/states`, ["sent", "bounced"]),
    ),
    "a state for the block list": recipient("suppressionlist", (at) => add(`${at}/states`, "bounced")),
    "a simulator address removed": recipient("success", remove),
    "a change that is no longer ruled out": take("/x-versioning/never", "renaming a field"),
    "a second server": add("/servers", {
      url: "https://test.example.com",
      description: "For tests.",
      "x-internal": true,
    }),
    "a server without https": change("/servers/0/variables/base_url/default", "http://api.example.com"),
    "a server with a path": change("/servers/0/url", "{base_url}/api"),
    "no security by default": change("/security", []),
    "another version of OpenAPI": put("/openapi", "3.1.0"),
  },
  "lifecycle-tables-consistent": {
    "a transition into an open state": step("the receiving side confirms delivery", (at) =>
      change(`${at}/to`, "queued"),
    ),
    "a transition removed": step("cancel", remove),
    "a transition to no state": step("cancel", (at) => change(`${at}/to`, "cancelled")),
    "a transition without an effect": step("reschedule", (at) => remove(`${at}/effect`)),
    "an error transition with an unknown error": change(`${message}/transitions/5/error`, "too_late"),
    "a property in a state that does not exist": add(`${message}/records/0/properties/3/unset`, "opened"),
    "states of a property that does not exist": change(
      `${membership}/records/0/properties/0/property`,
      "joined_at",
    ),
    "an open state that is no longer listed": take(`${message}/unspecified`, "rejected"),
    "states of another schema": change(`${membership}/schema`, "#/components/schemas/Membership"),
  },
  "simulator-states-known": {
    "a simulator address in an unknown state": recipient("success", (at) => add(`${at}/states`, "opened")),
    "an open simulator address without its mark": recipient("suppressionlist", (at) =>
      remove(`${at}/x-leaves-unspecified`),
    ),
  },
  "versioned-paths": {
    "another version": change("/x-versioning/prefix", "/api/v2"),
  },
  "tag-description": {
    "an undescribed tag": remove("/tags/0/description"),
  },
  "info-license": {
    "no license": remove("/info/license"),
  },
};
