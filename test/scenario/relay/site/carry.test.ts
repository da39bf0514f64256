/** A laptop or gateway at the site carries for watches: `npm run carry`. */
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { WebSocket } from 'ws';
import { openServer } from '../../../../server/app.ts';
import { systemWorld } from '../../../../server/core/world.ts';
import { issueAuthority, issueServerCertificate, makeKey } from '../../../../server/tls/issue-certificate.ts';
import { closeServer } from '../../../contract/close-server.ts';
import { accountMaker, operatorToken } from '../../../device/test-server.ts';
import { runCommand } from '../../operations/command.ts';
import { databaseFolders } from '../../operations/database-folders.ts';
import { connect, startCarrier, type CarrierProcess } from './carrier-process.ts';
import { newWatch } from '../watches.ts';

/** A server that can be away for a while, and what a carrier needs to start. */
async function site() {
  const { live, root } = databaseFolders();
  const open = (port: number) =>
    openServer({ dataDir: live, port, host: '127.0.0.1', adminToken: operatorToken, rateLimit: noLimit });
  let running = await open(0);
  onTestFinished(() => running.close());
  const { url } = running;
  const newAccount = accountMaker(url);
  const options = { to: url, token: await newAccount(), folder: join(root, 'carried') };
  let carrier: CarrierProcess | undefined;
  onTestFinished(() => carrier?.kill());
  return {
    root,
    server: { ...running, newAccount, remove: () => running.close() },
    start: async (args: string[] = [], token = options.token) =>
      (carrier = await startCarrier({ ...options, token, args })),
    serverGoes: () => closeServer(running, live),
    serverComes: async () => void (running = await open(Number(new URL(url).port))),
  };
}

const noLimit = { requests: 1_000_000, secs: 60 };

const healthOf = async ({ port }: CarrierProcess) => (await fetch(`http://127.0.0.1:${port}/healthz`)).json();

test('[RELAY-43] a carrier process keeps what it was given through kill -9, and delivers it when the server is there', async () => {
  const { server, start, serverGoes, serverComes } = await site();
  const watch = await newWatch(server);
  const session = await watch.record();
  const first = await start();
  await serverGoes();
  expect(await watch.handOver.handOver(await connect(first.port))).toEqual({ given: 2, answered: 0, ended: 'done' });
  expect(await watch.custody(session)).toEqual({ custody: 'device', carriers: 1 });
  const carried = { status: 'ok', reaches_server: false, messages: 2 };
  await expect.poll(() => healthOf(first)).toMatchObject(carried);
  await first.kill();
  const second = await start();
  await expect.poll(() => healthOf(second)).toMatchObject(carried);
  await serverComes();
  expect(await watch.handOver.handOver(await connect(second.port))).toMatchObject({ answered: 2, ended: 'done' });
  // The process names itself as before.
  expect(await watch.custody(session)).toEqual({ custody: 'server', carriers: 0 });
  expect(await watch.runs()).toHaveLength(1);
  expect(await healthOf(second)).toMatchObject({ reaches_server: true, messages: 0, bytes: 0 });
});

test('[RELAY-44] hand-overs to carrier processes that are killed at any moment lose and double nothing', async () => {
  const seed = Number(process.env['GEMBA_SEED'] ?? Math.floor(Math.random() * 1_000_000));
  const kills = Number(process.env['GEMBA_KILLS'] ?? 4);
  console.log(`GEMBA_SEED=${seed} GEMBA_KILLS=${kills}`);
  let state = seed;
  const below = (max: number) => ((state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0) >>> 12) % max;
  const { server, start } = await site();
  const watch = await newWatch(server);
  const sessions: string[] = [];
  for (let kill = 0; kill < kills; kill++) {
    sessions.push(await watch.record(`Step ${kill}`));
    const carrier = await start();
    const meeting = connect(carrier.port).then((channel) => watch.handOver.handOver(channel));
    await Promise.race([meeting, delay(below(60))]).catch(() => {});
    await carrier.kill();
    await meeting.catch(() => {});
  }
  const { port } = await start();
  await watch.handOver.handOver(await connect(port));
  for (const session of sessions) expect(await watch.custody(session)).toMatchObject({ custody: 'server' });
  expect((await watch.runs()).map((run) => run.recording_session_id)).toEqual(sessions);
});

