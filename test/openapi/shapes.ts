/** The parts of the document that the reference reads. */
import type { ApiDocument } from '../../server/openapi/document.ts';

export interface Schema {
  $ref?: string;
  type?: string;
  format?: string;
  description?: string;
  deprecated?: boolean;
  const?: unknown;
  enum?: string[];
  anyOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
}

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required: boolean;
  description: string;
  schema: Schema;
}

export interface Content {
  schema: Schema;
  examples?: Record<string, { summary: string; value: unknown }>;
}

export interface DocumentedResponse {
  description: string;
  headers?: Record<string, unknown>;
  content?: Record<string, Content>;
}

interface Operation {
  operationId: string;
  tags: string[];
  summary: string;
  description: string;
  security: Record<string, string[]>[];
  parameters?: Parameter[];
  requestBody?: { content: Record<string, Content> };
  responses: Record<string, DocumentedResponse>;
}

export interface OperationAddress {
  method: string;
  path: string;
  operation: Operation;
}

export function placesOf(document: ApiDocument): OperationAddress[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => {
      return { method: method.toUpperCase(), path, operation: operation as unknown as Operation };
    }),
  );
}

/** Returns what a `$ref` refers to; anything else unchanged. */
export function resolved<Thing>(document: ApiDocument, thing: Thing | { $ref: string }): Thing {
  const ref = (thing as { $ref?: string }).$ref;
  if (ref === undefined) return thing as Thing;
  const [, , kind = '', name = ''] = ref.split('/');
  return document.components[kind]?.[name] as Thing;
}

export const refName = (schema: Schema): string | undefined => schema.$ref?.split('/').at(-1);
