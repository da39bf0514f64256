/** The work of another device becomes this one's to push. Pure. */
import { canonicalJson } from '../../shared/protocol/canonical-json.ts';
import type { MutationBody } from '../store/rows.ts';
import { rowOf } from './bodies.ts';
import type { OutboxContent } from './content.ts';
import { belowAll, recarried, underNewClient, withPlaces } from './numbering.ts';

export interface Imported {
  /** Whose work it is, where that is known. */
  account_id: string | undefined;
  works: Work[];
}

export interface Work {
  /** What tells it from all others, wherever it goes. */
  mark: string;
  /**
   * Carried, under the client id and the number of the device that made it, so that the server takes it once, whoever
   * brings it; or refused.
   */
  body: MutationBody;
}

/**
 * A copy of this device gives its numbers to other work. Where both have a number, one of the two works goes under another:
 * this device's own if it was never sent, else the imported one.
 */
export function withImported(
  content: OutboxContent,
  { account_id, works }: Imported,
  client_id: string,
): OutboxContent {
  const inState = (state: MutationBody['state']) => works.flatMap(({ body }) => (body.state === state ? [body] : []));
  const carried = inState('carried').filter(isNewTo(content));
  const parted = partedFrom(content, carried, client_id);
  const { device } = parted;
  return {
    ...parted,
    device: account_id === undefined ? device : { ...device, account_id },
    carried: withPlaces(parted, withoutClash(parted, carried)),
    refused: [...parted.refused, ...belowAll(parted, inState('refused'))],
  };
}

/** A copy has what was made before it was copied. */
function isNewTo(content: OutboxContent): (body: MutationBody) => boolean {
  const held = new Map(numberedIn(content).map((body) => [rowOf(body).id, body]));
  return (body) => {
    const here = held.get(rowOf(body).id);
    return !here || here.name !== body.name || canonicalJson(here.args) !== canonicalJson(body.args);
  };
}

/** From the first number on that a copy gave too, what this device made and did not send goes under other numbers. */
function partedFrom(content: OutboxContent, works: MutationBody[], client_id: string): OutboxContent {
  const { device } = content;
  const ofCopy = works.filter((body) => body.client_id === device.client_id).map(({ seq }) => seq);
  if (ofCopy.length === 0) return content;
  const agreedSeq = Math.max(Math.min(...ofCopy) - 1, device.offered_seq ?? 0);
  const isUnsent = new Set(content.pending.filter(({ seq }) => seq > agreedSeq).map((body) => rowOf(body).id));
  return recarried(underNewClient(content, client_id), (body) => isUnsent.has(rowOf(body).id));
}

/** What clashes with a number that is taken here goes under another, and what its maker made behind it along with it. */
function withoutClash(content: OutboxContent, works: MutationBody[]): MutationBody[] {
  const taken = new Set(numberedIn(content).map((body) => rowOf(body).id));
  const parted = new Set<string>();
  const moved = new Set<MutationBody>();
  for (const body of works) {
    if (taken.has(rowOf(body).id)) parted.add(body.client_id);
    if (parted.has(body.client_id)) moved.add(body);
  }
  return recarried({ ...content, carried: works }, (body) => moved.has(body)).carried;
}

const numberedIn = ({ pending, carried }: OutboxContent): MutationBody[] => [...pending, ...carried];
