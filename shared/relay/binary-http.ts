/**
 * Encodes HTTP requests and responses as bytes: Binary HTTP (RFC 9292) in the form with known lengths. This is the
 * content of sealed messages. The indeterminate-length form counts as malformed, since the relay sends none.
 */
import {
  ByteReader,
  concat,
  decodeOrUndefined,
  throwMalformed,
  lengthPrefixed,
  utf8,
  varint,
  type Bytes,
} from './byte-reader.ts';

export type HttpField = readonly [name: string, value: string];

interface HttpMessage {
  fields: readonly HttpField[];
  content: Bytes;
  trailers?: readonly HttpField[];
}

export interface BinaryRequest extends HttpMessage {
  method: string;
  scheme: string;
  authority: string;
  path: string;
}

export interface BinaryResponse extends HttpMessage {
  status: number;
}

const requestFraming = 0;
const responseFraming = 1;
const fieldsMax = 64;
/** How many interim responses (1xx) may come before the final response. */
const interimResponsesMax = 8;

export function encodeRequest({ method, scheme, authority, path, ...message }: BinaryRequest): Bytes {
  const control = [method, scheme, authority, path].map((text) => lengthPrefixed(utf8(text)));
  return concat(varint(requestFraming), ...control, ...messageParts(message));
}

export function encodeResponse({ status, ...message }: BinaryResponse): Bytes {
  return concat(varint(responseFraming), varint(status), ...messageParts(message));
}

/**
 * Returns undefined if the bytes are no request with known lengths, or contain a character that HTTP forbids at its
 * place.
 */
export function decodeRequest(bytes: Bytes): BinaryRequest | undefined {
  return decodeOrUndefined(() => {
    const reader = new ByteReader(bytes);
    if (reader.varint() !== requestFraming) throwMalformed('this is no request with known lengths');
    const method = decodeText(reader.lengthPrefixed(), methodPattern);
    const scheme = decodeText(reader.lengthPrefixed(), schemePattern);
    const authority = decodeText(reader.lengthPrefixed(), targetPattern);
    const path = decodeText(reader.lengthPrefixed(), pathPattern);
    return { method, scheme, authority, path, ...readMessage(reader) };
  });
}

/** Returns undefined if the bytes are no response in the form "known length" of RFC 9292. */
export function decodeResponse(bytes: Bytes): BinaryResponse | undefined {
  return decodeOrUndefined(() => {
    const reader = new ByteReader(bytes);
    if (reader.varint() !== responseFraming) throwMalformed('this is no response with known lengths');
    for (let interim = 0; interim <= interimResponsesMax; interim++) {
      const status = reader.varint();
      if (status < 100 || status > 599) throwMalformed('this is no status');
      if (status >= 200) return { status, ...readMessage(reader) };
      readFields(reader);
    }
    return throwMalformed('the message has too many interim responses');
  });
}

function messageParts({ fields, content, trailers = [] }: HttpMessage): Bytes[] {
  return [lengthPrefixed(encodeFields(fields)), lengthPrefixed(content), lengthPrefixed(encodeFields(trailers))];
}

function encodeFields(fields: readonly HttpField[]): Bytes {
  return concat(
    ...fields.flatMap(([name, value]) => [lengthPrefixed(utf8(name.toLowerCase())), lengthPrefixed(utf8(value))]),
  );
}

/**
 * Reads fields, content and trailers. A message may omit empty sections at its end (RFC 9292, 3.8) and end with zeros
 * as padding.
 */
function readMessage(reader: ByteReader): Required<HttpMessage> {
  const fields = readFields(reader);
  const content = reader.isAtEnd ? new Uint8Array() : reader.lengthPrefixed();
  const trailers = readFields(reader);
  // Use a loop, since `some` takes several times as long.
  for (const byte of reader.rest()) if (byte !== 0) throwMalformed('the padding is not zero');
  return { fields, content, trailers };
}

function readFields(reader: ByteReader): HttpField[] {
  if (reader.isAtEnd) return [];
  const section = new ByteReader(reader.lengthPrefixed());
  const fields: HttpField[] = [];
  while (!section.isAtEnd) {
    if (fields.length === fieldsMax) throwMalformed('the message has too many fields');
    fields.push([
      decodeText(section.lengthPrefixed(), namePattern),
      decodeText(section.lengthPrefixed(), valuePattern),
    ]);
  }
  return fields;
}

const methodPattern = /^[A-Z]{1,16}$/;
const schemePattern = /^[a-z]{1,16}$/;
const targetPattern = /^[\x21-\x7e]*$/;
const pathPattern = /^\/[\x21-\x7e]*$/;
/** Binary HTTP has field names in lower case, and no pseudo-fields among the fields. */
const namePattern = /^[a-z0-9!#$%&'*+.^_`|~-]+$/;
const valuePattern = /^(?:[\x21-\x7e](?:[\x20-\x7e\t]*[\x21-\x7e])?)?$/;

/** Decodes and checks a text. All patterns allow only ASCII, so any other byte fails the check. */
function decodeText(bytes: Bytes, pattern: RegExp): string {
  const text = new TextDecoder('latin1').decode(bytes);
  return pattern.test(text) ? text : throwMalformed('a text has characters that it must not have');
}
