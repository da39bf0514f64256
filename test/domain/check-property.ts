import fc from 'fast-check';

/**
 * Checks a property with random examples. A failure prints its seed and its smallest counterexample;
 * `GEMBA_SEED=<seed>` repeats the examples.
 */
export function checkProperty<Examples extends [unknown, ...unknown[]]>(
  property: fc.IPropertyWithHooks<Examples>,
  { examples = 200 } = {},
): void {
  const seed = process.env['GEMBA_SEED'];
  fc.assert(property, { numRuns: examples, ...(seed === undefined ? {} : { seed: Number(seed) }) });
}
