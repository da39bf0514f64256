/** Names of bad luck beside the network, crashes and copies. Each seed has some of it. */
export const mischiefNames = [
  'clocks',
  'full storage',
  'refusing storage',
  'hanging storage',
  'lost database',
  'lost journal',
  'torn journal',
  'lost device',
  'sleep',
  'server deaths',
  'integrator',
  'firewall',
  'revoked device',
] as const;

/** Drawn by a generator of their own, so that the settings of earlier seeds stay as they were. */
export const laterMischiefNames = ['tabs', 'versions'] as const;

export type MischiefName = (typeof mischiefNames)[number] | (typeof laterMischiefNames)[number];
