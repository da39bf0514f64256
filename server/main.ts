/**
 * The entry point of `npm start`: reads the environment, starts the server, and stops the server at SIGTERM or SIGINT.
 */
import { existsSync, readFileSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { createSecureContext } from 'node:tls';
import { fileURLToPath } from 'node:url';
import { openServer, type RunningServer } from './app.ts';
import { billingSettingsOf } from './billing-variables.ts';
import { photoBucketOf, readEnvironment } from './environment.ts';
import type { Settings } from './settings.ts';
import { fail } from './cli/fail.ts';
import { curlLines, type LocalUrl } from './cli/curl-lines.ts';
import { firstPhonePairingText } from './cli/first-phone.ts';
import {
  certificateNamesOf,
  authorityFingerprintOf,
  needsOwnCertificate,
  openOwnCertificate,
  renewOwnCertificate,
} from './cli/own-certificate.ts';
import { isAnyAddress, ownCertificateHint, phoneUrlOf, type PhoneUrl } from './cli/phone-address.ts';
import { settingName, settingToGive } from './cli/usage.ts';
import type { TlsCredentials } from './http/http-server.ts';
import { createAccount } from './auth/new-account.ts';
import { defaultLogLevel, openLog, type Log } from './observe/log.ts';
import { openLogWriter, type LogWriter } from './observe/log-writer.ts';
import { DataFolderUnusable } from './store/sqlite/data-folder.ts';
import { StoreUnavailable } from './store/store.ts';
import type { StoredCertificate } from './tls/stored-certificate.ts';

const builtWebDir = fileURLToPath(new URL('../dist', import.meta.url));
const builtGuideDir = fileURLToPath(new URL('../site', import.meta.url));
const stopSignals = ['SIGTERM', 'SIGINT'] as const;

const environmentResult = readEnvironment(process.env);
if (environmentResult.ok) await serve(environmentResult.settings);
else fail(...environmentResult.problems);

async function serve(settings: Settings): Promise<void> {
  // The log goes to stderr, since the greeting goes to stdout.
  const logWriter = openLogWriter(process.stderr.fd);
  const log = openLog(settings.logLevel ?? defaultLogLevel(process.stderr.isTTY), logWriter);
  // A starting server has no requests to finish, so a signal ends the process at once.
  const leave = () => process.exit(0);
  for (const signal of stopSignals) process.once(signal, leave);
  const started = await startServer(settings, log).catch((error: unknown) => fail(startErrorText(error, settings)));
  if (!started) return;
  const { server, stored } = started;
  if (stored) renewOwnCertificate({ ...ownCertificateOptions(settings), stored, onRenewed: server.renewTls });
  for (const signal of stopSignals) process.off(signal, leave).once(signal, () => void stopServer(server, logWriter));
  const isFirstStart = settings.databaseUrl === undefined && (await server.store.isEmpty());
  const apiKey = isFirstStart
    ? (await createAccount(server, { name: 'First account', plan: 'team' })).api_key
    : undefined;
  const isEmbedded = settings.databaseUrl === undefined;
  const link = isEmbedded
    ? await firstPhonePairingText(server, {
        ...urlForPhones(server, settings, stored),
        own: urlForThisComputer(server, settings),
        hasDesk: existsSync(join(settings.webDir ?? builtWebDir, 'desk.html')),
      })
    : '';
  console.log(`${greetingText(server, settings, apiKey)}\n${link}`);
}

interface StartedServer {
  server: RunningServer;
  /**
   * The certificate that the server made for itself. undefined if the server uses another certificate or plain HTTP.
   */
  stored: StoredCertificate | undefined;
}

async function startServer(settings: Settings, log: Log): Promise<StartedServer> {
  const stored = needsOwnCertificate(settings) ? await openOwnCertificate(ownCertificateOptions(settings)) : undefined;
  const server = await openServer({
    ...settings,
    tls: stored?.server ?? readTlsCredentials(settings),
    authorityCert: stored?.authority.cert,
    accountLimits: { storedBytesMax: settings.storedBytesMax, photoBytesMax: settings.photoBytesMax },
    sharesPhotos: settings.sharesPhotos,
    photoBucket: photoBucketOf(settings),
    billing: billingSettingsOf(settings),
    log,
    webDir: settings.webDir ?? builtWebDir,
    guideDir: builtGuideDir,
  });
  return { server, stored };
}

function ownCertificateOptions(settings: Settings) {
  return { dataDir: settings.dataDir, readNames: () => certificateNamesOf(settings) };
}

function readTlsCredentials({ tlsCert, tlsKey }: Settings): TlsCredentials | undefined {
  if (tlsCert === undefined || tlsKey === undefined) return undefined;
  try {
    const tls = { cert: readFileSync(tlsCert, 'utf8'), key: readFileSync(tlsKey, 'utf8') };
    createSecureContext(tls);
    return tls;
  } catch (error) {
    throw new Error(`TLS_CERT and TLS_KEY do not work: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  }
}

/**
 * Returns the URL for a browser on this computer. If `isTrusted` is false, `curl` may refuse the certificate at this
 * URL. `isTrusted` is true for plain HTTP, and for the certificate that the operator set for `PUBLIC_URL`.
 */
function urlForThisComputer({ url, port }: RunningServer, { host, publicUrl, tlsCert }: Settings): LocalUrl {
  if (publicUrl !== undefined && tlsCert !== undefined) return { url: publicUrl, isTrusted: true };
  const { protocol } = new URL(url);
  return { url: isAnyAddress(host) ? `${protocol}//localhost:${port}` : url, isTrusted: protocol === 'http:' };
}

/** Returns the URL for phones. If the server made its own certificate, `hint` also says how a phone installs it. */
function urlForPhones(
  { url, port }: RunningServer,
  { host, publicUrl }: Settings,
  stored: StoredCertificate | undefined,
): PhoneUrl {
  const opened =
    publicUrl === undefined
      ? phoneUrlOf({ url, host, port }, networkInterfaces())
      : { url: publicUrl, isForPhones: true, hint: '' };
  if (!stored) return opened;
  const fingerprint = authorityFingerprintOf(stored);
  return { ...opened, hint: opened.hint + ownCertificateHint({ url: opened.url, fingerprint, names: stored.names }) };
}

async function stopServer(server: RunningServer, logWriter: LogWriter): Promise<void> {
  await server.close();
  await logWriter.flush();
  process.exit(0);
}

function startErrorText(error: unknown, { host, port, databaseUrl, dataDir }: Settings): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (error instanceof DataFolderUnusable) return `${settingName('DATA_DIR')} ${error.message}`;
  if (code === 'EADDRINUSE')
    return `port ${port} of ${host} is in use; choose another one with ${settingToGive('PORT')}`;
  if (code === 'EACCES') return `no permission to listen on port ${port} or to write to ${dataDir}`;
  if (code === 'ENOTFOUND' || code === 'EADDRNOTAVAIL')
    return `${settingName('HOST')} ${host} is no address of this machine`;
  if (code === 'ERR_INVALID_URL' && databaseUrl !== undefined) return 'DATABASE_URL is not a valid URL';
  const what = databaseUrl === undefined ? `the database in ${dataDir}` : 'the database at DATABASE_URL';
  if (error instanceof StoreUnavailable) return `${what} cannot be reached: ${error.message}`;
  return `cannot start: ${error instanceof Error ? error.message : String(error)}`;
}

function greetingText(server: RunningServer, settings: Settings, apiKey: string | undefined): string {
  const { databaseUrl, dataDir, adminToken, s3Url } = settings;
  const lines = [
    '',
    `  Gemba is listening on ${server.url}`,
    `  Database   ${databaseUrl === undefined ? `embedded, in ${dataDir}` : 'PostgreSQL'}`,
    `  Operator   ${adminToken === undefined ? 'no GEMBA_ADMIN_TOKEN, so no operator routes' : 'GEMBA_ADMIN_TOKEN is set'}`,
  ];
  if (settings.stripeSecretKey !== undefined) lines.push(`  Billing    by Stripe`);
  if (s3Url) lines.push(`  Photos     in the bucket ${s3Url.bucket} at ${s3Url.origin}`);
  if (apiKey !== undefined) {
    const own = urlForThisComputer(server, settings);
    lines.push(
      '',
      '  A first account was made. This is its API key; it is not shown again:',
      `    ${apiKey}`,
      '',
      '  Make a map:',
      ...curlLines(own, { path: 'maps', token: apiKey, body: { name: 'Order to delivery' } }),
    );
  }
  return [...lines, ''].join('\n');
}
