/** The built-in rules that do not fit this API, each with the reason why, and the own rule in its place if any. */
export const switchedOff: Record<string, string> = {
  "contact-properties":
    "The contract has a page to turn to and no mailbox: an address would be an invention. The name and the url stay.",
  "license-url": "The license is named by its SPDX identifier; OpenAPI 3.1 forbids a url beside it.",
  "oas3-operation-security-defined":
    "It knows no roles on a bearer scheme, which OpenAPI 3.1 allows and which name the ability here. Instead: ability-named.",
  "oas3-unused-component":
    "The shared page of results is promised while the calls that answer with it are not shown. Instead: components-used.",
  "openapi-tags-alphabetical": "Tags stand in the order in which a reader needs them, sending first.",
  "owasp:api4:2023-rate-limit":
    "It wants rate-limit headers on failures too, where they are not specified. Instead: rate-limit-headers-on-success-only.",
  "owasp:api4:2023-string-restricted":
    "Texts for people, names and opaque ids have no pattern; an invented one would refuse what the service takes. Instead: strings-bounded.",
  "owasp:api8:2023-define-cors-origin":
    "Keys never go into browser code (Authentication 2), and the service promises no CORS header.",
  "owasp:api8:2023-define-error-validation":
    "Reads and the cancellation take no body, and no answer to a malformed one is promised. Instead: error-rows-exemplified.",
  "owasp:api9:2023-inventory-environment":
    "The one server is a variable that each user fills in, for whatever environment it is.",
};
