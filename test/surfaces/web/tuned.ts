/** What tuning finds in a collection where it gains something. */
export const TUNED = {
  sets: [{ set: 'notes', documents: 7, queries: 20, unanswerable: 0 }],
  fusion: {
    held_out: { before: 0.6, after: 0.7, difference: 0.1, p_value: 0.01, better: 9, worse: 1, queries: 20 },
    supported: true,
  },
  calibration: {
    after: { threshold: 1, steepness: 2 },
    held_out: { difference: -0.01 },
    errors: { before: 0.2, after: 0.1 },
    supported: false,
  },
  toml: '[search]\nkeyword_weight = 0.4\n',
};
