import { isScheduled } from "../email.ts";
import { type Applies, changeRequests, type Mutant, type RequirementId } from "../mutant.ts";
import { objectOf, textOf } from "../newsletter.ts";

/** Accepts an invalid property, by repairing it. */
const repairs = (
  requirement: RequirementId,
  title: string,
  applies: Applies,
  name: string,
  repair: (value: unknown) => unknown,
): Mutant =>
  changeRequests(requirement, `accepts ${title}`, (request) => {
    const body = objectOf(request.body);
    return applies(request) && name in body
      ? { ...request, body: { ...body, [name]: repair(body[name]) } }
      : undefined;
  });

/** Rules that are not applied to scheduled sends. */
const rules: [title: string, name: string, repair: (value: unknown) => unknown][] = [
  ["a subject of 999 characters", "subject", (subject) => textOf(subject).slice(0, 998)],
];

const ofScheduled: Mutant[] = rules.map(([title, name, repair]) =>
  repairs("SCHED-6", `${title} in a scheduled send`, isScheduled, name, repair),
);

/** Rules of a send that hold on all paths but one. */
export const validationMutants: Mutant[] = ofScheduled;
