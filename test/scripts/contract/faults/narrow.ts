import { field, instead, type KnownFault } from "./changes.ts";

const refusal = `{"error":{"type":"invalid_request","message":"No.","request_id":"req_1","fields":{"subject":["No."]}}}`;

/** A server that takes less than it must. */
export const narrowFaults: KnownFault[] = [
  {
    name: "a subject must be shorter than it may be",
    ids: ["SEND-9"],
    cases: 1,
    shownIn: "a subject of 998 characters is accepted",
    expected: "success, since the request keeps to the document",
    found: "status 422",
    after: instead({ status: 422, text: refusal }, (asked) => String(field(asked, "subject")).length === 998),
  },
];
