/**
 * Returns the keys with their type. `Object.keys` returns strings, since an object may have more keys than its type.
 */
export const keysOf = <Key extends string>(table: Readonly<Record<Key, unknown>>): Key[] => Object.keys(table) as Key[];
