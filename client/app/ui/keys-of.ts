/** Returns the keys as `Key[]`. `Object.keys` returns `string[]`: an object may have more keys than its type says. */
export const keysOf = <Key extends string>(table: Readonly<Record<Key, unknown>>): Key[] => Object.keys(table) as Key[];
