/** Reads the addresses of `X-Forwarded-For` as they are meant, whatever proxy wrote them. */
import type { RequestHandler } from 'express';
import { isIP } from 'node:net';
import { plainAddress } from './client-address.ts';

/** For Express, which looks for the client among them. What is no address stays, and stands for nobody. */
export const readForwardedFor: RequestHandler = (req, _res, next) => {
  const given = req.headers['x-forwarded-for'];
  if (typeof given === 'string') {
    const addresses = given.split(',').map((address) => address.trim());
    req.headers['x-forwarded-for'] = addresses.map((address) => plainAddress(address) ?? address).join(', ');
  }
  // A word that is no address would be a client of its own: then the connection's own address counts.
  const { ip, socket } = req;
  if (ip === undefined || isIP(ip) === 0) Object.defineProperty(req, 'ip', { value: socket.remoteAddress });
  next();
};