test('[RELAY-45] a carrier process speaks TLS with the certificate that it is given, and refuses to start without a token', async () => {
  const { root, server, start } = await site();
  const authority = await issueAuthority(systemWorld, { name: 'Gemba of the site' });
  const names = ['127.0.0.1'];
  const own = await issueServerCertificate(systemWorld, { authority, key: makeKey(), names });
  const [cert, key] = [join(root, 'cert.pem'), join(root, 'key.pem')];
  writeFileSync(cert, own.cert);
  writeFileSync(key, own.key);
  const watch = await newWatch(server);
  const session = await watch.record();
  const { port } = await start(['--cert', cert, '--key', key]);
  await watch.handOver.handOver(await connect(port, { ca: authority.cert }));
  expect(await watch.custody(session)).toMatchObject({ custody: 'server' });

  const refused = await runCommand('carry', ['--listen', '127.0.0.1:0', '--to', server.url], {});
  expect(refused).toMatchObject({ exitCode: 1, printed: expect.stringContaining('CARRIER_TOKEN must be') });
  const misused = await runCommand('carry', ['--listen', 'here'], { CARRIER_TOKEN: 'x' });
  expect(misused).toMatchObject({ exitCode: 1, printed: expect.stringContaining('usage: npm run carry') });
});

test('[RELAY-100] a carrier process says at the start when its server does not take its token', async () => {
  const { server, start } = await site();
  const right = await start();
  await expect.poll(() => healthOf(right)).toMatchObject({ status: 'ok', reaches_server: true });
  expect(right.complaints).toEqual([]);
  await right.kill();
  const wrong = await start([], 'gm_live_wrong');
  expect(await healthOf(wrong)).toMatchObject({ status: 'ok' });
  await expect.poll(() => wrong.complaints.join()).toContain(`${server.url} takes no request now`);
  expect(await healthOf(wrong)).toMatchObject({ reaches_server: false });
});

test('[RELAY-93] 64 sockets that say nothing keep no watch from handing over', async () => {
  const { server, start } = await site();
  const watch = await newWatch(server);
  await watch.record();
  const { port } = await start();
  const silent = await Promise.all(Array.from({ length: 64 }, () => connect(port)));
  expect(await watch.handOver.handOver(await connect(port))).toMatchObject({ given: 2, ended: 'done' });
  for (const { readable } of silent) await readable.cancel();
});

test('[RELAY-97] a socket that pings without end is closed, whether it reads or not', async () => {
  const { start } = await site();
  const { port } = await start();
  const socket = new WebSocket(`ws://127.0.0.1:${port}/carry`);
  onTestFinished(() => socket.terminate());
  let pongs = 0;
  socket.on('pong', () => pongs++);
  await once(socket, 'open');
  socket.ping();
  await expect.poll(() => pongs).toBe(1);
  const closed = once(socket, 'close');
  for (let sent = 0; sent < 1_000; sent++) socket.ping();
  await closed;
  expect(pongs).toBeLessThanOrEqual(600);
});

test('[RELAY-94] [RELAY-95] a second carrier process does not start on the folder of another one, and one warns of http:// to another computer', async () => {
  const { root, server, start } = await site();
  await start();
  const second = (to: string) =>
    runCommand('carry', ['--listen', '127.0.0.1:0', '--to', to, '--data', join(root, 'carried')], {
      CARRIER_TOKEN: 'x',
    });
  const locked = await second(server.url);
  expect(locked).toMatchObject({ exitCode: 1, printed: expect.stringContaining('Another process carries with') });
  expect(locked.printed).not.toContain('not encrypted');
  expect((await second('http://192.0.2.1:8080')).printed).toContain('http://192.0.2.1:8080 is not encrypted');
  expect((await second('https://192.0.2.1:8080')).printed).not.toContain('not encrypted');
});
