/** Deliberate faults in the model, each of which the checker must find. */
export const variants = [
  'no dedupe',
  'acknowledge before the commit',
  'done when answered',
  'no receipts',
  'skip the epoch check',
  'forget what was applied',
  'skip the chain check',
  'cursor of a failed write',
  'forget a rejection',
  'reorder the outbox',
  'custody when sent',
  'custody of a refused recording',
  'join pages of two epochs',
] as const;

export type Variant = (typeof variants)[number] | 'as built';
