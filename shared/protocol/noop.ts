/**
 * A number whose mutation was withdrawn. A sequence has no gaps, so the number is sent without its work, and the server
 * rejects it as `withdrawn`. Its `digest` is that of the name, version and empty args of the withdrawn mutation.
 */
export const noopName = 'noop';

export const isNoop = ({ name }: { name?: unknown }): boolean => name === noopName;
