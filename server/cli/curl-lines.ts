/** Writes the commands that the start of the server offers to a person. */

/** The server's URL on this computer. */
export interface OwnUrl {
  url: string;
  /** Whether this computer trusts the certificate, or needs none. */
  isTrusted: boolean;
}

interface CurlOptions {
  /** A path of the API, such as `maps`. */
  path: string;
  token: string;
  body: object;
}

/** Returns the two lines of a POST to the API. */
export const curlLines = ({ url, isTrusted }: OwnUrl, { path, token, body }: CurlOptions): string[] => [
  `    curl${isTrusted ? '' : ' --insecure'} -X POST ${url}/api/v1/${path} -H 'Authorization: Bearer ${token}' \\`,
  `      -H 'Content-Type: application/json' -d '${JSON.stringify(body)}'`,
];
