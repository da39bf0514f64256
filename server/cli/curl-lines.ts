/** Builds the `curl` commands that `npm start` prints. */

/** The server's URL on this computer. */
export interface LocalUrl {
  url: string;
  /** True if this computer trusts the server's certificate, or the server uses plain HTTP. */
  isTrusted: boolean;
}

interface CurlOptions {
  /** A path of the API, such as `maps`. */
  path: string;
  token: string;
  body: object;
}

/** Returns the two lines of a POST to the API. */
export const curlLines = ({ url, isTrusted }: LocalUrl, { path, token, body }: CurlOptions): string[] => [
  `    curl${isTrusted ? '' : ' --insecure'} -X POST ${url}/api/v1/${path} -H 'Authorization: Bearer ${token}' \\`,
  `      -H 'Content-Type: application/json' -d '${JSON.stringify(body)}'`,
];
