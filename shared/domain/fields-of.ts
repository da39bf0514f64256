/**
 * Returns the names of an object's fields. `Object.keys` returns strings, since an object may have more fields than its
 * type.
 */
export const fieldsOf = <Row extends object>(row: Row): (keyof Row)[] => Object.keys(row) as (keyof Row)[];
