/** The device's network. While it is not available every request fails, as in a cellar. */
export class Network {
  available = false;

  readonly fetch: typeof globalThis.fetch = async (input, init) => {
    if (!this.available) throw new TypeError('fetch failed: the device has no network');
    return globalThis.fetch(input, init);
  };
}
