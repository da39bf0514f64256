/** An HTTP answer as a value: what an `Idempotency-Key` remembers. */
export interface Answer {
  status: number;
  headers: Record<string, string>;
  /** Serialized as JSON. */
  body: unknown;
}

export const replayedHeader = { 'Idempotency-Replayed': 'true' };
