/** The requests of a client in its window. Times are in milliseconds since 1970. */
export interface WindowCount {
  requests: number;
  endsAt: number;
}

export interface CountedRequest {
  key: string;
  now: number;
  /** The end of a window that begins now. */
  endsAt: number;
}

/** The counts of all processes. A driver adds a request with one statement, by the rule of `LocalCounts.add`. */
export interface SharedCounts {
  add(request: CountedRequest): Promise<WindowCount>;
  takeBack(key: string): Promise<void>;
  /** Removes the windows that ended. */
  sweep(now: number): Promise<void>;
  close(): Promise<void>;
}
