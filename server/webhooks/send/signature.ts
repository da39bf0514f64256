/**
 * Signs deliveries by Standard Webhooks 1.0 (https://www.standardwebhooks.com). The secrets of an account's endpoints
 * are derived from one key of the server by HKDF (RFC 5869), so that none of them is stored.
 */
import { createHmac, hkdfSync } from 'node:crypto';

const secretPrefix = 'whsec_';
const secretBytes = 32;

export interface SecretId {
  accountId: string;
  webhookId: string;
  /** Grows with each new secret of the endpoint. */
  generation: number;
}

/** Returns the secret in the form that people keep: `whsec_` and base64. */
export function deriveWebhookSecret(serverKey: Uint8Array, { accountId, webhookId, generation }: SecretId): string {
  const info = `gemba webhook ${accountId} ${webhookId} ${generation}`;
  const bytes = hkdfSync('sha256', serverKey, new Uint8Array(), info, secretBytes);
  return secretPrefix + Buffer.from(bytes).toString('base64');
}

export interface SignedMessage {
  id: string;
  /** In whole seconds since 1970. */
  timestamp: number;
  body: string;
}

/** Returns the value of `webhook-signature`, with one signature for each secret. */
export function signatureHeaderOf(secrets: readonly string[], { id, timestamp, body }: SignedMessage): string {
  const content = `${id}.${timestamp}.${body}`;
  return secrets
    .map((secret) => createHmac('sha256', Buffer.from(secret.slice(secretPrefix.length), 'base64')))
    .map((hmac) => `v1,${hmac.update(content).digest('base64')}`)
    .join(' ');
}
