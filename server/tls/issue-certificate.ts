/**
 * Issues the two certificates of a server in a local network. Phones install the certificate of the authority. The
 * server proves itself with the certificate that the authority signed. PKI.js encodes both (RFC 5280;
 * docs/decisions/0039).
 */
import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  webcrypto,
  X509Certificate,
} from 'node:crypto';
import { isIP } from 'node:net';
import { BitString, Integer, OctetString, Utf8String } from 'asn1js';
import {
  AltName,
  AttributeTypeAndValue,
  AuthorityKeyIdentifier,
  BasicConstraints,
  Certificate,
  Extension,
  ExtKeyUsage,
  GeneralName,
  GeneralSubtree,
  NameConstraints,
  Time,
} from 'pkijs';
import type { World } from '../core/world.ts';
import { ipBytes, maskBytes } from './ip-bytes.ts';
import { localDomains, localSubnets } from './local-names.ts';

/** A certificate and its private key, as PEM texts. */
export interface CertificateAndKey {
  cert: string;
  key: string;
}

const dayMs = 24 * 60 * 60 * 1000;
const authorityValidityDays = 10 * 365;
/**
 * Browsers refuse a server's certificate that is valid for over 398 days, or 825 if the user installed its authority.
 */
const serverValidityDays = 397;
/** A new certificate is valid from a day before its creation, so that a phone whose clock is behind accepts it. */
const backdatedMs = dayMs;

const keyUsageBits = { digitalSignature: 0x80, keyCertSign: 0x04 } as const;
const oids = {
  commonName: '2.5.4.3',
  subjectKeyIdentifier: '2.5.29.14',
  keyUsage: '2.5.29.15',
  subjectAltName: '2.5.29.17',
  basicConstraints: '2.5.29.19',
  nameConstraints: '2.5.29.30',
  authorityKeyIdentifier: '2.5.29.35',
  extKeyUsage: '2.5.29.37',
  serverAuth: '1.3.6.1.5.5.7.3.1',
} as const;
const generalNameTypes = { dns: 2, ip: 7 } as const;

export function makeKey(): string {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
}

/** Issues the authority's certificate, which signs itself. `name` is what a phone shows in its list of authorities. */
export async function issueAuthority(world: World, { name }: { name: string }): Promise<CertificateAndKey> {
  const key = makeKey();
  return issueCertificate(world, {
    name,
    key,
    days: authorityValidityDays,
    extensions: [
      toExtension(oids.basicConstraints, new BasicConstraints({ cA: true, pathLenConstraint: 0 }).toSchema(), true),
      toExtension(oids.keyUsage, toKeyUsage(keyUsageBits.keyCertSign), true),
      toExtension(oids.nameConstraints, localNetworkConstraints().toSchema(), true),
    ],
  });
}

export async function issueServerCertificate(
  world: World,
  { authority, key, names }: { authority: CertificateAndKey; key: string; names: readonly string[] },
): Promise<CertificateAndKey> {
  return issueCertificate(world, {
    name: 'Gemba',
    key,
    days: serverValidityDays,
    authority,
    extensions: [
      toExtension(oids.basicConstraints, new BasicConstraints({ cA: false }).toSchema(), true),
      toExtension(oids.keyUsage, toKeyUsage(keyUsageBits.digitalSignature), true),
      toExtension(oids.extKeyUsage, new ExtKeyUsage({ keyPurposes: [oids.serverAuth] }).toSchema()),
      toExtension(oids.subjectAltName, new AltName({ altNames: names.map(toGeneralName) }).toSchema()),
    ],
  });
}

interface IssueOptions {
  name: string;
  key: string;
  days: number;
  extensions: Extension[];
  /** Absent for a certificate that signs itself. */
  authority?: CertificateAndKey;
}

