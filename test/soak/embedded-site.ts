/** One server process on the embedded store, on a small disk where the machine grants one. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { startServerProcess } from '../contract/server-process.ts';
import { findFreePort } from '../free-port.ts';
import { randomBelow, type Random } from '../random.ts';
import { RestartedServer, type Site } from './site.ts';
import { canMount, openSmallDisk, type SmallDisk } from './small-disk.ts';

const fullMsMax = 3_000;

export interface EmbeddedSite extends Site {
  /** Pairs the first phone. */
  link: string;
}

export async function openEmbeddedSite(random: Random, webDir?: string): Promise<EmbeddedSite> {
  const disk = canMount() ? await openSmallDisk() : undefined;
  const port = String(await findFreePort());
  const environment = {
    DATA_DIR: disk?.folder ?? newFolder(),
    PORT: port,
    GEMBA_RATE_LIMIT: '1000000/60',
    ...(webDir === undefined ? {} : { WEB_DIR: webDir }),
  };
  const server = new RestartedServer(() => startServerProcess(environment, { runner: disk?.runner ?? [] }), random);
  const [, key] = await server.process.until(/\s(gk_\S+)/);
  const [link] = await server.process.until(/http\S+\/pair#[0-9A-Z-]+(?=\s)/);
  return {
    urls: [`http://127.0.0.1:${port}`],
    key: key!,
    link: link!,
    faults: {
      'kill -9 of the server': server.killAndStart,
      'a frozen server': server.freeze,
      ...(disk ? diskFaults({ disk, server, random }) : {}),
    },
    expectAlive: () => server.expectAlive(),
  };
}

function diskFaults({ disk, server, random }: { disk: SmallDisk; server: RestartedServer; random: Random }) {
  const whileFull = async (during: () => Promise<void>) => {
    disk.fill();
    await delay(randomBelow(random, fullMsMax));
    await during();
    disk.free();
  };
  return {
    'a full disk': () => whileFull(async () => {}),
    'kill -9 on a full disk': async () => {
      await whileFull(server.kill.bind(server));
      await server.start();
    },
  };
}

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'gemba-soak-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  return join(folder, 'data');
}
