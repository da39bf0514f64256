/** The work of another device becomes this one's to push. Pure. */
import type { MutationBody } from '../store/rows.ts';
import type { OutboxContent } from './content.ts';
import { belowAll, withPlaces } from './numbering.ts';

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

export function withImported(content: OutboxContent, { account_id, works }: Imported): OutboxContent {
  const inState = (state: MutationBody['state']) => works.flatMap(({ body }) => (body.state === state ? [body] : []));
  return {
    ...content,
    device: { ...content.device, ...(account_id === undefined ? {} : { account_id }) },
    carried: withPlaces(content, inState('carried')),
    refused: [...content.refused, ...belowAll(content, inState('refused'))],
  };
}
