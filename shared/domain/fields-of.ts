/** `Object.keys`, typed with the object's fields. The object must have no fields that its type lacks. */
export const fieldsOf = <Row extends object>(row: Row): (keyof Row)[] => Object.keys(row) as (keyof Row)[];
