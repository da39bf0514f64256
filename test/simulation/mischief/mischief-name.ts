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

export type MischiefName = (typeof mischiefNames)[number];
