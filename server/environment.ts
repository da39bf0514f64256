/** Reads and checks the environment variables at start. docs/operations.md documents the same variables. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseOrigins } from './http/web/cors.ts';
import { healthThresholdsDefault, parseHealthThresholds } from './fleet/device-health.ts';
import { parseTrustedProxies } from './http/limits/trusted-proxies.ts';
import { logLevels } from './observe/log.ts';
import { parseBucketUrl, type BucketSettings } from './photos/s3/bucket-settings.ts';
import type { Settings } from './settings.ts';
import {
  createPatternParser,
  parseAnyText,
  parsePublicUrl,
  parseRateLimit,
  parseStorageLimits,
  type EnvironmentVariable,
} from './setting-parsers.ts';
import { settingName } from './cli/usage.ts';
import { billingProblems, billingVariables } from './billing-variables.ts';
import { accountLimitsDefault } from './store/account-limits.ts';
import { rateLimitDefault } from './store/limits/rate-limits.ts';
import { parseAllowedTargets, publicTargets } from './webhooks/send/target.ts';

const portMax = 65_535;
const adminTokenLengthMin = 12;

export const environmentVariables: { [Key in keyof Settings]: EnvironmentVariable<Settings[Key]> } = {
  port: {
    name: 'PORT',
    valueIfUnset: 8080,
    read: (text) => (/^\d{1,5}$/.test(text) && Number(text) <= portMax ? Number(text) : undefined),
    expected: `an integer from 0 to ${portMax}`,
  },
  host: { name: 'HOST', valueIfUnset: '127.0.0.1', read: parseAnyText, expected: 'an address of this machine' },
  databaseUrl: {
    name: 'DATABASE_URL',
    valueIfUnset: undefined,
    read: createPatternParser(/^postgres(ql)?:\/\//),
    expected: 'a URL that begins with postgres:// or postgresql://',
    isSecret: true,
  },
  pokeDatabaseUrl: {
    name: 'POKE_DATABASE_URL',
    valueIfUnset: undefined,
    read: (text) => (/^postgres(ql)?:\/\//.test(text) && URL.canParse(text) ? text : undefined),
    expected: 'a URL that begins with postgres:// or postgresql://',
    isSecret: true,
  },
  pokes: {
    name: 'GEMBA_POKES',
    valueIfUnset: 'listen',
    read: (text) => (text === 'listen' || text === 'poll' ? text : undefined),
    expected: 'listen or poll',
  },
  databasePooler: {
    name: 'DATABASE_POOLER',
    valueIfUnset: undefined,
    read: (text) => (text === 'transaction' ? text : undefined),
    expected: 'transaction',
  },
  dataDir: { name: 'DATA_DIR', valueIfUnset: './data', read: parseAnyText, expected: 'a folder' },
  adminToken: {
    name: 'GEMBA_ADMIN_TOKEN',
    valueIfUnset: undefined,
    read: createPatternParser(new RegExp(`^[\\x21-\\x7e]{${adminTokenLengthMin},}$`)),
    expected: `${adminTokenLengthMin} characters or more, or it could be guessed, and printable ASCII without spaces, since it travels in a header`,
    isSecret: true,
  },
  rateLimit: {
    name: 'GEMBA_RATE_LIMIT',
    valueIfUnset: rateLimitDefault,
    read: parseRateLimit,
    expected: 'requests/seconds, both at least 1, such as 600/60',
  },
  storedBytesMax: {
    name: 'GEMBA_STORAGE_MIB',
    valueIfUnset: accountLimitsDefault.storedBytesMax,
    read: parseStorageLimits,
    expected: 'MiB of the free/team plan, both at least 1, such as 256/16384',
  },
  photoBytesMax: {
    name: 'GEMBA_PHOTOS_MIB',
    valueIfUnset: accountLimitsDefault.photoBytesMax,
    read: parseStorageLimits,
    expected: 'MiB of the free/team plan, both at least 1, such as 2048/51200',
  },
  sharesPhotos: {
    name: 'GEMBA_PHOTOS_SHARED',
    valueIfUnset: false,
    read: (text) => (text === '1' ? true : undefined),
    expected: '1',
  },
  s3Url: {
    name: 'GEMBA_S3_URL',
    valueIfUnset: undefined,
    read: parseBucketUrl,
    expected: 'a URL with the bucket as its path, without a password, such as https://s3.example/bucket',
    isSecret: true,
  },
  s3Key: {
    name: 'GEMBA_S3_KEY',
    valueIfUnset: undefined,
    read: createPatternParser(/^[\w+/=.:@-]+$/),
    expected: 'the id of an access key, printable ASCII without spaces and commas',
    isSecret: true,
  },
  s3Secret: {
    name: 'GEMBA_S3_SECRET',
    valueIfUnset: undefined,
    read: createPatternParser(/^[\x21-\x7e]+$/),
    expected: 'the secret of the access key, printable ASCII without spaces',
    isSecret: true,
  },
  s3Region: {
    name: 'GEMBA_S3_REGION',
    valueIfUnset: 'us-east-1',
    read: createPatternParser(/^[a-z0-9-]+$/i),
    expected: 'the region of the bucket, such as eu-central-1',
  },
  ...billingVariables,
  trustedProxies: {
    name: 'TRUST_PROXY',
    valueIfUnset: undefined,
    read: parseTrustedProxies,
    expected: 'the number of proxies before the server, or their addresses: 1, or 10.0.0.0/8',
  },
  healthThresholds: {
    name: 'GEMBA_FLEET',
    valueIfUnset: healthThresholdsDefault,
    read: parseHealthThresholds,
    expected: 'times of stale, silent and stuck in m, h or d, such as stale=8h,silent=7d,stuck=24h',
  },
  webhookTargets: {
    name: 'GEMBA_WEBHOOK_ALLOW',
    valueIfUnset: publicTargets,
    read: parseAllowedTargets,
    expected: 'ranges of addresses, and http, with commas between, such as 10.0.0.0/8,http',
  },
  sendsWebhooks: {
    name: 'GEMBA_WEBHOOKS',
    valueIfUnset: true,
    read: (text) => (text === 'off' ? false : undefined),
    expected: 'off',
  },
  corsOrigins: {
    name: 'GEMBA_CORS_ORIGINS',
    valueIfUnset: undefined,
    read: parseOrigins,
    expected: 'origins with commas between, such as https://app.example',
  },
  publicUrl: {
    name: 'PUBLIC_URL',
    valueIfUnset: undefined,
    read: parsePublicUrl,
    expected: 'an address without a path or a password, such as https://gemba.example',
  },
  tlsCert: { name: 'TLS_CERT', valueIfUnset: undefined, read: parseAnyText, expected: 'a PEM file' },
  tlsKey: { name: 'TLS_KEY', valueIfUnset: undefined, read: parseAnyText, expected: 'a PEM file' },
  tls: {
    name: 'TLS',
    valueIfUnset: undefined,
    read: (text) => (text === 'self' || text === 'off' ? text : undefined),
    expected: 'self or off',
  },
  webDir: {
    name: 'WEB_DIR',
    valueIfUnset: undefined,
    read: (text) => (existsSync(join(text, 'index.html')) ? text : undefined),
    expected: 'the folder of the built app, with its index.html',
  },
  logLevel: {
    name: 'LOG_LEVEL',
    valueIfUnset: undefined,
    read: (text) => logLevels.find((level) => level === text),
    expected: `one of ${logLevels.join(', ')}`,
  },
};

type EnvironmentResult = { ok: true; settings: Settings } | { ok: false; problems: string[] };

/** Reads all variables and reports every problem. An empty variable counts as unset. */
export function readEnvironment(environment: Record<string, string | undefined>): EnvironmentResult {
  const problems: string[] = [];
  const settings = Object.entries(environmentVariables).map(
    ([key, { name, valueIfUnset, read, expected, isSecret }]) => {
      const text = environment[name]?.trim();
      if (!text) return [key, valueIfUnset];
      const value = read(text);
      if (value === undefined)
        problems.push(`${settingName(name)} must be ${expected}${isSecret ? '' : `, not "${text}"`}`);
      return [key, value];
    },
  );
  if (!environment['TLS_CERT']?.trim() !== !environment['TLS_KEY']?.trim()) {
    problems.push('TLS_CERT and TLS_KEY must be set together');
  }
  if (environment['TLS_CERT']?.trim() && environment['TLS']?.trim()) {
    problems.push('TLS must not be set together with TLS_CERT');
  }
  const bucket = ['GEMBA_S3_URL', 'GEMBA_S3_KEY', 'GEMBA_S3_SECRET'];
  const unset = bucket.filter((name) => !environment[name]?.trim());
  if (unset.length > 0 && unset.length < bucket.length) {
    problems.push(`${bucket.join(', ')} must be set together; unset: ${unset.join(', ')}`);
  }
  problems.push(...billingProblems(environment));
  const polls = environment['GEMBA_POKES']?.trim() === 'poll';
  if (environment['DATABASE_POOLER']?.trim() && !environment['POKE_DATABASE_URL']?.trim() && !polls) {
    problems.push(
      'DATABASE_POOLER needs POKE_DATABASE_URL, a URL without a pooler, since pokes need a session, or GEMBA_POKES=poll',
    );
  }
  return problems.length > 0
    ? { ok: false, problems }
    : { ok: true, settings: Object.fromEntries(settings) as unknown as Settings };
}

/** Returns the settings of the S3 bucket for photos; undefined if no bucket is set. */
export function photoBucketOf({ s3Url, s3Key, s3Secret, s3Region }: Settings): BucketSettings | undefined {
  if (s3Url === undefined || s3Key === undefined || s3Secret === undefined) return undefined;
  return { location: s3Url, key: s3Key, secret: s3Secret, region: s3Region };
}
