/** The number of requests in a client's window, and when the window ends. Times are in milliseconds since 1970. */
export interface RequestWindow {
  requests: number;
  endsAt: number;
}

export interface CountedRequest {
  key: string;
  now: number;
  /** The end of the window that begins with this request, if the client has no open window. */
  endsAt: number;
}

/**
 * Request counts that all server processes share. `add` is one SQL statement with the rules of
 * `LocalRequestCounts.add`.
 */
export interface SharedRequestCounts {
  add(request: CountedRequest): Promise<RequestWindow>;
  refund(key: string): Promise<void>;
  /** Deletes the counts of windows that have ended. */
  sweep(now: number): Promise<void>;
  close(): Promise<void>;
}
