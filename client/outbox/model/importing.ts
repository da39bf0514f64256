/** Takes another device's work into the outbox. Pure. */
import { canonicalJson } from '../../../shared/protocol/canonical-json.ts';
import type { MutationBody } from '../../storage/rows.ts';
import { rowOf } from './bodies.ts';
import type { OutboxContent } from './content.ts';
import { belowAll, underDerivedClients, underNewClient, withPlaces } from './numbering.ts';

export interface Imported {
  /** Its owner; undefined where the other device did not know. */
  account_id: string | undefined;
  works: Work[];
}

export interface Work {
  /** Identifies the work, under whichever number and on whichever device. */
  mark: string;
  /** Refused, or carried under its maker's client id and number: the server takes it once, whoever brings it. */
  body: MutationBody;
}

/**
 * Keeps both works where a copy of this device gave one of its numbers too: this device's own moves to another number if it
 * was never sent, else the imported one does.
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

/** An import from a copy brings work that was made before the copying, and is held here already. */
function isNewTo(content: OutboxContent): (body: MutationBody) => boolean {
  const held = new Map(numberedIn(content).map((body) => [rowOf(body).id, body]));
  return (body) => {
    const here = held.get(rowOf(body).id);
    return !here || here.name !== body.name || canonicalJson(here.args) !== canonicalJson(body.args);
  };
}

/** Moves unsent own work to other numbers, from the first on that a copy gave, too. */
function partedFrom(content: OutboxContent, works: MutationBody[], client_id: string): OutboxContent {
  const { device } = content;
  const ofCopy = works.filter((body) => body.client_id === device.client_id).map(({ seq }) => seq);
  if (ofCopy.length === 0) return content;
  const agreedSeq = Math.max(Math.min(...ofCopy) - 1, device.offered_seq ?? 0);
  const isUnsent = new Set(content.pending.filter(({ seq }) => seq > agreedSeq).map((body) => rowOf(body).id));
  return underDerivedClients(underNewClient(content, client_id), (body) => isUnsent.has(rowOf(body).id));
}

/** Moves imported work off numbers that are taken here, and with it what its maker made later. */
function withoutClash(content: OutboxContent, works: MutationBody[]): MutationBody[] {
  const taken = new Set(numberedIn(content).map((body) => rowOf(body).id));
  const parted = new Set<string>();
  const moved = new Set<MutationBody>();
  for (const body of works) {
    if (taken.has(rowOf(body).id)) parted.add(body.client_id);
    if (parted.has(body.client_id)) moved.add(body);
  }
  return underDerivedClients({ ...content, carried: works }, (body) => moved.has(body)).carried;
}

const numberedIn = ({ pending, carried }: OutboxContent): MutationBody[] => [...pending, ...carried];
