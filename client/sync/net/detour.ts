/** How requests leave this device: over the network, or by a carrier at its side. A trace wraps either. */

type Fetch = typeof globalThis.fetch;

export interface Detour {
  /** Sends the requests in place of the network's own `fetch`: that of `way`, or a traced one. */
  fetch?: Fetch | undefined;
  /** The `fetch` of a carrier at this device's side, while there is one. The device is online by it. */
  way?: Fetch | undefined;
  /** Wraps `way`, or the network's own `fetch` if there is no way, while the sync is traced. */
  trace?: ((way: Fetch | undefined) => Fetch) | undefined;
  /** Called when the way begins or ends. Set by the leading tab. */
  onChange?: (() => void) | undefined;
}
