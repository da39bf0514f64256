import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { PullQuery, PullResponse } from '../../../shared/protocol/pull.ts';
import { PushResponse } from '../../../shared/protocol/push.ts';
import { canonicalJson } from '../../../shared/protocol/canonical-json.ts';
import { MutationEnvelope, PushRequest } from '../../../shared/protocol/push.ts';
import { protocolVersion } from '../../../shared/protocol/version.ts';
import { customKeywords } from '../../../shared/schema/field-errors.ts';
import { mutationArgs, mutationNames } from '../../../shared/schema/mutation.ts';
import { currentVersion } from '../../../shared/schema/mutation-versions.ts';
import { pinnedShapes } from './shapes.ts';

const words = ['title', 'description', ...customKeywords];

/** Hashes a schema without its descriptions, which may change. */
function shapeOf(schema: unknown): string {
  const bare = JSON.parse(
    JSON.stringify(schema, (key, value: unknown) =>
      words.includes(key) && typeof value === 'string' ? undefined : value,
    ),
  ) as unknown;
  return createHash('sha256').update(canonicalJson(bare)).digest('hex').slice(0, 16);
}

const protocolSchemas = { PushRequest, MutationEnvelope, PushResponse, PullQuery, PullResponse };

test.each(mutationNames)(
  '[VERSION-3] the shape of %s is the one that devices in the field know by its version',
  (name) => {
    const key = `${name} ${currentVersion(name)}`;
    expect(
      { [key]: shapeOf(mutationArgs[name]) },
      `The args of ${name} have another shape than version ${currentVersion(name)} had. Devices that were offline for months
send the old one. Does each args of old fit the new shape and mean the same (a new field is optional)? Then write the new
hash into test/house/spec/shapes.ts. Otherwise add an upcaster to shared/schema/mutation-versions.ts, with a test, and a new line
to test/house/spec/shapes.ts: the old line stays.`,
    ).toEqual({ [key]: pinnedShapes.mutations[key] });
  },
);

test.each(Object.entries(protocolSchemas))(
  '[VERSION-3] the shape of %s is that of its protocol version',
  (name, schema) => {
    const key = `${name} ${protocolVersion}`;
    expect(
      { [key]: shapeOf(schema) },
      `${name} has another shape than protocol ${protocolVersion} had. Can older devices and older servers still read it (a new
field of a request is optional, one of an answer may be left unread)? Then write the new hash into test/house/spec/shapes.ts.
Otherwise raise protocolVersion in shared/protocol/version.ts, keep what the server took before, and add new lines.`,
    ).toEqual({ [key]: pinnedShapes.protocol[key] });
  },
);
