/**
 * Generates the code that a device needs from the schemas: compiled validators, since a strict CSP forbids ajv's `new
 * Function`, and plain JSON for RxDB, so that the app bundles no schema library. It also generates oxlint's rules from
 * the table of zones, and the embedded store's schema for readers.
 *
 * `npm run generate` writes the files. With `--check`, it fails if they are stale.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { _, Ajv } from 'ajv';

import standaloneModule from 'ajv/dist/standalone/index.js';
import { customKeywords, type ListLimits } from '../shared/schema/field-errors.ts';
import { isInstant } from '../shared/schema/instant.ts';
import { Closed, NameInput } from '../shared/schema/fields.ts';
import { mutationArgs } from '../shared/schema/mutation.ts';
import { RecordingBody, RecordingStep } from '../shared/schema/recording.ts';
import { FullMap } from '../shared/schema/map.ts';
import { CompareRequest, RunDoc } from '../shared/schema/run.ts';
import { embeddedSchema } from './embedded-schema.ts';
import { rxdbFields } from './rxdb-fields.ts';
import { zoneRules } from './zone-rules.ts';
import { TapBody, OutboxBody, RecordBody } from '../client/storage/row-shapes.ts';
import { PhotoBody, PhotoBytesBody } from '../client/photos/row-shapes.ts';
import { CarriedBody, HandOverBody } from '../client/storage/relay-row-shapes.ts';

const generateValidatorModule = standaloneModule as unknown as (ajv: Ajv, exports: Record<string, string>) => string;

/** The recorder needs these schemas, and loads no others before the first tap. */
const { stage_name, work_type, notes, interruption } = RecordingStep.properties;
const recorderSchemas = {
  tapped_step: Closed({ stage_name, work_type, notes, interruption }),
  new_map: Closed({ name: NameInput }),
};
/** These schemas get a file of their own, which a device loads at its first mutation other than a recording. */
const mutationSchemas = { ...mutationArgs, recording: RecordingBody, recording_step: RecordingStep };
/** This schema gets a file of its own, which a device loads at its first comparison. */
const comparisonSchemas = { compare: CompareRequest };

/** Keywords that only the API document needs. */
const documentKeywords = ['title', 'description', 'meaning', 'deprecated'];

const generatedFileHeader = `// Made by \`npm run generate\` from the schemas in shared/schema and client/storage/row-shapes.ts.\n`;

const contentByFile: Record<string, string> = {
  'client/generated/recorder-validators.js': `${generatedFileHeader}// @ts-nocheck\n${validatorCode(recorderSchemas, { messages: false })}`,
  'client/generated/recorder-validators.d.ts': `${generatedFileHeader}${validatorTypes(recorderSchemas)}`,
  'client/generated/mutation-validators.js': `${generatedFileHeader}// @ts-nocheck\nimport { isInstant } from '../../shared/schema/instant.ts';\n${validatorCode(mutationSchemas)}${listLimitsCode(mutationSchemas)}`,
  'client/generated/mutation-validators.d.ts': `${generatedFileHeader}${validatorTypes(mutationSchemas)}${listLimitsTypes(mutationSchemas)}`,
  'client/generated/compare-validator.js': `${generatedFileHeader}// @ts-nocheck\n${validatorCode(comparisonSchemas)}${listLimitsCode(comparisonSchemas)}`,
  'client/generated/compare-validator.d.ts': `${generatedFileHeader}${validatorTypes(comparisonSchemas)}${listLimitsTypes(comparisonSchemas)}`,
  'client/generated/row-schemas.ts': `${generatedFileHeader}${rowSchemaCode({ recordBody: RecordBody, outboxBody: OutboxBody, draftBody: TapBody })}`,
  'client/generated/relay-row-schemas.ts': `${generatedFileHeader}${rowSchemaCode({ carriedBody: CarriedBody, handOverBody: HandOverBody })}`,
  'client/generated/photo-row-schemas.ts': `${generatedFileHeader}${rowSchemaCode({ photoBody: PhotoBody, photoBytesBody: PhotoBytesBody })}`,
  'client/generated/rxdb-fields.ts': `${generatedFileHeader}${rxdbFields({ mapFields: FullMap, runFields: RunDoc })}`,
  '.oxlint-zones.json': zoneRules(),
  'docs/embedded-schema.sql': await embeddedSchema(),
};

