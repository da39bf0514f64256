import { Type } from 'typebox';
import type { Bytes } from '../../../shared/relay/byte-reader.ts';
import {
  keyListMediaType,
  sealedAnswerMediaType,
  sealedRequestBytesMax,
  sealedRequestMediaType,
} from '../../../shared/relay/media-types.ts';
import { receiptHeader } from '../../../shared/relay/receipt.ts';
import type { RouteDocs } from '../../openapi/route-docs.ts';
import { route, type Route } from '../route.ts';
import type { BytesReply } from '../route-reply.ts';
import type { Services } from '../services.ts';
import { answerSealedRequest } from './gateway.ts';

export function relayRoutes(services: Services): Route[] {
  const keysRoute = (path: string, docs: Pick<RouteDocs, 'operationId' | 'summary' | 'description'>): Route =>
    route({
      method: 'GET',
      path,
      access: 'public',
      handle: async () => binaryReply(keyListMediaType, await services.serverKeys.publicList()),
      docs: {
        ...docs,
        tag: 'Sync',
        response: {
          status: 200,
          description: 'The newest key of each kind.',
          schema: Type.String(),
          contentType: keyListMediaType,
        },
        examples: { plain: { summary: 'The keys' } },
      },
    });
  return [
    keysRoute('/api/v1/relay/keys', {
      operationId: 'getRelayKeys',
      summary: 'Keys for sealed requests',
      description:
        'The keys to which a device seals requests that another device carries (RFC 9458): X25519 and P-256, HKDF-SHA256, AES-128-GCM and AES-256-GCM. A device takes them from the server alone, never from a carrier.',
    }),
    keysRoute('/.well-known/ohttp-gateway', {
      operationId: 'getOhttpGateway',
      summary: 'Keys for sealed requests, at the well-known path',
      description: 'The same keys where RFC 9540 looks for them.',
    }),

    route({
      method: 'POST',
      path: '/api/v1/relay',
      access: ['record'],
      binaryBody: sealedRequestMediaType,
      bodyBytesMax: sealedRequestBytesMax,
      async handle({ body, address }) {
        const answered = await answerSealedRequest(services, { sealed: body as Bytes, address });
        if (!answered.ok) return answered;
        const { sealed, receipt } = answered;
        return binaryReply(sealedAnswerMediaType, sealed, receipt === undefined ? {} : { [receiptHeader]: receipt });
      },
      docs: {
        operationId: 'relay',
        tag: 'Sync',
        summary: 'Deliver a sealed request',
        description:
          'Takes a request that another device sealed (RFC 9458), of any account of this server, and answers with a sealed answer that only this device can open. Inside may be a push, a pull, a request for runs, or the declaration, piece, offset or reading of a photo, with the own token of that device; it is checked and counted like any other. Whatever its answer is, this one is 200, unless that was 408, 429 or 5xx and not for a photo: then it is 503 with `Retry-After`, and the request may have been applied or not. The same sealed request may be sent again; it is applied once. If it was a push whose numbers are all answered, `Gemba-Receipt` has a code that a person types into that device where no answer gets back to it.',
        response: {
          status: 200,
          description: 'The sealed answer.',
          headers: [receiptHeader],
          schema: Type.String(),
          contentType: sealedAnswerMediaType,
        },
        codes: ['relay_malformed', 'relay_key_unknown'],
        examples: {},
      },
    }),
  ];
}

const binaryReply = (type: string, bytes: Bytes, headers: Record<string, string> = {}): BytesReply => ({
  ok: true,
  headers: { 'Content-Type': type, 'Cache-Control': 'no-store', ...headers },
  bytes,
});
