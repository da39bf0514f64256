/**
 * Makes other mutations in place of a refused one. Its dependents, refused or pending mutations that name records which it
 * would have made, are made again behind it, in their order, with the new ids. Pure.
 */
import type { ProblemCode } from '../../../shared/protocol/problem.ts';
import type { DeviceBody, MutationBody } from '../../storage/rows.ts';
import type { NewMutation } from './mutation.ts';
import { madeBy, namedBy, renamed, renamesOf, type Reference } from './references.ts';
import type { OutboxContent } from './content.ts';

/** Makes bodies of mutations, numbered after those that there are. */
export type Appending = (
  device: DeviceBody,
  mutations: NewMutation[],
) => { device: DeviceBody; bodies: MutationBody[] };

/** The last of `mutations` stands for the refused one; with none of them the dependents stay as they are. */
export function replaced(
  content: OutboxContent,
  { refused, mutations, append }: { refused: MutationBody; mutations: NewMutation[]; append: Appending },
): OutboxContent {
  const successor = mutations.at(-1);
  const dependents = successor ? dependentsOf(refused, [...content.refused, ...content.pending]) : [];
  const renames = successor ? renamesOf(refused, successor) : new Map<Reference, string>();
  const again = dependents.map((body) => renamed(body, renames));
  const appended = append(content.device, [...mutations, ...again]);
  const { device } = appended;
  const bodies = appended.bodies.map((body, index) =>
    index === mutations.length - 1 ? withFormerSession(body, refused) : body,
  );
  const moved = new Set(dependents);
  return {
    ...content,
    device,
    refused: content.refused.filter((body) => body !== refused && !moved.has(body)),
    pending: [...content.pending.map((body) => (moved.has(body) ? voided(body) : body)), ...bodies],
  };
}

/** A recording under a new session is also known by the one that its worker was told. */
function withFormerSession(body: MutationBody, refused: MutationBody): MutationBody {
  const session = refused.args['recording_session_id'] as string | undefined;
  const former_session = refused.former_session ?? session;
  const isNew = former_session !== undefined && body.args['recording_session_id'] !== former_session;
  return isNew ? { ...body, former_session } : body;
}

/** Finds the mutations that fail because `refused` did, directly or through one another, in their order. */
function dependentsOf(refused: MutationBody, others: MutationBody[]): MutationBody[] {
  const missing = new Set(madeBy(refused));
  const later = others.filter(({ seq }) => seq > refused.seq).toSorted((a, b) => a.seq - b.seq);
  return later.filter((body) => {
    if (!mayDepend(body) || !namedBy(body).some((reference) => missing.has(reference))) return false;
    for (const reference of madeBy(body)) missing.add(reference);
    return true;
  });
}

/** The refused mutation that `body` depends on; the nearest of several. */
export function causeOf(body: MutationBody, refused: MutationBody[]): MutationBody | undefined {
  if (!mayDepend(body)) return undefined;
  const named = new Set(namedBy(body));
  return refused.findLast((cause) => cause.seq < body.seq && madeBy(cause).some((reference) => named.has(reference)));
}

/** Refusals of mutations that name a missing record, or another's record with the same id. */
const missingCodes: ReadonlySet<ProblemCode> = new Set([
  'map_not_found',
  'map_deleted',
  'stage_not_found',
  'run_not_found',
  'stage_ids_mismatch',
]);

const mayDepend = ({ error, is_void }: MutationBody): boolean =>
  !is_void && (error === null || missingCodes.has(error.code));

/** Sends the number without content, since a sequence has no gaps; it comes back refused and is forgotten. */
const voided = (body: MutationBody): MutationBody => ({ ...body, args: {}, is_void: true });
