/**
 * A noop takes the place of a replaced or unsendable mutation, since a sequence may have no gaps. The server rejects
 * the noop as `withdrawn`. The `digest` of a noop covers the name and the version of the original mutation, with empty
 * args.
 */
export const noopName = 'noop';

export const isNoop = ({ name }: { name?: unknown }): boolean => name === noopName;
