/** The values of the environment variables, which docs/operations.md explains. */
import type { BillingVariables } from './billing-variables.ts';
import type { HealthThresholds } from './fleet/device-health.ts';
import type { TrustedProxies } from './http/limits/trusted-proxies.ts';
import type { LogLevel } from './observe/log.ts';
import type { BucketLocation } from './photos/s3/bucket-settings.ts';
import type { AccountLimits } from './store/account-limits.ts';
import type { RateLimit } from './store/limits/rate-limits.ts';
import type { AllowedTargets } from './webhooks/send/target.ts';

export interface Settings extends BillingVariables {
  port: number;
  host: string;
  databaseUrl: string | undefined;
  /** The URL of the PostgreSQL that carries the pokes between the server processes. Default: `databaseUrl`. */
  pokeDatabaseUrl: string | undefined;
  /** With `poll`, event streams poll the store instead of listening for the pokes of other processes. */
  pokes: 'listen' | 'poll';
  /** `transaction`: `databaseUrl` is a pooler in transaction mode, such as PgBouncer. Default: no pooler. */
  databasePooler: 'transaction' | undefined;
  dataDir: string;
  adminToken: string | undefined;
  rateLimit: RateLimit;
  storedBytesMax: AccountLimits['storedBytesMax'];
  photoBytesMax: AccountLimits['photoBytesMax'];
  /** True if all server processes on the PostgreSQL database see the same `dataDir`. */
  sharesPhotos: boolean;
  /**
   * The S3 bucket for photos, set together with `s3Key` and `s3Secret`. Default: photos are in the folder `dataDir`.
   */
  s3Url: BucketLocation | undefined;
  s3Key: string | undefined;
  s3Secret: string | undefined;
  s3Region: string;
  trustedProxies: TrustedProxies | undefined;
  healthThresholds: HealthThresholds;
  /** The targets that the operator allows for webhooks in addition to public HTTPS URLs. */
  webhookTargets: AllowedTargets;
  /** Whether this process delivers webhooks. */
  sendsWebhooks: boolean;
  /** The other origins whose web apps may call the API. Default: none. */
  corsOrigins: string[] | undefined;
  /** The URL at which people reach the server. Default: the URL at which the server listens. */
  publicUrl: string | undefined;
  /** The PEM files of the certificate chain and its private key. Either both files are set or neither is. */
  tlsCert: string | undefined;
  tlsKey: string | undefined;
  /**
   * `self`: the server makes its own certificate. `off`: the server makes none. Default: the server makes one if phones
   * can reach it and `PUBLIC_URL`, `TLS_CERT` and `TRUST_PROXY` are unset.
   */
  tls: 'self' | 'off' | undefined;
  /** The folder of the built app. Default: the folder that `npm run build` writes. */
  webDir: string | undefined;
  /** Default: `info`, or `warn` in a terminal. */
  logLevel: LogLevel | undefined;
}
