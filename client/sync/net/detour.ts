/** How requests leave this device: over the network, or by a carrier at its side. A trace wraps either. */

type Fetch = typeof globalThis.fetch;

export interface Detour {
  /** Sends the requests in place of the network's own `fetch`: `carrierFetch`, or a traced one. */
  fetch?: Fetch | undefined;
  /** The `fetch` of a carrier at this device's side, while there is one. The device is online by it. */
  carrierFetch?: Fetch | undefined;
  /** Wraps `carrierFetch`, or the network's own `fetch` if there is none, while the sync is traced. */
  trace?: ((carrierFetch: Fetch | undefined) => Fetch) | undefined;
  /** Called when the `fetch` of a carrier comes or goes. Set by the leading tab. */
  onChange?: (() => void) | undefined;
}
