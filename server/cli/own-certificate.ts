/** Makes, stores and renews the server's own certificate, if the server needs one. */
import { X509Certificate } from 'node:crypto';
import { hostname, networkInterfaces } from 'node:os';
import type { Settings } from '../settings.ts';
import { systemWorld } from '../core/world.ts';
import { makeDataFolder } from '../store/sqlite/data-folder.ts';
import type { CertificateAndKey } from '../tls/issue-certificate.ts';
import { loadOrMakeCertificate, type StoredCertificate } from '../tls/stored-certificate.ts';
import { listLocalNames } from '../tls/local-names.ts';
import { isLoopback } from './phone-address.ts';

type TlsSettings = Pick<Settings, 'tls' | 'tlsCert' | 'host' | 'publicUrl' | 'trustedProxies'>;

/**
 * Without TLS settings, returns true if phones can reach the server directly. A trusted proxy or a `PUBLIC_URL` means
 * that the certificate comes from elsewhere.
 */
export function needsOwnCertificate({ tls, tlsCert, host, publicUrl, trustedProxies }: TlsSettings): boolean {
  if (tls !== undefined || tlsCert !== undefined) return tls === 'self';
  return !isLoopback(host) && publicUrl === undefined && trustedProxies === undefined;
}

type NameSettings = Pick<Settings, 'host' | 'publicUrl'>;

/** Lists the names for the certificate: the names of the machine, `HOST`, and the host of `PUBLIC_URL`. */
export function certificateNamesOf({ host, publicUrl }: NameSettings): string[] {
  const publicHost = publicUrl === undefined ? [] : [new URL(publicUrl).hostname.replace(/^\[(.*)\]$/, '$1')];
  return listLocalNames({ hostname: hostname(), interfaces: networkInterfaces(), others: [host, ...publicHost] });
}

interface OwnCertificateOptions {
  dataDir: string;
  /** Called before each check, since the addresses of the machine may change. */
  readNames(): string[];
}

export function openOwnCertificate({ dataDir, readNames }: OwnCertificateOptions): Promise<StoredCertificate> {
  makeDataFolder(dataDir);
  const authorityName = `Gemba at ${hostname()}`;
  return loadOrMakeCertificate({ dataDir, world: systemWorld, names: readNames(), authorityName });
}

/** Returns the SHA-256 fingerprint of the authority. People compare it with the fingerprint that their phone shows. */
export const authorityFingerprintOf = ({ authority }: StoredCertificate): string =>
  new X509Certificate(authority.cert).fingerprint256;

interface RenewCertificateOptions extends OwnCertificateOptions {
  stored: StoredCertificate;
  intervalMs?: number;
  onRenewed(server: CertificateAndKey): void;
}

const checkIntervalMs = 60_000;

/**
 * Renews the certificate when the addresses of the machine change or the certificate expires soon. A failed check, for
 * example on a full disk, is repeated after `intervalMs`. The returned function ends the checks.
 */
export function renewOwnCertificate({
  stored,
  intervalMs = checkIntervalMs,
  onRenewed,
  ...options
}: RenewCertificateOptions): () => void {
  let current = stored.server.cert;
  const check = async () => {
    const { authority, server } = await openOwnCertificate(options);
    // Does not use a new authority yet: phones trust only the authority that they installed, and only the next start
    // shows the new authority's fingerprint.
    if (authority.cert !== stored.authority.cert || server.cert === current) return;
    current = server.cert;
    onRenewed(server);
  };
  const timer = setInterval(() => void check().catch(() => {}), intervalMs);
  timer.unref();
  return () => clearInterval(timer);
}
