/** The environment's variables, checked once at the edge. */
import { readOrigins } from './http/cors.ts';
import { readTrustedProxies, type TrustedProxies } from './http/trusted-proxies.ts';
import { logLevels, type LogLevel } from './observe/log.ts';
import { accountLimitsDefault, bytesPerMiB, type AccountLimits } from './store/account-limits.ts';
import { rateLimitDefault, type RateLimit } from './store/rate-limits.ts';

export interface Settings {
  port: number;
  host: string;
  databaseUrl: string | undefined;
  dataDir: string;
  adminToken: string | undefined;
  rateLimit: RateLimit;
  storedBytesMax: AccountLimits['storedBytesMax'];
  trustedProxies: TrustedProxies | undefined;
  /** Whose web apps may call the API; none when unset. */
  corsOrigins: string[] | undefined;
  /** Where people reach the server; without one, where it listens. */
  publicUrl: string | undefined;
  /** Where the built app is; without one, where `npm run build` puts it. */
  webDir: string | undefined;
  logLevel: LogLevel;
}

type Environment = { ok: true; settings: Settings } | { ok: false; problems: string[] };

/** A variable that is empty counts as unset. */
export function readEnvironment(variables: Record<string, string | undefined>): Environment {
  const text = (name: string) => variables[name]?.trim() || undefined;
  const port = text('PORT') ?? '8080';
  const databaseUrl = text('DATABASE_URL');
  const adminToken = text('GEMBA_ADMIN_TOKEN');
  const problems: string[] = [];
  if (!/^\d{1,5}$/.test(port) || Number(port) > portMax) {
    problems.push(`PORT must be an integer from 0 to ${portMax}, not "${port}"`);
  }
  if (databaseUrl !== undefined && !/^postgres(ql)?:\/\//.test(databaseUrl)) {
    problems.push('DATABASE_URL must be a URL that begins with postgres:// or postgresql://');
  }
  if (adminToken !== undefined && !/^[\x21-\x7e]+$/.test(adminToken)) {
    problems.push('GEMBA_ADMIN_TOKEN must be printable ASCII without spaces, since it travels in a header');
  }
  if (adminToken !== undefined && adminToken.length < adminTokenLengthMin) {
    problems.push(`GEMBA_ADMIN_TOKEN must have at least ${adminTokenLengthMin} characters, or it could be guessed`);
  }
  const rateLimit = readRateLimit(text('GEMBA_RATE_LIMIT'));
  if (!rateLimit) problems.push('GEMBA_RATE_LIMIT must be requests/seconds, both at least 1, such as 600/60');
  const storedBytesMax = readStorage(text('GEMBA_STORAGE_MIB'));
  if (!storedBytesMax)
    problems.push('GEMBA_STORAGE_MIB must be MiB of the free/team plan, both at least 1, such as 256/16384');
  const trustProxy = text('TRUST_PROXY');
  const trustedProxies = trustProxy === undefined ? undefined : readTrustedProxies(trustProxy);
  if (trustProxy !== undefined && trustedProxies === undefined) {
    problems.push('TRUST_PROXY must be the number of proxies before the server, or their addresses: 1, or 10.0.0.0/8');
  }
  const corsText = text('GEMBA_CORS_ORIGINS');
  const corsOrigins = corsText === undefined ? undefined : readOrigins(corsText);
  if (corsText !== undefined && corsOrigins === undefined) {
    problems.push('GEMBA_CORS_ORIGINS must be origins with commas between, such as https://app.example');
  }
  const publicUrl = text('PUBLIC_URL');
  if (publicUrl !== undefined && !/^https?:\/\/[^/?#\s]+\/?$/.test(publicUrl)) {
    problems.push('PUBLIC_URL must be an address without a path, such as https://gemba.example');
  }
  const logLevel = logLevels.find((level) => level === (text('LOG_LEVEL') ?? 'info'));
  if (!logLevel) problems.push(`LOG_LEVEL must be one of ${logLevels.join(', ')}`);
  if (problems.length > 0 || !rateLimit || !storedBytesMax || !logLevel) return { ok: false, problems };
  const dataDir = text('DATA_DIR') ?? './data';
  return {
    ok: true,
    settings: {
      port: Number(port),
      host: text('HOST') ?? '127.0.0.1',
      databaseUrl,
      dataDir,
      adminToken,
      rateLimit,
      storedBytesMax,
      trustedProxies,
      corsOrigins,
      webDir: text('WEB_DIR'),
      publicUrl: publicUrl?.replace(/\/$/, ''),
      logLevel,
    },
  };
}

const portMax = 65_535;
const adminTokenLengthMin = 12;

function readRateLimit(text: string | undefined): RateLimit | undefined {
  if (text === undefined) return rateLimitDefault;
  const [, requests, secs] = /^(\d{1,9})\/(\d{1,6})$/.exec(text) ?? [];
  const limit = { requests: Number(requests), secs: Number(secs) };
  return limit.requests >= 1 && limit.secs >= 1 ? limit : undefined;
}

function readStorage(text: string | undefined): AccountLimits['storedBytesMax'] | undefined {
  if (text === undefined) return accountLimitsDefault.storedBytesMax;
  const [, free, team] = /^(\d{1,9})\/(\d{1,9})$/.exec(text) ?? [];
  const bytes = { free: Number(free) * bytesPerMiB, team: Number(team) * bytesPerMiB };
  return bytes.free >= 1 && bytes.team >= 1 ? bytes : undefined;
}
