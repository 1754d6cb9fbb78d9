import fc from "fast-check";

// Generated cases are the same on every machine and in every run; `FC_SEED=random npm test` looks for new ones.
const wanted = process.env.FC_SEED ?? "1";
fc.configureGlobal({ seed: wanted === "random" ? Date.now() : Number(wanted) });
