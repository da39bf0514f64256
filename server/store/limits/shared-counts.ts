/** The number of requests in a client's window, and when the window ends. Times are in milliseconds since 1970. */
export interface WindowCount {
  requests: number;
  endsAt: number;
}

export interface CountedRequest {
  key: string;
  now: number;
  /** When the window ends if this request is the first of a window. */
  endsAt: number;
}

/**
 * The counts that all server processes share. A driver counts a request in one statement, by the rules of
 * `LocalRequestCounts.add`.
 */
export interface SharedRequestCounts {
  add(request: CountedRequest): Promise<WindowCount>;
  refund(key: string): Promise<void>;
  /** Deletes the counts of windows that have ended. */
  sweep(now: number): Promise<void>;
  close(): Promise<void>;
}
