import { numberText } from '../text/format.ts';

const bytesPerKb = 1_000;
const bytesPerMb = 1_000_000;

/** Formats the size of a file, rounded up: 1,499 → 2 kB */
export const sizeText = (bytes: number): string =>
  bytes < bytesPerMb
    ? `${numberText(Math.ceil(bytes / bytesPerKb))} kB`
    : `${numberText(Math.ceil((bytes * 10) / bytesPerMb) / 10)} MB`;
