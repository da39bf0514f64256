/** Says whether a stream ended because its client went away. */
export const isPrematureClose = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE';
