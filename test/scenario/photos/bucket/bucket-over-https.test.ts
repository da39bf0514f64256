/** The real server process with a bucket that speaks HTTPS, with the certificate of an authority that no system knows. */
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { connect, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createServer } from 'node:tls';
import { onTestFinished, test } from 'vitest';
import { systemWorld } from '../../../../server/core/world.ts';
import { loadOrMakeCertificate } from '../../../../server/tls/stored-certificate.ts';
import { sampleJpeg } from '../../../photo-samples.ts';
import { startS3Server } from '../../../s3/s3-server.ts';
import { Api, expectProblem, temporaryFolder } from '../../../contract/fixture.ts';
import { append, declare, download, expectSameBytes, photoPath, store } from '../../../contract/photos/photo-client.ts';
import { startServerProcess } from '../../../contract/server-process.ts';

function dataFolder(): string {
  const { dataDir, remove } = temporaryFolder();
  onTestFinished(remove);
  return dataDir;
}

/** Starts a proxy that ends TLS before the S3 service of the tests. */
async function startSecureBucket() {
  const bucket = await startS3Server();
  onTestFinished(() => bucket.close());
  const names = ['localhost', '127.0.0.1'];
  const dataDir = dataFolder();
  const { authority, server } = await loadOrMakeCertificate({
    dataDir,
    world: systemWorld,
    names,
    authorityName: 'Test',
  });
  const authorityFile = join(dataDir, 'authority.pem');
  await writeFile(authorityFile, authority.cert);
  const { origin } = bucket.settings.location;
  const proxy = createServer({ cert: server.cert, key: server.key }, (socket) => {
    const inner = connect(Number(new URL(origin).port), '127.0.0.1');
    for (const one of [socket, inner]) one.on('error', () => [socket, inner].forEach((each) => each.destroy()));
    socket.pipe(inner).pipe(socket);
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  onTestFinished(() => void proxy.close());
  const url = `https://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  const environment = { ...bucket.environment, GEMBA_S3_URL: bucket.environment['GEMBA_S3_URL']!.replace(origin, url) };
  return { environment, authorityFile };
}

test('[PHOTO-60] a bucket over HTTPS keeps photos once its authority is known, and before that the log names what fails', async () => {
  const { environment, authorityFile } = await startSecureBucket();
  const start = async (more: Record<string, string>) => {
    const server = startServerProcess({ ...environment, ...more, DATA_DIR: dataFolder(), LOG_LEVEL: 'info' });
    const [, url] = await server.until(/listening on (\S+)\n/);
    const [key] = await server.until(/gk_\S{64}/);
    return { server, api: new Api({ url: url!, key, accountId: '' }) };
  };
  const trusting = await start({ NODE_EXTRA_CA_CERTS: authorityFile });
  await trusting.server.until(/Photos +in the bucket gemba-test at https:/);
  await store(trusting.api, sampleJpeg);
  expectSameBytes((await download(trusting.api, photoPath(sampleJpeg))).bytes, sampleJpeg);

  const doubting = await start({});
  await declare(doubting.api, sampleJpeg);
  expectProblem(await append(doubting.api, sampleJpeg, { offset: 0, raw: sampleJpeg }), 503, 'unavailable');
  await doubting.server.until(/S3 at https:\S+ gave no answer to GET: [A-Z_]*(?:CERT|SIGNATURE|ISSUER)/);
});
