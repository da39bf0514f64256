/** Bytes as the RFCs print them. */
import type { Bytes } from '../../../shared/relay/byte-reader.ts';

export const fromHex = (hex: string): Bytes => Uint8Array.from(Buffer.from(hex, 'hex'));
export const toHex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
