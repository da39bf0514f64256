/** Carries out a person's decision about a refused or discarded mutation. */
import { GembaError } from '../../core/errors.ts';
import { numberOf } from '../model/entry.ts';
import { attentionOf, type Remedy } from './attention.ts';
import type { Outbox } from '../outbox.ts';
import { remedyMutations, type RemedyContext } from './remedy-mutations.ts';
import type { FindRun } from '../model/dependents/returned-runs.ts';
import type { PulledState } from '../model/settling/settlement.ts';

interface ResolveOptions extends RemedyContext {
  outbox: Outbox;
  maps: RemedyContext['maps'] & PulledRecords;
  seq: number;
  remedy: Remedy;
}

interface PulledRecords {
  /** The server's state as of the last pull. */
  readonly pulledState: PulledState | undefined;
  /** undefined on a device that pulls no runs. */
  readonly findRun: FindRun | undefined;
}

export async function resolveAttention(options: ResolveOptions): Promise<void> {
  const { outbox, seq, remedy, ...context } = options;
  const { maps } = context;
  // Settle the last pull first, since the person may have decided about a refusal that the outbox has not stored yet.
  await outbox.writer.settle(() => maps.pulledState);
  const all = outbox.entries('refused');
  const refused = all.find((entry) => numberOf(entry) === seq);
  if (!refused) throw attentionNotFoundError(seq);
  const { remedies } = attentionOf(refused, { refused: all, findRun: maps.findRun });
  if (!remedies.includes(remedy)) {
    throw new GembaError({ code: 'remedy_unfit', detail: `Here only these help: ${remedies.join(', ')}.` });
  }
  if (remedy === 'edit') await (await import('../../core/sendable.ts')).validateMutation(refused.name, context.args);
  const resolved =
    remedy === 'discard'
      ? outbox.writer.discard(refused)
      : outbox.writer.replace(refused, remedyMutations(refused, remedy, context));
  if (!(await resolved)) throw attentionNotFoundError(seq);
}

export async function restoreChange(outbox: Outbox, seq: number): Promise<void> {
  const discarded = outbox.entries('discarded').find((entry) => numberOf(entry) === seq);
  if (!discarded || !(await outbox.writer.restoreChange(discarded))) throw attentionNotFoundError(seq);
}

function attentionNotFoundError(seq: number): GembaError {
  return new GembaError({ code: 'attention_not_found', detail: `No mutation ${String(seq)} needs attention.` });
}
