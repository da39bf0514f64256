/** Returns the address of a path of the API, such as `relay/keys`, on the server at `url`, which may be in a folder. */
export const apiAddress = (url: string, path: string): URL =>
  new URL(`api/v1/${path}`, url.endsWith('/') ? url : `${url}/`);
