/**
 * The classes of requests and responses. Express gives each message the prototype of its app. V8 drops what it has learned
 * about an object whose prototype changes, which took two thirds of Express's time. Node therefore makes the messages with
 * that prototype from the start, and the change has nothing to do.
 */
import { IncomingMessage, ServerResponse } from 'node:http';
import type { Express } from 'express';

export interface MessageTypes {
  IncomingMessage: typeof IncomingMessage;
  ServerResponse: typeof ServerResponse;
}

export function createMessageTypes(): MessageTypes {
  return {
    IncomingMessage: class extends IncomingMessage {},
    ServerResponse: class<Request extends IncomingMessage = IncomingMessage> extends ServerResponse<Request> {},
  };
}

/** Makes the app handle messages of these types. Of several apps with the same types, the last is `req.app`. */
export function useMessageTypes(app: Express, types: MessageTypes): void {
  app.request = adoptPrototype(types.IncomingMessage.prototype, app.request);
  app.response = adoptPrototype(types.ServerResponse.prototype, app.response);
}

/** Puts the methods of Express between a type and Node's own type. */
function adoptPrototype<Methods extends object>(prototype: object, methods: Methods): Methods {
  return Object.setPrototypeOf(prototype, methods);
}
