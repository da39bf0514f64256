/** The kinds of records that a pull may ask for. Every pull also brings the device's own `client` record. */
export const pullableKinds = ['map', 'run'] as const;
export type PullableKind = (typeof pullableKinds)[number];
