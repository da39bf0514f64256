/** The values of the environment variables. docs/operations.md says what each is for. */
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
  /** The PostgreSQL through which the server processes poke each other. Default: `databaseUrl`. */
  pokeDatabaseUrl: string | undefined;
  /** `poll`: no connection listens for the pokes of other processes, and streams hear of their changes by polling. */
  pokes: 'listen' | 'poll';
  /** `transaction`: `databaseUrl` is a pooler in transaction mode, such as PgBouncer. Default: no pooler. */
  databasePooler: 'transaction' | undefined;
  dataDir: string;
  adminToken: string | undefined;
  rateLimit: RateLimit;
  storedBytesMax: AccountLimits['storedBytesMax'];
  photoBytesMax: AccountLimits['photoBytesMax'];
  /** True if all server processes of the PostgreSQL see the same `dataDir`. */
  sharesPhotos: boolean;
  /** The bucket that keeps the photos. Default: the folder `dataDir` keeps them. `s3Key` and `s3Secret` are set with it. */
  s3Url: BucketLocation | undefined;
  s3Key: string | undefined;
  s3Secret: string | undefined;
  s3Region: string;
  trustedProxies: TrustedProxies | undefined;
  healthThresholds: HealthThresholds;
  /** The URLs that webhooks may have besides public ones. */
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
   * `self`: the server makes its own certificate. `off`: it makes none. Default: it makes one if phones can reach it and no
   * proxy, `PUBLIC_URL` or `TLS_CERT` is set.
   */
  tls: 'self' | 'off' | undefined;
  /** The folder of the built app. Default: the folder that `npm run build` writes. */
  webDir: string | undefined;
  /** Default: `info`, or `warn` in a terminal. */
  logLevel: LogLevel | undefined;
}
