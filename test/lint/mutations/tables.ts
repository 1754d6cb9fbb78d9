import { add, change, type Defects, defect, inRow, put, remove, take } from "../mutate/edit.ts";

const message = "/x-lifecycles/message";
const membership = "/x-lifecycles/membership";
const step = (on: string, edit: (row: string) => ReturnType<typeof change>) =>
  inRow(`${message}/transitions`, "on", on, edit);
const recipient = (name: string, edit: (row: string) => ReturnType<typeof change>) =>
  inRow("/x-simulator/recipients", "localPart", name, edit);

export const tables: Defects = {
  "a transition to another state": defect(
    "release",
    step("the receiving server rejects the message", (at) => change(`${at}/to`, "failed")),
  ),
  "a transition into an open state": defect(
    "lifecycle-tables-consistent",
    step("the receiving side confirms delivery", (at) => change(`${at}/to`, "queued")),
  ),
  "a transition removed": defect("lifecycle-tables-consistent", step("cancel", remove)),
  "a transition to no state": defect(
    "lifecycle-tables-consistent",
    step("cancel", (at) => change(`${at}/to`, "cancelled")),
  ),
  "a transition from another state": defect(
    "release",
    step("the recipient marks the message as spam", (at) => change(`${at}/from`, ["sent"])),
  ),
  "a transition without a condition": defect(
    "release",
    step("reschedule", (at) => remove(`${at}/when`)),
  ),
  "a transition without an effect": defect(
    "lifecycle-tables-consistent",
    step("reschedule", (at) => remove(`${at}/effect`)),
  ),
  "an error transition with an unknown error": defect(
    "lifecycle-tables-consistent",
    change(`${message}/transitions/5/error`, "too_late"),
  ),
  "an error transition with the error of another": defect(
    "release",
    change(`${message}/transitions/5/error`, "not_cancellable"),
  ),
  "a contact that is put back": defect("release", change(`${membership}/transitions/4/to`, "subscribed")),
  "an unsubscribe that leaves out a state": defect(
    "release",
    take(`${membership}/transitions/5/from`, "cleaned"),
  ),
  "a property that another state sets": defect(
    "release",
    change(`${message}/records/0/properties/3/set`, ["delivered"]),
  ),
  "a property in a state that does not exist": defect(
    "lifecycle-tables-consistent",
    add(`${message}/records/0/properties/3/unset`, "opened"),
  ),
  "states of a property that does not exist": defect(
    "lifecycle-tables-consistent",
    change(`${membership}/records/0/properties/0/property`, "joined_at"),
  ),
  "an open state that is no longer listed": defect(
    "lifecycle-tables-consistent",
    take(`${message}/unspecified`, "rejected"),
  ),
  "states of another schema": defect(
    "lifecycle-tables-consistent",
    change(`${membership}/schema`, "#/components/schemas/Membership"),
  ),
  "a simulator address renamed": defect(
    "release",
    recipient("bounce", (at) => change(`${at}/localPart`, "bounced")),
  ),
  "a simulator address in an unknown state": defect(
    "simulator-states-known",
    recipient("success", (at) => add(`${at}/states`, "opened")),
  ),
  "a simulator address in another state": defect(
    "release",
    recipient("complaint", (at) => change(`${at}/states`, ["sent", "bounced"])),
  ),
  "a state for the block list": defect(
    "release",
    recipient("suppressionlist", (at) => add(`${at}/states`, "bounced")),
  ),
  "an open simulator address without its mark": defect(
    "simulator-states-known",
    recipient("suppressionlist", (at) => remove(`${at}/x-leaves-unspecified`)),
  ),
  "a simulator address removed": defect("release", recipient("success", remove)),
  "another version": defect("versioned-paths", change("/x-versioning/prefix", "/api/v2")),
  "a change that is no longer ruled out": defect("release", take("/x-versioning/never", "renaming a field")),
  "a second server": defect(
    "release",
    add("/servers", { url: "https://test.example.com", description: "For tests.", "x-internal": true }),
  ),
  "a server without https": defect(
    "release",
    change("/servers/0/variables/base_url/default", "http://api.example.com"),
  ),
  "a server with a path": defect("release", change("/servers/0/url", "{base_url}/api")),
  "no security by default": defect("release", change("/security", [])),
  "an undescribed tag": defect("tag-description", remove("/tags/0/description")),
  "no license": defect("info-license", remove("/info/license")),
  "another version of OpenAPI": defect("release", put("/openapi", "3.1.0")),
};
