/**
 * `npm run model`: explores the protocol within each bound, without the limit of the tests. `-- --bound 'a copied device'`
 * takes one bound, `--states 1000000` limits each.
 */
import { parseArgs } from 'node:util';
import { bounds } from './bounds.ts';
import { explore } from './explore.ts';
import { protocol } from './protocol.ts';

const { values } = parseArgs({
  options: { bound: { type: 'string' }, states: { type: 'string', default: '1000000' } },
});

for (const [name, { bound }] of Object.entries(bounds)) {
  if (values.bound !== undefined && values.bound !== name) continue;
  const startedAt = performance.now();
  const found = await explore(protocol(bound), { statesMax: Number(values.states) });
  const seconds = Math.round((performance.now() - startedAt) / 1000);
  const extent = found.isComplete ? 'all' : 'not all';
  console.log(`${name}: ${found.states} states, ${extent}, ${found.transitions} transitions, ${seconds} s`);
  if (!found.violation) continue;
  console.log([...found.violation.trace, `VIOLATED: ${found.violation.names.join(', ')}`].join('\n  '));
  process.exitCode = 1;
}
