import fc from 'fast-check';

/**
 * Holds a property against examples. A failure prints its seed and its smallest counterexample; `GEMBA_SEED=<seed>` runs
 * the same examples again.
 */
export function law<Examples extends [unknown, ...unknown[]]>(
  property: fc.IPropertyWithHooks<Examples>,
  { examples = 200 } = {},
): void {
  const seed = process.env['GEMBA_SEED'];
  fc.assert(property, { numRuns: examples, ...(seed === undefined ? {} : { seed: Number(seed) }) });
}