/** Without Ajv's `messages`, each field needs our keyword `expected`, which completes the message "must be ...". */
function validatorCode(schemas: Record<string, object>, { messages = true } = {}): string {
  const ajv = new Ajv({
    messages,
    allErrors: true,
    verbose: true,
    keywords: customKeywords,
    unevaluated: false,
    inlineRefs: false,
    formats: { instant: isInstant },
    code: { source: true, esm: true, formats: _`{ instant: isInstant }` },
  });
  for (const [name, schema] of Object.entries(schemas)) ajv.addSchema(withSharedStep(name, schema), name);
  return generateValidatorModule(ajv, Object.fromEntries(Object.keys(schemas).map((name) => [name, name])));
}

/** Replaces the schema of a step by a reference, so that the generated code has this schema only once. */
function withSharedStep(name: string, schema: object): object {
  if (name === 'recording_step') return JSON.parse(jsonWithout(schema, documentKeywords)) as object;
  const step = jsonWithout(RecordingStep, documentKeywords);
  return JSON.parse(
    jsonWithout(schema, documentKeywords).replaceAll(step, JSON.stringify({ $ref: 'recording_step' })),
  ) as object;
}

/**
 * Returns a schema as JSON without the given keywords. A field whose name is a keyword stays, since the field's value
 * is an object.
 */
function jsonWithout(schema: unknown, keywords: readonly string[]): string {
  return JSON.stringify(schema, (key, value: unknown) =>
    typeof value !== 'object' && keywords.includes(key) ? undefined : value,
  );
}

/** Generates the limits of the lists in each schema, which a device checks before the validator runs. */
function listLimitsCode(schemas: Record<string, object>): string {
  const lists = Object.entries(schemas).map(([name, schema]) => [name, listLimitsOf(schema)] as const);
  return `export const lists = ${JSON.stringify(Object.fromEntries(lists))};\n`;
}

interface ObjectSchema {
  properties?: Record<string, { maxItems?: number; items?: ObjectSchema }>;
}

function listLimitsOf({ properties = {} }: ObjectSchema): ListLimits | undefined {
  const lists = Object.entries(properties).flatMap(([field, { maxItems, items = {} }]) => {
    if (maxItems === undefined) return [];
    const each = listLimitsOf(items);
    return [[field, { entriesMax: maxItems, ...(each && { each }) }] as const];
  });
  return lists.length === 0 ? undefined : Object.fromEntries(lists);
}

function validatorTypes(schemas: Record<string, object>): string {
  const lines = Object.keys(schemas).map((name) => `export const ${name}: ValidateFunction;`);
  return `import type { ValidateFunction } from 'ajv';\n${lines.join('\n')}\n`;
}

function listLimitsTypes(schemas: Record<string, object>): string {
  const fields = Object.keys(schemas).map((name) => `  ${name}?: ListLimits;`);
  const type = "import type { ListLimits } from '../../shared/schema/field-errors.ts';";
  return `${type}\nexport const lists: {\n${fields.join('\n')}\n};\n`;
}

function rowSchemaCode(schemas: Record<string, object>): string {
  // Leaves out our format and our keywords: a program that embeds the engine may validate its rows with another
  // validator.
  const json = (schema: unknown) => jsonWithout(schema, [...documentKeywords, ...customKeywords, 'format']);
  const lines = Object.entries(schemas).map(([name, schema]) => `export const ${name} = ${json(schema)};`);
  return `${lines.join('\n')}\n`;
}

const staleFiles: string[] = [];
for (const [name, code] of Object.entries(contentByFile)) {
  const path = new URL(`../${name}`, import.meta.url);
  if (!process.argv.includes('--check')) writeFileSync(path, code);
  else if (readFileSync(path, 'utf8') !== code) staleFiles.push(name);
}
if (staleFiles.length > 0) {
  console.error(`stale: ${staleFiles.join(', ')}; run npm run generate`);
  process.exitCode = 1;
}
