import { isNode, listOf, type Node, textsOf } from "./values.ts";

/** The names of the properties that a schema excludes: `not: { required: [subject] }`, or `anyOf` several of these. */
export const excludedProperties = ({ not }: Node): string[] => {
  if (!isNode(not)) return [];
  const cases = "anyOf" in not ? listOf(not.anyOf) : [not];
  const names = cases.map((one) => (isNode(one) ? textsOf(listOf(one.required)) : []));
  return names.filter(({ length }) => length === 1).flat();
};
