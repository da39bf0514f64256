/**
 * The kinds of records that a pull may ask for. With a `client_id`, a pull also brings the `client` record if it
 * changed.
 */
export const pullableKinds = ['map', 'run'] as const;
export type PullableKind = (typeof pullableKinds)[number];
