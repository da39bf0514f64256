/** Normalizes the addresses in `X-Forwarded-For`, which proxies write in different forms. */
import type { RequestHandler } from 'express';
import { isIP } from 'node:net';
import { plainAddress } from './client-address.ts';

/**
 * Rewrites the header before Express reads the client's address from it. Text that is no address stays in its place.
 */
export const readForwardedFor: RequestHandler = (req, _res, next) => {
  const given = req.headers['x-forwarded-for'];
  if (typeof given === 'string') {
    const addresses = given.split(',').map((address) => address.trim());
    req.headers['x-forwarded-for'] = addresses.map((address) => plainAddress(address) ?? address).join(', ');
  }
  // If the header gives no valid address, the request counts for the address of its connection. Invented text would
  // otherwise count as a client of its own.
  const { ip, socket } = req;
  if (ip === undefined || isIP(ip) === 0) Object.defineProperty(req, 'ip', { value: socket.remoteAddress });
  next();
};
