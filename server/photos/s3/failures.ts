/** Describes why a request to the S3 service failed, for the log: without the key, the secret and the name of an object. */

/** `code` is the service's name of an error, empty where its answer has none. */
export interface FailedAnswer {
  status: number;
  code: string;
}

const advice: Record<string, string> = {
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

/** Whether the same request may succeed a moment later. */
export const isTransient = ({ status, code }: FailedAnswer): boolean =>
  transientStatuses.has(status) || transientCodes.has(code);

export function describeFailure(method: string, { status, code }: FailedAnswer): string {
  const hint = advice[code] ?? (isTransient({ status, code }) ? undefined : adviceByStatus[status]);
  const answer = `S3 answered ${status}${code === '' ? '' : ` ${code}`} to ${method}`;
  return hint === undefined ? answer : `${answer}: ${hint}`;
}
