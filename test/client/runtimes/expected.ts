/** The results of the smoke test in every runtime. */
export const expected = {
  replayed: true,
  attempts: 2,
  accepted: 130,
  missing: "not_found",
  late: 1,
  gone: "TimeoutError",
  fetched: 200,
  shown: false,
};
