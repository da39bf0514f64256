export type JsonObject = Record<string, unknown>;

/** Tells whether JSON is an object or a list, which has its members under the keys '0', '1' and so on. */
export const isObject = (value: unknown): value is JsonObject => typeof value === 'object' && value !== null;
