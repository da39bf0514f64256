/** A sync client as it is loaded: of its rejections only the numbers, since none is written twice. */
import type { ClientRow } from './store.ts';

export interface ClientColumns extends Omit<ClientRow, 'rejections'> {
  /** JSON text: the numbers of the rejections, in any order. */
  rejected: string;
}

export function clientRow({ rejected, ...row }: ClientColumns): ClientRow {
  const seqs = JSON.parse(rejected) as number[];
  return { ...row, rejections: seqs.map((seq) => ({ seq })) };
}
