import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, statSync, utimesSync } from 'node:fs';
import { cp, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { findFreePort } from '../../free-port.ts';
import { waitMsMax } from '../../timeouts.ts';
import { fencesOf, runFences, type Fence } from './fences.ts';
import { outputFits, type ShownOutput } from './pattern.ts';

const root = resolve(import.meta.dirname, '../../..');
const fence = (info: string, code: string) => `\`\`\`${info}\n${code}\n\`\`\`\n`;

describe('in a fresh copy of the repository, one after the other', () => {
  let copy = '';
  beforeAll(async () => {
    copy = await createFolder();
    await copyRepository(copy);
  });
  afterAll(() => rm(copy, { recursive: true, force: true }));

  test('[HOUSE-6] the README works as it reads', async () => {
    await expect(runDocument('README.md', copy)).resolves.toBeDefined();
  });

  test('[HOUSE-8] [HOUSE-22] the walk for integrators works as it reads, and shows what each command prints', async () => {
    await installIn(copy);
    const { fences, printed } = await runDocument('docs/integrators.md', copy);

    expect(printed).toHaveLength(fences.length);
    const untold = fences.filter(({ shown }) => !shown);
    expect(untold).toEqual([]);
    for (const [index, { shown, background }] of fences.entries()) {
      if (!shown || background) continue;
      const unseen = withEachWordWrong(shown.pattern).filter((pattern) =>
        stillFits({ ...shown, pattern }, printed[index] ?? ''),
      );
      expect(unseen, 'a wrong word that nobody would have noticed').toEqual([]);
    }
  });

  test('[APP-25] [SERVER-35] [SITE-15] npm start builds the app and the guide and serves them, also where npm leaves out the scripts around others, and builds again only after a change', async () => {
    await installIn(copy);
    const page = join(copy, 'dist/index.html');
    const first = await startByNpm(copy);
    const app = await fetch(first.url);
    expect([app.status, app.headers.get('Content-Type')]).toEqual([200, expect.stringContaining('text/html')]);
    await expect
      .poll(() => statusOf(`${first.url}/docs/guide/worker.html`), { timeout: waitMsMax, interval: 500 })
      .toBe(200);
    await expect.poll(() => first.isBuildingGuide(), { timeout: waitMsMax, interval: 500 }).toBe(false);
    await first.stop();
    const builtAt = statSync(page).mtimeMs;
    const second = await startByNpm(copy);
    expect(await statusOf(`${second.url}/docs/guide/`)).toBe(200);
    expect(second.isBuildingGuide()).toBe(false);
    await second.stop();
    expect(statSync(page).mtimeMs).toBe(builtAt);
    for (const source of ['client/app/index.html', 'docs/worker.md'])
      utimesSync(join(copy, source), new Date(), new Date());
    const third = await startByNpm(copy);
    // The server begins to build before it answers a request.
    expect(await statusOf(`${third.url}/docs/guide/`)).toBe(200);
    expect(third.isBuildingGuide()).toBe(true);
    await third.stop();
    expect(statSync(page).mtimeMs).toBeGreaterThan(builtAt);
  });
});

test('[HOUSE-8] none of its commands is left out of the test', async () => {
  const fences = (await readFile(join(root, 'docs/integrators.md'), 'utf8')).match(/^```sh.*$/gm);
  expect(fences?.filter((info) => !info.startsWith('```sh test'))).toEqual([]);
});

/** Runs the document in the folder as its reader would. */
async function runDocument(document: string, folder: string): Promise<{ fences: Fence[]; printed: string[] }> {
  const port = await findFreePort();
  const markdown = await readFile(join(root, document), 'utf8');
  const fences = fencesOf(markdown.replaceAll(':8080', `:${port}`));
  return { fences, printed: await runFences({ fences, folder, env: { PORT: String(port) } }) };
}

const statusOf = async (url: string): Promise<number> => (await fetch(url)).status;

interface StartedByNpm {
  url: string;
  isBuildingGuide(): boolean;
  stop(): Promise<void>;
}

async function startByNpm(folder: string): Promise<StartedByNpm> {
  const dataDir = await createFolder();
  const env = { ...process.env, npm_config_ignore_scripts: 'true', DATA_DIR: dataDir, PORT: '0', HOST: '127.0.0.1' };
  // Start a process group, so that the test can end all processes that npm starts.
  const child = spawn('npm', ['start'], { cwd: folder, env, detached: true, stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = once(child, 'exit');
  let stopping: Promise<void> | undefined;
  const stop = () =>
    (stopping ??= (async () => {
      process.kill(-child.pid!, 'SIGTERM');
      await exited;
      await rm(dataDir, { recursive: true, force: true });
    })());
  onTestFinished(stop);
  const isBuildingGuide = () => {
    const processes = execFileSync('ps', ['-A', '-o', 'pgid=,args='], { encoding: 'utf8' }).split('\n');
    return processes.some((line) => Number.parseInt(line, 10) === child.pid && line.includes('tools/site/site.ts'));
  };
  return { url: await listeningAt(createInterface({ input: child.stdout })), isBuildingGuide, stop };
}

async function listeningAt(lines: AsyncIterable<string>): Promise<string> {
  for await (const line of lines) {
    const url = /listening on (\S+)/.exec(line)?.[1];
    if (url) return url;
  }
  throw new Error('npm start ended without listening');
}

/** Returns a copy of the pattern for each of its words, with that word wrong. */
function withEachWordWrong(pattern: string): string[] {
  const words = pattern.matchAll(/(?<![\w….-])\w+/g);
  return Array.from(words, ({ index }) => `${pattern.slice(0, index)}9${pattern.slice(index)}`);
}

function stillFits(shown: ShownOutput, output: string): boolean {
  try {
    return outputFits(shown, output);
  } catch {
    return false;
  }
}

describe('[HOUSE-6] the fences', () => {
  const server = `node -e "require('http').createServer((_, a) => a.end('{\\"id\\":7,\\"a\\":[1]}')).listen(process.env.PORT, () => console.log('at', process.env.PORT))"`;
  const uuids = ['018f4d2a-0000-7000-8000-00000000000a', '018f4d2a-0000-7000-8000-00000000000b'] as const;
  const echoed = (id: string) => fence('sh test', `echo ${id}`) + fence('text', '01a1fc69-d7f9-71cc-87c5-bdeac5a21ee6');
  const run = async (...blocks: string[]) => {
    const folder = await createFolder();
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    return runFences({
      fences: fencesOf(blocks.join('\ntext\n')),
      folder,
      env: { PORT: String(await findFreePort()) },
    });
  };

  test('share their variables, and a server goes on while the later ones run', async () => {
    const done = run(
      fence('sh test background', server),
      fence('text', 'at …'),
      fence('sh test', 'KEY=$(printf abc)'),
      fence('sh', 'exit 1'),
      fence('sh test', 'echo "$KEY"; echo more'),
      fence('text', 'abc\n…'),
      fence('sh test', 'echo "run by ${VITEST:-a reader}"'),
      fence('text', 'run by a reader'),
      fence('sh test', 'curl -sS localhost:$PORT'),
      fence('json', '{\n  "id": …,\n  "a": [1]\n}'),
    );
    await expect(done).resolves.toBeDefined();
  });

  test.each([
    ['exit other than 0', [fence('sh test', 'echo before; false')], /failed:\s+before/],
    ['name an unset variable', [fence('sh test', 'echo $NO_SUCH')], /NO_SUCH: unbound/],
    ['fail inside a pipe', [fence('sh test', 'false | cat')], /failed/],
    ['are not even shell', [fence('sh test', 'echo "a')], /bash failed/],
    ['print other text', [fence('sh test', 'echo a'), fence('text', 'b')], /instead of\nb/],
    ['print another id than before', [echoed(uuids[0]), echoed(uuids[1])], /instead of/],
    ['print other JSON', [fence('sh test', `echo '{"a":1,"b":2}'`), fence('json', '{ "a": 1 }')], /instead of/],
    ['end before they are ready', [fence('sh test background', 'echo no'), fence('text', 'yes')], /failed:\s+no/],
    ['never say when they are ready', [fence('sh test background', 'sleep 1')], /no text fence/],
  ])('are refused when they %s', async (_name, blocks, message) => {
    await expect(run(...blocks)).rejects.toThrow(message);
  });
});

/** Copies the files of a clone. */
async function copyRepository(folder: string): Promise<void> {
  const left = new Set(['node_modules', '.git', 'data', 'dist']);
  const guide = join(root, 'site');
  await cp(root, folder, { recursive: true, filter: (path) => !left.has(basename(path)) && path !== guide });
}

/** Links the packages of this repository unless the copy has packages of its own, which the README installs. */
async function installIn(folder: string): Promise<void> {
  const packages = join(folder, 'node_modules');
  if (!existsSync(packages)) await symlink(join(root, 'node_modules'), packages);
}

const createFolder = (): Promise<string> => mkdtemp(join(tmpdir(), 'gemba-readme-'));
