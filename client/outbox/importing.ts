/** The work of another device becomes this one's to push. Pure. */
import type { MutationBody } from '../store/rows.ts';
import type { OutboxContent } from './content.ts';
import { belowAll, withPlaces } from './numbering.ts';

export interface Imported {
  /** Whose work it is, where that is known. */
  account_id: string | undefined;
  /** Under the client id and the numbers of the device that made it, so that the server takes each once, whoever brings it. */
  carried: MutationBody[];
  refused: MutationBody[];
  /** What tells each from all others, wherever it goes. */
  marks: string[];
}

export function withImported(content: OutboxContent, { account_id, carried, refused }: Imported): OutboxContent {
  return {
    ...content,
    device: { ...content.device, ...(account_id === undefined ? {} : { account_id }) },
    carried: withPlaces(content, carried),
    refused: [...content.refused, ...belowAll(content, refused)],
  };
}
