/**
 * Lets go of the headers of a request and its response once a stream is open. They are two fifths of the memory of an idle
 * stream, which lasts for hours.
 */
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Request, Response } from 'express';

/** Call after the headers of the response were sent. Afterwards no middleware may read a header of the two. */
export function forgetHeaders(req: Request, res: Response): void {
  req.headers = {};
  req.rawHeaders = [];
  // Express's `next` holds the state of the router at each of its steps.
  Reflect.set(req, 'next', undefined);
  if (headersKey !== undefined) Reflect.set(res, headersKey, null);
  // Node only asks whether there is a text.
  if (typeof Reflect.get(res, headTextKey) === 'string') Reflect.set(res, headTextKey, 'sent');
}

/**
 * Node keeps the headers of a response as they were set and as the text that was sent, and has no call that drops them. In a
 * version of Node that keeps them elsewhere, they stay.
 */
const headTextKey = '_header';
const headersKey = Object.getOwnPropertySymbols(new ServerResponse(new IncomingMessage(new Socket()))).find(
  ({ description }) => description === 'kOutHeaders',
);
