/**
 * The classes of HTTP requests and responses. Express sets the prototype of each request to `app.request`, and of each
 * response to `app.response`. V8 drops its optimizations for an object whose prototype changes, which took two thirds
 * of Express's time. Here, Node creates the messages with these prototypes, so that Express changes nothing.
 */
import { IncomingMessage, ServerResponse } from 'node:http';
import type { Express } from 'express';

export interface MessageClasses {
  IncomingMessage: typeof IncomingMessage;
  ServerResponse: typeof ServerResponse;
}

export function createMessageClasses(): MessageClasses {
  return {
    IncomingMessage: class extends IncomingMessage {},
    ServerResponse: class<Request extends IncomingMessage = IncomingMessage> extends ServerResponse<Request> {},
  };
}

/**
 * Makes the app handle messages of these classes. If several apps share the classes, `req.app` is the last of these
 * apps.
 */
export function useMessageClasses(app: Express, types: MessageClasses): void {
  app.request = insertMethods(types.IncomingMessage.prototype, app.request);
  app.response = insertMethods(types.ServerResponse.prototype, app.response);
}

/** Inserts the methods of Express between the class and Node's own class in the prototype chain. */
function insertMethods<Methods extends object>(prototype: object, methods: Methods): Methods {
  return Object.setPrototypeOf(prototype, methods);
}
