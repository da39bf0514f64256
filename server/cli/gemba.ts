#!/usr/bin/env node
/**
 * `gemba`, the program of the package: `gemba` serves, and `gemba backup DIR` and so on run the commands. A command is
 * a program that reads `process.argv` when it is loaded.
 */
import module from 'node:module';
import { parseArgs } from 'node:util';
import { appVersion } from '../../shared/protocol/version.ts';
import { fail } from './fail.ts';
import { markGivenAsOption, markAsInstalled } from './usage.ts';

const commandLoaders = {
  backup: () => import('./backup.ts'),
  restore: () => import('./restore.ts'),
  export: () => import('./export.ts'),
  move: () => import('./move.ts'),
  keys: () => import('./relay-keys.ts'),
  carry: () => import('../../carry/main.ts'),
};

const helpText = `Gemba ${appVersion}: a sync server for recorded work processes, and its app.

  gemba [--port PORT] [--host HOST] [--data DIR]   serves the app and the API
  gemba backup DIR                                 copies the embedded database, even while a server runs
  gemba restore DIR                                replaces the embedded database by a backup
  gemba export FORMAT FILE [--account ID]          writes the runs as steps.csv, runs.csv, steps.xlsx, log.xes or log.ocel.json
  gemba move                                       moves the embedded database to an empty PostgreSQL at DATABASE_URL
  gemba keys rotate | remove ID                    changes the keys to which devices seal what carriers bring
  gemba carry --listen HOST:PORT --to URL          carries for devices at a site without a network

  --port   the port to listen on, 8080 unless PORT is set
  --host   the address to listen on, 127.0.0.1 unless HOST is set. 0.0.0.0 lets phones of the network in
  --data   the folder of the embedded database, ./data unless DATA_DIR is set. Each command takes it
  --help, --version

Other settings are environment variables, listed in docs/operations.md.
`;

const serverOptions = {
  port: { type: 'string' },
  host: { type: 'string' },
  data: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean', short: 'v' },
} as const;

markAsInstalled();
// Keeps the code that V8 compiles, so that the next start is faster. Node 20 has no such cache.
(module as { enableCompileCache?: () => void }).enableCompileCache?.();
process.setSourceMapsEnabled(true);
await runCommandLine(process.argv.slice(2));

async function runCommandLine(args: string[]): Promise<void> {
  const [name = ''] = args;
  if (Object.hasOwn(commandLoaders, name)) return runCommand(name as keyof typeof commandLoaders, args.slice(1));
  try {
    const { values } = parseArgs({ args, options: serverOptions });
    if (values.help) return console.log(helpText);
    if (values.version) return console.log(appVersion);
    setVariables(values);
  } catch (error) {
    const reason = name.startsWith('-') && error instanceof Error ? error.message : `there is no command ${name}`;
    return fail(reason, 'gemba --help lists the commands');
  }
  await import('../main.ts');
}

/** `--data` means the same folder for each command, but `carry` has an option of this name for a folder of its own. */
async function runCommand(name: keyof typeof commandLoaders, args: string[]): Promise<void> {
  if (args.includes('--help')) return console.log(helpText);
  const at = args.indexOf('--data');
  const ownArgs = [...args];
  if (at >= 0 && name !== 'carry') {
    const [, data] = ownArgs.splice(at, 2);
    if (data === undefined) return fail('--data needs a folder');
    setVariables({ data });
  }
  process.argv = [process.argv[0]!, `gemba ${name}`, ...ownArgs];
  await commandLoaders[name]();
}

function setVariables({ port, host, data }: { port?: string; host?: string; data?: string }): void {
  const variables = { PORT: port, HOST: host, DATA_DIR: data };
  for (const [name, value] of Object.entries(variables)) {
    if (value === undefined) continue;
    process.env[name] = value;
    markGivenAsOption(name);
  }
}
