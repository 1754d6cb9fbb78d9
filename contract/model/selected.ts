import type { Selected } from "./search.ts";

/**
 * The sequences of all profiles but `model`, as seeds and numbers of steps: of the first 400 seeds of each case, those that kill most mutants of one path per
 * request, each mutant up to three times. `npm run model -- --select` prints them. They were selected by the mutants that hand-written checks do not kill.
 * Those that kill most come first: a slow server gets no others.
 */
const selected = {
  email:
    "172:8 170:7 24:1 369:1 114:1 242:4 282:2 333:1 152:1 248:14 76:3 70:1 41:1 249:1 137:3 119:3 239:12 302:2 346:3 375:2 9:8 230:16 135:3 394:14 92:3 111:1 240:1 102:1 158:4 311:5 318:5 241:7 99:3 39:4 287:1 57:4 308:4 98:6 387:7 366:16 45:5 91:1 161:19 89:1 339:6 103:6 72:19 191:7 157:3 357:10 12:12 225:6 66:4",
  newsletter:
    "25:1 370:2 387:2 274:2 282:8 262:2 399:14 143:16 154:8 83:8 223:9 328:10 374:9 70:6 299:18 378:7 116:14 330:3",
};

/** With clock moves. */
const selectedWithClock: typeof selected = {
  email:
    "376:2 194:2 365:5 155:1 357:11 215:2 12:5 26:1 28:2 240:3 91:2 283:1 350:4 389:2 223:1 270:1 313:1 107:3 184:18 4:2 34:1 179:9 32:2 65:6 278:2 172:6 71:6 89:1 10:14 152:1 108:1 255:4 121:11 391:21 341:5 6:1 259:17 165:1 265:21 232:8 85:3 208:12 268:4 197:7 154:8 351:7 333:1 99:24 196:18 53:2 358:10 307:4 90:12 292:3 162:18 245:6 141:1 272:3 103:23 45:2 111:4 192:11 145:3 15:3 378:4 377:5 211:3 354:19 51:7 115:4 96:21 41:8",
  newsletter: "251:3 369:21 308:3 337:4 351:19 356:18 183:6 374:10 391:22 263:16 164:5 354:6 349:27",
};

export const selectedSequences = (product: keyof typeof selected, canWait: boolean): Selected[] =>
  (canWait ? selectedWithClock : selected)[product].split(" ").map((text) => {
    const [seed, length] = text.split(":").map(Number);
    return { seed: seed ?? 1, length: length ?? 1 };
  });
