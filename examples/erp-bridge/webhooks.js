/** Takes webhooks as Standard Webhooks 1.0 says (https://www.standardwebhooks.com). */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';

/** Gemba's bodies have at most 20 KiB. */
const bodyBytesMax = 64 * 1024;
/** A sender that goes on beyond this is cut off. */
const droppedBytesMax = 16 * 1024 * 1024;
/** An older message may be a copy that somebody sends again. */
const ageSecsMax = 5 * 60;

/**
 * Answers once the event is kept, which takes one small transaction. Without that answer the server sends it again.
 *
 * @param {{ secret: string, onEvent: (event: import('./run-table.js').Event) => void }} options
 */
export const createWebhookServer = ({ secret, onEvent }) =>
  createServer(async (request, response) => {
    try {
      const body = await readBody(request);
      if (body === undefined) return void response.writeHead(413, { Connection: 'close' }).end();
      if (!isSigned(secret, request.headers, body)) return void response.writeHead(401).end();
      onEvent(JSON.parse(body).data);
      response.writeHead(204).end();
    } catch (error) {
      console.error(error);
      response.writeHead(500).end();
    }
  });

/**
 * Tells whether one of the signatures is that of the secret, over the id, the time and the body as it came.
 *
 * @param {string} secret
 * @param {import('node:http').IncomingHttpHeaders} headers
 * @param {string} body
 */
function isSigned(secret, headers, body) {
  const [id, timestamp, signatures] = ['id', 'timestamp', 'signature'].map((name) =>
    String(headers[`webhook-${name}`]),
  );
  const ageSecs = Math.abs(Date.now() / 1000 - Number(timestamp));
  if (!(ageSecs <= ageSecsMax)) return false;
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const expected = Buffer.from(`v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`);
  return (signatures ?? '').split(' ').some((signature) => {
    const given = Buffer.from(signature);
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}

/**
 * Returns undefined if the body is too long. Some of its rest is read and dropped, since a sender that still writes misses the
 * answer.
 *
 * @param {import('node:http').IncomingMessage} request
 */
async function readBody(request) {
  /** @type {Buffer[]} */
  const chunks = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += chunk.length;
    if (bytes <= bodyBytesMax) chunks.push(chunk);
    if (bytes > droppedBytesMax) break;
  }
  return bytes <= bodyBytesMax ? Buffer.concat(chunks).toString() : undefined;
}
