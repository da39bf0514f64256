/**
 * A `Detour` replaces the network's `fetch` while requests go through a nearby carrier, or while the sync is traced.
 */

type Fetch = typeof globalThis.fetch;

export interface Detour {
  /** Sends all requests instead of the network's `fetch`: `carrierFetch`, or a traced `fetch`. */
  fetch?: Fetch | undefined;
  /**
   * Sends requests through a nearby carrier; absent if there is no carrier. If present, the device counts
   * as online.
   */
  carrierFetch?: Fetch | undefined;
  /** Set while the sync is traced. Wraps `carrierFetch`; if there is no carrier, wraps the network's `fetch`. */
  trace?: ((carrierFetch: Fetch | undefined) => Fetch) | undefined;
  /** Called when a carrier connects or leaves. Set by the leading tab. */
  onChange?: (() => void) | undefined;
}
