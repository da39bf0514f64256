/**
 * Describes for the log why a request to the S3 service failed. The text has no key, no secret and no object's name.
 */

/** `code` is the error code that S3 defines, such as `NoSuchKey`. It is empty if the response has none. */
export interface FailedResponse {
  status: number;
  code: string;
}

const adviceByCode: Record<string, string> = {
  RequestTimeTooSkewed: 'the clock of this machine is wrong',
  InvalidAccessKeyId: 'check GEMBA_S3_KEY',
  SignatureDoesNotMatch: 'check GEMBA_S3_KEY, GEMBA_S3_SECRET and GEMBA_S3_REGION',
  AuthorizationHeaderMalformed: 'check GEMBA_S3_REGION',
  AccessDenied: 'check that the key may list the bucket, and read, write and delete its objects',
  NoSuchBucket: 'check the bucket in GEMBA_S3_URL',
};

const adviceByStatus: Record<number, string> = {
  301: 'check GEMBA_S3_URL and GEMBA_S3_REGION',
  307: 'check GEMBA_S3_URL and GEMBA_S3_REGION',
  400: 'check GEMBA_S3_URL and GEMBA_S3_REGION',
  403: 'check GEMBA_S3_KEY, GEMBA_S3_SECRET and what the key may do',
  404: 'check GEMBA_S3_URL',
};

const transientStatuses = new Set([408, 429, 500, 502, 503, 504]);
const transientCodes = new Set([
  'InternalError',
  'OperationAborted',
  'RequestTimeout',
  'ServiceUnavailable',
  'SlowDown',
]);

/** Tells whether the same request may succeed a moment later. */
export const isTransient = ({ status, code }: FailedResponse): boolean =>
  transientStatuses.has(status) || transientCodes.has(code);

export function describeFailure(method: string, { status, code }: FailedResponse): string {
  const hint = adviceByCode[code] ?? (isTransient({ status, code }) ? undefined : adviceByStatus[status]);
  const answer = `S3 answered ${status}${code === '' ? '' : ` ${code}`} to ${method}`;
  return hint === undefined ? answer : `${answer}: ${hint}`;
}
