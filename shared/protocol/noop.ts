/**
 * A noop takes the place of a replaced or unsendable mutation, since a sequence may have no gaps. The server rejects it as
 * `withdrawn`. Its `digest` is made from the name and the version of that mutation, with empty args.
 */
export const noopName = 'noop';

export const isNoop = ({ name }: { name?: unknown }): boolean => name === noopName;
