/**
 * Returns the address of an API path, such as `relay/keys`, on the server at `url`. The server may be in a folder of
 * its host.
 */
export const apiAddress = (url: string, path: string): URL =>
  new URL(`api/v1/${path}`, url.endsWith('/') ? url : `${url}/`);
