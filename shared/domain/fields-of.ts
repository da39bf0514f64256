/** `Object.keys`, typed with the object's fields. Pass only objects without fields beyond their type. */
export const fieldsOf = <Row extends object>(row: Row): (keyof Row)[] => Object.keys(row) as (keyof Row)[];
