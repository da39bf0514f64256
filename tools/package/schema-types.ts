/**
 * Writes the types of the JSON Schemas as plain interfaces with their descriptions, since TypeBox's types must not be part
 * of the package.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { compile, type JSONSchema } from 'json-schema-to-typescript';
import { unexported } from './foreign-types.ts';

type Schema = Record<string, unknown>;

/** Matches what tsc writes for `Static<typeof Name>`, with and without an alias of the same name. */
const staticAlias = /^export type (\w+) = Static<typeof \1>;$/gm;
const staticUse = /\bStatic<typeof (\w+)>/g;

/** Replaces TypeBox's types in the declarations that `tsc` wrote for `sourceRoot` into `folder`. */
export async function replaceSchemaTypes(folder: string, sourceRoot: string): Promise<void> {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.d.ts'))
    .map((name) => ({ name, text: readFileSync(join(folder, name), 'utf8') }))
    .filter(({ text }) => text.includes("from 'typebox'"));
  const schemas = await schemasOf(files, sourceRoot);
  const typesFile = join(folder, 'schema-types.d.ts');
  writeFileSync(typesFile, (await interfacesOf(schemas)) + missing(files, schemas));
  for (const { name, text } of files) {
    const path = relative(dirname(join(folder, name)), typesFile)
      .replaceAll('\\', '/')
      .replace(/\.d\.ts$/, '.js');
    const from = path.startsWith('.') ? path : `./${path}`;
    const module = (await import(join(sourceRoot, name.replace(/\.d\.ts$/, '.ts')))) as Record<string, Schema>;
    writeFileSync(join(folder, name), withoutStatic(withKeys(text, module), from));
  }
}

interface Declarations {
  name: string;
  text: string;
}

/** Loads the modules, and collects each exported schema whose type is used. */
async function schemasOf(files: Declarations[], sourceRoot: string): Promise<Map<string, Schema>> {
  const schemas = new Map<string, Schema>();
  for (const { name, text } of files) {
    for (const [, schemaName] of text.matchAll(staticUse)) {
      const path = join(sourceRoot, dirname(name), originOf(text, schemaName!) ?? basename(name));
      const module = (await import(path.replace(/\.d\.ts$/, '.ts'))) as Record<string, Schema>;
      const schema = module[schemaName!];
      // A schema that is not exported has no public type.
      if (schema === undefined) continue;
      const other = schemas.get(schemaName!);
      if (other !== undefined && other !== schema) throw new Error(`Two schemas are called ${schemaName}`);
      schemas.set(schemaName!, schema);
    }
  }
  return schemas;
}

/** The module from which a declaration imports a name. */
const originOf = (text: string, name: string): string | undefined =>
  new RegExp(`^import (?:type )?\\{[^}]*\\b${name}\\b[^}]*\\} from '(.*)';$`, 'm').exec(text)?.[1];

async function interfacesOf(schemas: ReadonlyMap<string, Schema>): Promise<string> {
  const names = new Map([...schemas].map(([name, schema]) => [schema, name]));
  const definitions = Object.fromEntries([...schemas].map(([name, schema]) => [name, plainSchema(schema, names)]));
  const all: JSONSchema = { title: 'Schemas', type: 'object', additionalProperties: false, definitions } as JSONSchema;
  const text = await compile(all, 'Schemas', {
    bannerComment: '',
    additionalProperties: false,
    ignoreMinAndMaxItems: true,
    unreachableDefinitions: true,
    format: false,
  });
  return text.replaceAll(referenceNote, '');
}

/** The generator adds this to each description. */
const referenceNote =
  /^ \* This interface was referenced by `Schemas`'s JSON-Schema\n \* via the `definition` ".*"\.\n/gm;

/** Copies a schema without titles, which would name types, and with a reference where it contains another one of `names`. */
function plainSchema(schema: Schema, names: ReadonlyMap<unknown, string>): Schema {
  const copy = (value: unknown): unknown => {
    const name = names.get(value);
    if (name !== undefined) return { $ref: `#/definitions/${name}` };
    if (Array.isArray(value)) return value.map(copy);
    if (typeof value !== 'object' || value === null) return value;
    return copyFields(value);
  };
  const copyFields = (value: object) =>
    Object.fromEntries(
      Object.entries(value)
        .filter(([key, field]) => key !== 'title' || typeof field !== 'string')
        .map(([key, field]) => [key, copy(field)]),
    );
  return copyFields(schema);
}

function missing(files: Declarations[], schemas: ReadonlyMap<string, Schema>): string {
  const used = files.flatMap(({ text }) => [...text.matchAll(staticUse)].map(([, name]) => name!));
  return [...new Set(used)]
    .filter((name) => !schemas.has(name))
    .map((name) => `export type ${name} = { ${unexported}: '${name}' };\n`)
    .join('');
}

/** Imports the types of schemas from `from`, and leaves out the schemas themselves. */
function withoutStatic(text: string, from: string): string {
  const imported = new Set<string>();
  const aliases = new Set<string>();
  const aliased = text.replaceAll(staticAlias, (_, name: string) => {
    aliases.add(name);
    return '';
  });
  const used = aliased.replaceAll(staticUse, (_, name: string) => {
    imported.add(name);
    return `Schema${name}`;
  });
  const own = [...new Set([...aliases])];
  const lines = [
    ...own.map((name) => `import type { ${name} } from '${from}';`),
    ...(own.length > 0 ? [`export type { ${own.join(', ')} };`] : []),
    ...[...imported].map((name) => `import type { ${name} as Schema${name} } from '${from}';`),
  ];
  return withoutSchemas(`${lines.join('\n')}\n${used}`);
}

/** A schema and its type have one name, and only the type is public. */
function withoutSchemas(text: string): string {
  const types = [...text.matchAll(/^export (?:declare )?(?:type|interface) (\w+)|^import type \{ (\w+) \} from/gm)];
  const names = types.map(([, declared, imported]) => declared ?? imported!);
  return names.reduce((rest, name) => rest.replace(declarationOf(name), ''), text);
}

const declarationOf = (name: string) => new RegExp(`^(?:export )?declare const ${name}: [^]*?;\\n(?=\\S|$)`, 'm');

/** Names the keys of a table of schemas, such as those of all mutations. */
function withKeys(text: string, module: Record<string, Record<string, unknown>>): string {
  return text.replaceAll(/\bkeyof typeof (\w+)/g, (whole, name: string) =>
    declarationOf(name).exec(text)?.[0].includes('Type.T')
      ? Object.keys(module[name]!)
          .map((key) => `'${key}'`)
          .join(' | ')
      : whole,
  );
}
