/** The server's start in a terminal, which `script` makes. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../../contract/fixture.ts';
import { programArgs } from '../../programs.ts';

const scriptPath = '/usr/bin/script';

test.skipIf(process.platform !== 'linux' || !existsSync(scriptPath))(
  '[APP-336] in a terminal the start keeps the key and the QR code in sight, and elsewhere each request is a line',
  async () => {
    for (const isTerminal of [true, false]) {
      const { dataDir, remove } = temporaryFolder();
      const command = [process.execPath, ...programArgs('server/main')];
      const args = isTerminal ? [scriptPath, '-qec', command.join(' '), '/dev/null'] : command;
      const env = { PATH: process.env['PATH'], PORT: '0', DATA_DIR: dataDir };
      const child = spawn(args[0]!, args.slice(1), { env, stdio: ['ignore', 'pipe', 'pipe'] });
      const ended = once(child, 'close');
      onTestFinished(async () => {
        child.kill('SIGKILL');
        await ended;
        remove();
      });
      let printed = '';
      const printing = new Promise<string>((resolve) => {
        for (const stream of [child.stdout, child.stderr]) {
          stream.setEncoding('utf8').on('data', (text: string) => {
            printed += text;
            const [, url] = /listening on (http\S+)[^]*\/pair#/.exec(printed) ?? [];
            if (url) resolve(url);
          });
        }
      });
      const url = await printing;
      for (let request = 0; request < 3; request++) expect((await fetch(`${url}/healthz`)).status).toBe(200);
      if (!isTerminal) await expect.poll(() => printed.match(/"route":"\/healthz"/g)?.length).toBe(3);
      child.kill('SIGTERM');
      await ended;
      expect([isTerminal, printed.includes('"route"')]).toEqual([isTerminal, !isTerminal]);
    }
  },
);
