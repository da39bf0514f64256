/** A way to the server other than the network, while there is one: a carrier at this device's side. */

export interface Detour {
  fetch?: typeof globalThis.fetch | undefined;
  /** Called when the way begins or ends. Set by the leading tab. */
  onChange?: (() => void) | undefined;
}

export function setDetour(detour: Detour, fetch: Detour['fetch']): void {
  detour.fetch = fetch;
  detour.onChange?.();
}
