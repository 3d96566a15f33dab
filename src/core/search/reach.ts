/** How deep the stages look that compare candidates with each other: equally deep, however many hits are wanted. */

/** MMR chooses from as many passages whatever the size of the answer. */
export const REACH = 30;

/**
 * Candidates among which near duplicates are looked for. To compare all would cost milliseconds where the threshold is 0;
 * were it fewer for a short answer than for a long one, the short one would not be the beginning of the long one.
 */
export const COMPARED = 60;