async function issueCertificate(
  world: World,
  { name, key, days, extensions, authority }: IssueOptions,
): Promise<CertificateAndKey> {
  const issuer = authority === undefined ? undefined : new X509Certificate(authority.cert);
  const certificate = new Certificate();
  certificate.version = 2;
  certificate.serialNumber = new Integer({ valueHex: makeSerialNumber(world) });
  certificate.subject.typesAndValues.push(toCommonName(name));
  certificate.issuer.typesAndValues.push(
    toCommonName(issuer === undefined ? name : issuer.subject.replace(/^CN=/, '')),
  );
  certificate.notBefore = toCertificateTime(world.now() - backdatedMs);
  const endsAt = world.now() + days * dayMs;
  certificate.notAfter = toCertificateTime(issuer ? Math.min(endsAt, Date.parse(issuer.validTo)) : endsAt);
  await certificate.subjectPublicKeyInfo.importKey(await importPublicKey(key));
  certificate.extensions = [
    ...extensions,
    toExtension(oids.subjectKeyIdentifier, new OctetString({ valueHex: keyIdOf(key) })),
    toExtension(
      oids.authorityKeyIdentifier,
      new AuthorityKeyIdentifier({
        keyIdentifier: new OctetString({ valueHex: keyIdOf(authority?.key ?? key) }),
      }).toSchema(),
    ),
  ];
  await certificate.sign(await importPrivateKey(authority?.key ?? key), 'SHA-256');
  const der = Buffer.from(certificate.toSchema(true).toBER());
  return { cert: new X509Certificate(der).toString(), key };
}

/**
 * A UTCTime has two digits for the year, so RFC 5280 (4.1.2.5) has a GeneralizedTime, of whole seconds, from 2050 on.
 */
function toCertificateTime(ms: number): Time {
  const value = new Date(Math.floor(ms / 1000) * 1000);
  return new Time({ type: value.getUTCFullYear() < 2050 ? utcTimeType : generalizedTimeType, value });
}
const utcTimeType = 0;
const generalizedTimeType = 1;

const serialBytes = 16;

/** Sets the highest bit to 0 and the next to 1, so that the number is positive and has its full length. */
function makeSerialNumber(world: World): ArrayBuffer {
  const bytes = Uint8Array.from(world.randomBytes(serialBytes));
  bytes[0] = ((bytes[0] ?? 0) & 0x7f) | 0x40;
  return bytes.buffer;
}

const toCommonName = (name: string): AttributeTypeAndValue =>
  new AttributeTypeAndValue({ type: oids.commonName, value: new Utf8String({ value: name }) });

interface Encodable {
  toBER(): ArrayBuffer;
}

const toExtension = (extnID: string, value: Encodable, critical = false): Extension =>
  new Extension({ extnID, critical, extnValue: value.toBER() });

/** DER leaves out the zero bits at the end, and stores how many bits of the last byte are unused (X.690, 11.2.2). */
function toKeyUsage(bits: number): BitString {
  const unusedBits = 31 - Math.clz32(bits & -bits);
  return new BitString({ valueHex: Uint8Array.of(bits).buffer, unusedBits });
}

function localNetworkConstraints(): NameConstraints {
  const bases = [
    ...localDomains.map(toGeneralName),
    ...localSubnets.map(({ address, prefix }) => {
      const bytes = ipBytes(address);
      return toIpName(Uint8Array.of(...bytes, ...maskBytes(prefix, bytes.length)));
    }),
  ];
  return new NameConstraints({ permittedSubtrees: bases.map((base) => new GeneralSubtree({ base })) });
}

const toGeneralName = (name: string): GeneralName =>
  isIP(name) === 0 ? new GeneralName({ type: generalNameTypes.dns, value: name }) : toIpName(ipBytes(name));

const toIpName = (bytes: Uint8Array): GeneralName =>
  new GeneralName({
    type: generalNameTypes.ip,
    value: new OctetString({ valueHex: Uint8Array.from(bytes).buffer }),
  });

const spkiOf = (key: string): Buffer => createPublicKey(key).export({ type: 'spki', format: 'der' });

/** RFC 5280 lets the authority choose how to identify a key. */
const keyIdOf = (key: string): ArrayBuffer =>
  Uint8Array.from(createHash('sha256').update(spkiOf(key)).digest().subarray(0, 20)).buffer;

const algorithm = { name: 'ECDSA', namedCurve: 'P-256' };

const importPublicKey = (key: string) => webcrypto.subtle.importKey('spki', spkiOf(key), algorithm, true, ['verify']);

const importPrivateKey = (key: string) =>
  webcrypto.subtle.importKey(
    'pkcs8',
    createPrivateKey(key).export({ type: 'pkcs8', format: 'der' }),
    algorithm,
    false,
    ['sign'],
  );
