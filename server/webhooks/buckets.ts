/** Divides the accounts into buckets. Each process leases some buckets, and delivers the webhooks of their accounts. */
import { createHash } from 'node:crypto';

export const accountBucketCount = 64;

export const accountBucketOf = (accountId: string): number =>
  createHash('sha256').update(accountId).digest().readUInt32BE(0) % accountBucketCount;
