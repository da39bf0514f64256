import { protocolHeader, protocolVersion, protocolVersionMin } from '../../shared/protocol/version.ts';
import type { RefusedRequest } from '../core/reply.ts';

/**
 * Refuses a request without the header `Gemba-Protocol` or with a version that is too old. A newer version is
 * accepted, since the push refuses only those mutations that this server does not know.
 */
export function protocolRefusal(header: string | undefined): RefusedRequest | undefined {
  if (header === undefined || !/^\d{1,9}$/.test(header)) {
    const detail = `Send the header ${protocolHeader}: ${protocolVersion} with each sync request.`;
    return { ok: false, error: { code: 'protocol_missing', detail } };
  }
  if (Number(header) >= protocolVersionMin) return undefined;
  const detail = `This server speaks protocol ${protocolVersionMin} and newer. Update the app; unsent work stays on the device.`;
  const members = { protocol_version_min: protocolVersionMin, protocol_version: protocolVersion };
  return { ok: false, error: { code: 'protocol_too_old', detail, members } };
}
