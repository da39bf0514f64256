/** Normalizes the addresses in `X-Forwarded-For`, which proxies write in different forms. */
import type { RequestHandler } from 'express';
import { isIP } from 'node:net';
import { plainAddress } from './client-address.ts';

/** Must run before Express reads the client's address. Keeps text that is no address, since Express counts the entries. */
export const normalizeForwardedFor: RequestHandler = (req, _res, next) => {
  const given = req.headers['x-forwarded-for'];
  if (typeof given === 'string') {
    const addresses = given.split(',').map((address) => address.trim());
    req.headers['x-forwarded-for'] = addresses.map((address) => plainAddress(address) ?? address).join(', ');
  }
  // A client could send a new invented text with each request, and the rate limit would count each text as a new client.
  // If the header has no valid address, the request therefore counts for the address of its connection.
  const { ip, socket } = req;
  if (ip === undefined || isIP(ip) === 0) Object.defineProperty(req, 'ip', { value: socket.remoteAddress });
  next();
};
