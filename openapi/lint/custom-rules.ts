import type { Rule } from "./rule.ts";
import { rule as abilitiesTableAgrees } from "./rules/abilities-table-agrees.ts";
import { rule as abilityNamed } from "./rules/ability-named.ts";
import { rule as absentPlacesExist } from "./rules/absent-places-exist.ts";
import { rule as addressParametersEncoded } from "./rules/address-parameters-encoded.ts";
import { rule as allowOn405 } from "./rules/allow-on-405.ts";
import { rule as answerHasExample } from "./rules/answer-has-example.ts";
import { rule as answersStayOpen } from "./rules/answers-stay-open.ts";
import { rule as arraysBounded } from "./rules/arrays-bounded.ts";
import { rule as boundsAccountedFor } from "./rules/bounds-accounted-for.ts";
import { rule as componentsUsed } from "./rules/components-used.ts";
import { rule as deprecatedSaysSinceWhen } from "./rules/deprecated-says-since-when.ts";
import { rule as emptyBodyOn500Only } from "./rules/empty-body-on-500-only.ts";
import { rule as errorAnswersShareShape } from "./rules/error-answers-share-shape.ts";
import { rule as errorExampleRequestId } from "./rules/error-example-request-id.ts";
import { rule as errorExamplesAreRows } from "./rules/error-examples-are-rows.ts";
import { rule as errorRowsExemplified } from "./rules/error-rows-exemplified.ts";
import { rule as errorRowsWellFormed } from "./rules/error-rows-well-formed.ts";
import { rule as errorStatusesHaveRows } from "./rules/error-statuses-have-rows.ts";
import { rule as errorTypesAgree } from "./rules/error-types-agree.ts";
import { rule as examplesNamedAndSummarised } from "./rules/examples-named-and-summarised.ts";
import { rule as examplesOnReservedDomains } from "./rules/examples-on-reserved-domains.ts";
import { rule as frontAnswersComplete } from "./rules/gateway-responses-complete.ts";
import { rule as headerExamplesUsable } from "./rules/header-examples-usable.ts";
import { rule as idempotentOperationsComplete } from "./rules/idempotent-operations-complete.ts";
import { rule as idsOpaque } from "./rules/ids-opaque.ts";
import { rule as invalidRequestFirst } from "./rules/invalid-request-first.ts";
import { rule as invalidRequestNamesFields } from "./rules/invalid-request-names-fields.ts";
import { rule as jsonOnly } from "./rules/json-only.ts";
import { rule as keywordsMocksKnow } from "./rules/keywords-mocks-know.ts";
import { rule as lifecycleTablesConsistent } from "./rules/lifecycle-tables-consistent.ts";
import { rule as limitsResolve } from "./rules/limits-resolve.ts";
import { rule as linksResolve } from "./rules/links-resolve.ts";
import { rule as mapsBounded } from "./rules/maps-bounded.ts";
import { rule as newsletterErrorTypes } from "./rules/newsletter-error-types.ts";
import { rule as noBooleanSubschemas } from "./rules/no-boolean-subschemas.ts";
import { rule as noRootPropertiesBesideVariants } from "./rules/no-root-properties-beside-variants.ts";
import { rule as openSetsStayOpen } from "./rules/open-sets-stay-open.ts";
import { rule as operationComplete } from "./rules/operation-complete.ts";
import { rule as operationsKnown } from "./rules/operations-known.ts";
import { rule as parametersAndHeadersDescribed } from "./rules/parameters-and-headers-described.ts";
import { rule as patternsPortable } from "./rules/patterns-portable.ts";
import { rule as productsAgree } from "./rules/products-agree.ts";
import { rule as propertiesDescribed } from "./rules/properties-described.ts";
import { rule as quotaHeadersOnSends } from "./rules/quota-headers-on-sends.ts";
import { rule as rateLimitHeadersOnSuccessOnly } from "./rules/rate-limit-headers-on-success-only.ts";
import { rule as requestHasExample } from "./rules/request-has-example.ts";
import { rule as requestIdOnEveryAnswer } from "./rules/request-id-on-every-answer.ts";
import { rule as requestsStayOpen } from "./rules/requests-stay-open.ts";
import { rule as requiredFieldsDeclared } from "./rules/required-fields-declared.ts";
import { rule as requiredHeadersMarked } from "./rules/required-headers-marked.ts";
import { rule as requirementIdsKnown } from "./rules/requirement-ids-known.ts";
import { rule as retryAfterOn429 } from "./rules/retry-after-on-429.ts";
import { rule as rowIdsUnique } from "./rules/row-ids-unique.ts";
import { rule as simulatorStatesKnown } from "./rules/simulator-states-known.ts";
import { rule as snakeCaseFields } from "./rules/snake-case-fields.ts";
import { rule as stringsBounded } from "./rules/strings-bounded.ts";
import { rule as successStatusOpen } from "./rules/success-status-open.ts";
import { rule as timestamps } from "./rules/timestamps.ts";
import { rule as unspecifiedIdsKnown } from "./rules/unspecified-ids-known.ts";
import { rule as unspecifiedStaysOpen } from "./rules/unspecified-stays-open.ts";
import { rule as versionedPaths } from "./rules/versioned-paths.ts";

