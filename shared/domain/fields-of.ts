/** `Object.keys`, typed with the object's fields. The object must have no fields beyond those of its type. */
export const fieldsOf = <Row extends object>(row: Row): (keyof Row)[] => Object.keys(row) as (keyof Row)[];
