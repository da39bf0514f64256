/** Decides whether the server makes its own certificate, keeps it, and renews it while the server runs. */
import { X509Certificate } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { hostname, networkInterfaces } from 'node:os';
import type { Settings } from '../environment.ts';
import { systemWorld } from '../core/world.ts';
import type { CertificateAndKey } from '../tls/issue-certificate.ts';
import { keepCertificate, type KeptCertificate } from '../tls/kept-certificate.ts';
import { localNames } from '../tls/local-names.ts';
import { isLoopback } from './phone-address.ts';

type TlsSettings = Pick<Settings, 'tls' | 'tlsCert' | 'host' | 'publicUrl' | 'trustedProxies'>;

/** A proxy, and a server with a `PUBLIC_URL`, have a certificate from elsewhere, so only `TLS=self` makes one for them. */
export function makesCertificate({ tls, tlsCert, host, publicUrl, trustedProxies }: TlsSettings): boolean {
  if (tls !== undefined || tlsCert !== undefined) return tls === 'self';
  return !isLoopback(host) && publicUrl === undefined && trustedProxies === undefined;
}

type NameSettings = Pick<Settings, 'host' | 'publicUrl'>;

/** Lists the names for the certificate: those of the machine, `HOST`, and the host of `PUBLIC_URL`. */
export function certificateNames({ host, publicUrl }: NameSettings): string[] {
  const publicHost = publicUrl === undefined ? [] : [new URL(publicUrl).hostname.replace(/^\[(.*)\]$/, '$1')];
  return localNames({ hostname: hostname(), interfaces: networkInterfaces(), others: [host, ...publicHost] });
}

interface OwnCertificateOptions {
  dataDir: string;
  /** Reads the names again at each check, since the machine may get other addresses. */
  readNames(): string[];
}

export function openOwnCertificate({ dataDir, readNames }: OwnCertificateOptions): Promise<KeptCertificate> {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const authorityName = `Gemba at ${hostname()}`;
  return keepCertificate({ dataDir, world: systemWorld, names: readNames(), authorityName });
}

/** People compare the SHA-256 fingerprint of the authority with the one that their phone shows. */
export const fingerprintOf = ({ authority }: KeptCertificate): string =>
  new X509Certificate(authority.cert).fingerprint256;

interface RenewOptions extends OwnCertificateOptions {
  kept: KeptCertificate;
  intervalMs?: number;
  onRenewed(server: CertificateAndKey): void;
}

const checkIntervalMs = 60_000;

/**
 * Renews the certificate when the machine gets other addresses or the certificate ends soon. A check that fails, for example
 * since the disk is full, is repeated by the next one. The returned function ends the checks.
 */
export function renewOwnCertificate({
  kept,
  intervalMs = checkIntervalMs,
  onRenewed,
  ...options
}: RenewOptions): () => void {
  let current = kept.server.cert;
  const check = async () => {
    const { authority, server } = await openOwnCertificate(options);
    // Phones cannot know another authority before the next start, which shows its fingerprint.
    if (authority.cert !== kept.authority.cert || server.cert === current) return;
    current = server.cert;
    onRenewed(server);
  };
  const timer = setInterval(() => void check().catch(() => {}), intervalMs);
  timer.unref();
  return () => clearInterval(timer);
}
