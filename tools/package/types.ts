/** Builds one file of types an entry. Types of other packages than RxJS, and of the peer of an entry, fail the build. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import {
  Extractor,
  ExtractorConfig,
  ExtractorLogLevel,
  type ExtractorMessage,
  type IConfigFile,
} from '@microsoft/api-extractor';
import { formatted } from '../formatted.ts';
import { typedSources, type TypedEntry } from './entries.ts';
import { checkedTypes } from './foreign-types.ts';
import { replaceSchemaTypes } from './schema-types.ts';

const root = resolve(import.meta.dirname, '../..');

/** The text of the types of each entry. */
export async function publicTypes(): Promise<Record<TypedEntry, string>> {
  const folder = mkdtempSync(join(tmpdir(), 'gemba-types-'));
  try {
    writeDeclarations(folder);
    await replaceSchemaTypes(folder, root);
    const entries: [string, string][] = [];
    for (const [entry, source] of Object.entries(typedSources)) {
      const text = flatten(folder, entry, source);
      if (entry === 'index') shareWithOthers(folder, text);
      entries.push([entry, await formatted(`${entry}.d.ts`, text)]);
    }
    return Object.fromEntries(entries) as Record<TypedEntry, string>;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** `tsc` writes the declarations of all modules that the entries reach. Members that are `@internal` are left out. */
function writeDeclarations(folder: string): void {
  const project = {
    extends: join(root, 'tsconfig.json'),
    compilerOptions: {
      noEmit: false,
      declaration: true,
      emitDeclarationOnly: true,
      stripInternal: true,
      rewriteRelativeImportExtensions: true,
      // The check of the whole repository finds errors.
      noCheck: true,
      rootDir: root,
      outDir: folder,
      typeRoots: [join(root, 'node_modules/@types')],
    },
    include: [],
    files: Object.values(typedSources).map((source) => join(root, source)),
  };
  const file = join(folder, 'tsconfig.json');
  writeFileSync(file, JSON.stringify(project));
  execFileSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', file]);
}

/** Makes entries beside the engine import its types from `gemba`, so that an app has them once. */
function shareWithOthers(folder: string, text: string): void {
  const installed = join(folder, 'node_modules/gemba');
  mkdirSync(installed, { recursive: true });
  writeFileSync(
    join(installed, 'package.json'),
    JSON.stringify({ name: 'gemba', version: '0.0.0', types: 'index.d.ts' }),
  );
  writeFileSync(join(installed, 'index.d.ts'), text);
  for (const name of ['react', 'rxdb'].flatMap((part) => filesIn(join(folder, 'client', part)))) {
    writeFileSync(name, readFileSync(name, 'utf8').replaceAll(/(?<=from ')\.\.\/client\.[jt]s(?=')/g, 'gemba'));
  }
}

const filesIn = (folder: string): string[] => readdirSync(folder).map((name) => join(folder, name));

/** Puts all types that an entry reaches into one file. */
function flatten(folder: string, entry: string, source: string): string {
  const file = join(folder, 'flat', `${entry}.d.ts`);
  mkdirSync(dirname(file), { recursive: true });
  const packageFile = join(folder, 'package.json');
  writeFileSync(packageFile, JSON.stringify({ name: 'gemba', type: 'module' }));
  const configObject: IConfigFile = {
    projectFolder: folder,
    mainEntryPointFilePath: join(folder, source.replace(/\.ts$/, '.d.ts')),
    compiler: {
      overrideTsconfig: {
        compilerOptions: {
          target: 'ES2023',
          module: 'NodeNext',
          moduleResolution: 'NodeNext',
          allowImportingTsExtensions: true,
          noEmit: true,
          strict: true,
          skipLibCheck: true,
          lib: ['ES2023', 'DOM'],
          types: [],
        },
        files: [join(folder, source.replace(/\.ts$/, '.d.ts'))],
      },
    },
    apiReport: { enabled: false },
    docModel: { enabled: false },
    tsdocMetadata: { enabled: false },
    dtsRollup: { enabled: true, untrimmedFilePath: file },
    messages: {
      compilerMessageReporting: { default: { logLevel: ExtractorLogLevel.Error } },
      extractorMessageReporting: { default: { logLevel: ExtractorLogLevel.None } },
      tsdocMessageReporting: { default: { logLevel: ExtractorLogLevel.None } },
    },
  };
  const config = ExtractorConfig.prepare({
    configObject,
    configObjectFullPath: undefined,
    packageJsonFullPath: packageFile,
  });
  const result = Extractor.invoke(config, { localBuild: true, messageCallback: silence });
  if (!result.succeeded) throw new Error(`The types of ${entry} cannot be put into one file`);
  return checkedTypes(entry, readFileSync(file, 'utf8'));
}

/** Errors throw; the rest says which compiler is used. */
function silence(message: ExtractorMessage): void {
  message.handled = message.logLevel !== ExtractorLogLevel.Error;
}
