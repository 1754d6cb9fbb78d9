const oneMoment = "A run shows the server at one time, in which it is compared with the document.";

/** Why requirements cannot be observed in responses, even with every fixture and hook, by id; each reason is a sentence. */
export const unobservable: Readonly<Record<string, string>> = {
  "ATT-8":
    "It is a condition on the link: what a server does with an unreachable one is unspecified; ATT-9 verifies private networks.",
  "EVENT-4": "It allows the service something: no response can violate it.",
  "VER-2": "It allows the service something: no response can violate it.",
  "VER-3": oneMoment,
  "VER-4": oneMoment,
  "VER-5": oneMoment,
  "VER-6": oneMoment,
  "VER-7": "It applies when the next version is published, for several months.",
};
