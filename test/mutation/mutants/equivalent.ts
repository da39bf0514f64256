/** Changes that no test can notice, since the code does the same with them, each with the reason. */
import { equivalentInDomain } from './equivalent/domain.ts';
import { equivalentInOutbox } from './equivalent/outbox.ts';

export interface EquivalentMutant {
  file: string;
  from: string;
  to: string;
  why: string;
}

export const equivalentMutants: readonly EquivalentMutant[] = [equivalentInDomain, equivalentInOutbox].flatMap(
  (changes) =>
    Object.entries(changes).flatMap(([file, ofFile]) => ofFile.map(([from, to, why]) => ({ file, from, to, why }))),
);
