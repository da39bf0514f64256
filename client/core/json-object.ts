export type JsonObject = Record<string, unknown>;

/** Tells whether a JSON value is an object. A list counts, too: its members have the keys '0', '1' and so on. */
export const isObject = (value: unknown): value is JsonObject => typeof value === 'object' && value !== null;
