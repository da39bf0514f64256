import type { PhotosCopied } from '../backup/copy-photos.ts';

const listedMax = 10;

/** Says how many stored photos are there, and names those that are missing. No lines where no photo is stored. */
export function photoLines({ present, missing }: PhotosCopied, who: string): string[] {
  const listed = missing.slice(0, listedMax).map(({ account_id, id }) => `  account ${account_id}: sha256:${id}`);
  return [
    ...(present > 0 ? [`Photos: ${present}.`] : []),
    ...(missing.length > 0 ? [`Photos that are missing, ${who} them: ${missing.length}`] : []),
    ...listed,
    ...(missing.length > listedMax ? [`  and ${missing.length - listedMax} more`] : []),
  ];
}