/** Every rule of our own, by its id, which is the name of its file. */
export const ownRules: Record<string, Rule> = {
  "abilities-table-agrees": abilitiesTableAgrees,
  "ability-named": abilityNamed,
  "absent-places-exist": absentPlacesExist,
  "address-parameters-encoded": addressParametersEncoded,
  "allow-on-405": allowOn405,
  "answer-has-example": answerHasExample,
  "answers-stay-open": answersStayOpen,
  "arrays-bounded": arraysBounded,
  "bounds-accounted-for": boundsAccountedFor,
  "components-used": componentsUsed,
  "deprecated-says-since-when": deprecatedSaysSinceWhen,
  "empty-body-on-500-only": emptyBodyOn500Only,
  "error-answers-share-shape": errorAnswersShareShape,
  "error-example-request-id": errorExampleRequestId,
  "error-examples-are-rows": errorExamplesAreRows,
  "error-rows-exemplified": errorRowsExemplified,
  "error-rows-well-formed": errorRowsWellFormed,
  "error-statuses-have-rows": errorStatusesHaveRows,
  "error-types-agree": errorTypesAgree,
  "examples-named-and-summarised": examplesNamedAndSummarised,
  "examples-on-reserved-domains": examplesOnReservedDomains,
  "gateway-responses-complete": frontAnswersComplete,
  "header-examples-usable": headerExamplesUsable,
  "idempotent-operations-complete": idempotentOperationsComplete,
  "ids-opaque": idsOpaque,
  "invalid-request-first": invalidRequestFirst,
  "invalid-request-names-fields": invalidRequestNamesFields,
  "json-only": jsonOnly,
  "keywords-mocks-know": keywordsMocksKnow,
  "lifecycle-tables-consistent": lifecycleTablesConsistent,
  "limits-resolve": limitsResolve,
  "links-resolve": linksResolve,
  "maps-bounded": mapsBounded,
  "newsletter-error-types": newsletterErrorTypes,
  "no-boolean-subschemas": noBooleanSubschemas,
  "no-root-properties-beside-variants": noRootPropertiesBesideVariants,
  "open-sets-stay-open": openSetsStayOpen,
  "operation-complete": operationComplete,
  "operations-known": operationsKnown,
  "parameters-and-headers-described": parametersAndHeadersDescribed,
  "patterns-portable": patternsPortable,
  "products-agree": productsAgree,
  "properties-described": propertiesDescribed,
  "quota-headers-on-sends": quotaHeadersOnSends,
  "rate-limit-headers-on-success-only": rateLimitHeadersOnSuccessOnly,
  "request-has-example": requestHasExample,
  "request-id-on-every-answer": requestIdOnEveryAnswer,
  "requests-stay-open": requestsStayOpen,
  "required-fields-declared": requiredFieldsDeclared,
  "required-headers-marked": requiredHeadersMarked,
  "requirement-ids-known": requirementIdsKnown,
  "retry-after-on-429": retryAfterOn429,
  "row-ids-unique": rowIdsUnique,
  "simulator-states-known": simulatorStatesKnown,
  "snake-case-fields": snakeCaseFields,
  "strings-bounded": stringsBounded,
  "success-status-open": successStatusOpen,
  timestamps: timestamps,
  "unspecified-ids-known": unspecifiedIdsKnown,
  "unspecified-stays-open": unspecifiedStaysOpen,
  "versioned-paths": versionedPaths,
};
