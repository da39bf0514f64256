/** The number of requests in a client's window, and the end of the window. Times are in milliseconds since 1970. */
export interface WindowCount {
  requests: number;
  endsAt: number;
}

export interface CountedRequest {
  key: string;
  now: number;
  /** The end of the window if it begins with this request. */
  endsAt: number;
}

/**
 * The counts that all processes share. A driver adds a request with one statement that follows the rule of
 * `LocalRequestCounts.add`.
 */
export interface SharedRequestCounts {
  addRequest(request: CountedRequest): Promise<WindowCount>;
  refund(key: string): Promise<void>;
  /** Deletes the windows that have ended. */
  sweep(now: number): Promise<void>;
  close(): Promise<void>;
}
