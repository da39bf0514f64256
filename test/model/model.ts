/**
 * `npm run model`: explores the protocol within each bound, without the limit of the tests. `-- --bound 'a copied device'`
 * takes one bound, `--states 1000000` and `--minutes 15` limit each.
 */
import { parseArgs } from 'node:util';
import { bounds } from './bounds.ts';
import { explore } from './explore.ts';
import { protocol } from './protocol.ts';

const { values } = parseArgs({
  options: {
    bound: { type: 'string' },
    states: { type: 'string', default: '1000000' },
    minutes: { type: 'string', default: 'Infinity' },
  },
});

for (const [name, { bound }] of Object.entries(bounds)) {
  if (values.bound !== undefined && values.bound !== name) continue;
  const startedAt = performance.now();
  const isTimeUp = () => performance.now() - startedAt > Number(values.minutes) * 60_000;
  const found = await explore(protocol(bound), { statesMax: Number(values.states), isTimeUp });
  const seconds = Math.round((performance.now() - startedAt) / 1000);
  const extent = found.isComplete ? 'all' : `all within ${found.depth} steps`;
  console.log(`${name}: ${found.states} states, ${extent}, ${found.transitions} transitions, ${seconds} s`);
  if (!found.violation) continue;
  console.log([...found.violation.trace, `VIOLATED: ${found.violation.names.join(', ')}`].join('\n  '));
  process.exitCode = 1;
}
