/** Divides the accounts into buckets. Each process leases some buckets, and delivers the webhooks of their accounts. */
import { createHash } from 'node:crypto';

export const bucketCount = 64;

export const bucketOf = (accountId: string): number =>
  createHash('sha256').update(accountId).digest().readUInt32BE(0) % bucketCount;
