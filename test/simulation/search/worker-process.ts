/** A process that simulates the seeds its parent sends, one after the other. */
import { simulate } from '../fleet/simulate.ts';
import { coverageOf } from './coverage.ts';
import { runOf, type Item, type ItemOutcome } from './item.ts';

// An exit removes the folders of the databases, which a signal would leave.
process.on('disconnect', () => process.exit());
process.on('message', (item: Item) => {
  void simulate(runOf(item)).then((outcome) => {
    const isWhole = item.hasTrace === true || outcome.failures.length > 0;
    const reply: ItemOutcome = {
      item,
      outcome: isWhole ? outcome : { ...outcome, trace: [] },
      covered: coverageOf(outcome),
    };
    process.send?.(reply);
  });
});
