/** Normalizes the addresses in `X-Forwarded-For`, which proxies write in different forms. */
import type { RequestHandler } from 'express';
import { isIP } from 'node:net';
import { plainAddress } from './client-address.ts';

/**
 * Runs before Express reads the client's address. An invalid entry stays in the header, since Express finds the
 * client's address by its position among the entries.
 */
export const normalizeForwardedFor: RequestHandler = (req, _res, next) => {
  const given = req.headers['x-forwarded-for'];
  if (typeof given === 'string') {
    const addresses = given.split(',').map((address) => address.trim());
    req.headers['x-forwarded-for'] = addresses.map((address) => plainAddress(address) ?? address).join(', ');
  }
  // If no address in the header is valid, the request counts for the address of its connection. Otherwise each invented
  // text would count as a new client.
  const { ip, socket } = req;
  if (ip === undefined || isIP(ip) === 0) Object.defineProperty(req, 'ip', { value: socket.remoteAddress });
  next();
};
