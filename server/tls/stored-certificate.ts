/**
 * Stores two certificates and their private keys in one file that only its owner may read: the certificate of the
 * server, and the certificate of the authority that signs it. A renewal replaces only the server's certificate, so that
 * phones that installed the authority trust the new certificate, too. Only an authority that expires soon is replaced:
 * phones would have to install a new authority. If the machine's clock is behind, the authority is not valid yet, but
 * stays. A clock that is far ahead replaces the authority, so the old file is kept under another name.
 */
import { X509Certificate } from 'node:crypto';
import { chmodSync, copyFileSync, linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createSecureContext } from 'node:tls';
import { assert } from '../../shared/domain/assert.ts';
import { isoNow, randomUuid, type World } from '../core/world.ts';
import type { CertificateAndKey } from './issue-certificate.ts';

export interface StoredCertificate {
  authority: CertificateAndKey;
  server: CertificateAndKey;
  /** The addresses and names in the server's certificate. */
  names: readonly string[];
}

export const certificateFileName = 'https.json';

const dayMs = 24 * 60 * 60 * 1000;
/** Both certificates are renewed this long before they expire. */
const renewalMsBeforeEnd = 30 * dayMs;

interface CertificateOptions {
  /** The folder must exist. */
  dataDir: string;
  world: World;
  names: readonly string[];
  /** The name that a phone shows for the authority. */
  authorityName: string;
}

/**
 * Returns the stored certificates. Makes new ones if there are none, or if they expire soon or have other names. Throws
 * if the file is damaged, or cannot be read or written.
 */
export async function loadOrMakeCertificate({
  dataDir,
  world,
  names,
  authorityName,
}: CertificateOptions): Promise<StoredCertificate> {
  const file = join(dataDir, certificateFileName);
  const stored = readCertificateFile(file);
  const keepsAuthority = stored !== undefined && !expiresSoon(stored.authority, world);
  const keepsServer = stored !== undefined && isValidYet(stored.server, world) && !expiresSoon(stored.server, world);
  if (keepsAuthority && keepsServer && isSameList(stored.names, names)) return stored;
  // Load the code that makes certificates only now: it is a quarter of the server's code, and most starts need none of
  // it.
  const { issueAuthority, issueServerCertificate, makeKey } = await import('./issue-certificate.ts');
  if (keepsAuthority) {
    const server = await issueServerCertificate(world, { authority: stored.authority, key: stored.server.key, names });
    return writeCertificateFile(file, { ...stored, server, names }, world);
  }
  if (stored) copyFileSync(file, `${file}.until-${isoNow(world).slice(0, 10)}`);
  const authority = await issueAuthority(world, { name: `${authorityName} ${isoNow(world).slice(0, 10)}` });
  const server = await issueServerCertificate(world, { authority, key: stored?.server.key ?? makeKey(), names });
  return writeCertificateFile(file, { authority, server, names }, world, { isFirst: stored === undefined });
}

const isValidYet = ({ cert }: CertificateAndKey, world: World): boolean =>
  Date.parse(new X509Certificate(cert).validFrom) <= world.now();

const expiresSoon = ({ cert }: CertificateAndKey, world: World): boolean =>
  world.now() >= Date.parse(new X509Certificate(cert).validTo) - renewalMsBeforeEnd;

const isSameList = (one: readonly string[], other: readonly string[]): boolean => one.join() === other.join();

function readCertificateFile(file: string): StoredCertificate | undefined {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
  try {
    const stored = JSON.parse(text) as StoredCertificate;
    // Throws if a certificate does not belong to its key.
    for (const { cert, key } of [stored.authority, stored.server]) createSecureContext({ cert, key });
    assert(Array.isArray(stored.names), 'the names are a list');
    chmodSync(file, privateFileMode);
    return stored;
  } catch (error) {
    throw new Error(`${file} is damaged: move it away, and the server makes another one`, { cause: error });
  }
}

const privateFileMode = 0o600;

/**
 * Writes the file in one step. If two servers write the first file at once, both use the file that was written first.
 */
function writeCertificateFile(
  file: string,
  stored: StoredCertificate,
  world: World,
  { isFirst = false } = {},
): StoredCertificate {
  const partial = `${file}.${randomUuid(world)}`;
  writeFileSync(partial, `${JSON.stringify(stored, null, 2)}\n`, { mode: privateFileMode, flag: 'wx', flush: true });
  try {
    if (isFirst) linkSync(partial, file);
    else renameSync(partial, file);
    return stored;
  } catch (error) {
    const other = isFirst ? readCertificateFile(file) : undefined;
    if (other === undefined) throw error;
    return other;
  } finally {
    rmSync(partial, { force: true });
  }
}
