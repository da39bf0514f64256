/** Asks the photo worker to encode pictures and to write files. The worker starts with the first request. */
import type { EncodedPhoto } from './encode-picture.ts';
import type { FileToWrite, PhotoWorkerRequest, PhotoWorkerResponse } from './photo-worker.ts';

/** Turns a picture into a photo. Rejects if it cannot read the picture. */
export interface PhotoEncoder {
  encode(picture: Blob): Promise<EncodedPhoto>;
}

export interface PhotoWorker extends PhotoEncoder {
  write(file: FileToWrite): Promise<void>;
  end(): void;
}

type SuccessfulResponse = Exclude<PhotoWorkerResponse, { errorName: string }>;

/** The worker ends after this time without a request, since a decoder holds much memory. */
const idleMsMax = 60_000;
/** A decoder that takes longer than this has hung. */
const encodeMsMax = 30_000;

export function createPhotoWorker(schedule: (ms: number, call: () => void) => () => void): PhotoWorker {
  let worker: Worker | undefined;
  let cancelEnd = () => {};
  let lastId = 0;
  const pending = new Map<number, { resolve(response: SuccessfulResponse): void; reject(error: Error): void }>();

  const end = () => {
    cancelEnd();
    worker?.terminate();
    worker = undefined;
    for (const { reject } of pending.values()) reject(new Error('the worker of photos has ended'));
    pending.clear();
  };
  const start = (): Worker => {
    const started = new Worker(new URL('./photo-worker.ts', import.meta.url), { type: 'module', name: 'photos' });
    started.addEventListener('message', ({ data }: MessageEvent<PhotoWorkerResponse>) => {
      const waiting = pending.get(data.id);
      pending.delete(data.id);
      if ('errorName' in data) waiting?.reject(new DOMException('The worker of photos failed', data.errorName));
      else waiting?.resolve(data);
      if (pending.size === 0) cancelEnd = schedule(idleMsMax, end);
    });
    // End the worker after an error, such as a picture too large for the memory, so that waiting requests reject.
    started.addEventListener('error', end);
    return started;
  };
  const request = (content: { picture: Blob } | { file: FileToWrite }): Promise<SuccessfulResponse> => {
    cancelEnd();
    worker ??= start();
    const id = ++lastId;
    const asked = worker;
    return new Promise((resolve, reject) => {
      pending.set(id, { resolve, reject });
      asked.postMessage({ id, ...content } satisfies PhotoWorkerRequest);
    });
  };
  const encode = async (picture: Blob): Promise<EncodedPhoto> => {
    const cancel = schedule(encodeMsMax, end);
    const { encoded } = await request({ picture }).finally(cancel);
    if (!encoded) throw new Error('the worker of photos answered without a photo');
    return encoded;
  };
  let last: Promise<unknown> = Promise.resolve();
  return {
    // Encode one picture at a time: a decoded picture takes 50 MB, and a picture that crashes the worker must not fail
    // the other pictures.
    encode: (picture) => {
      const encoding = last.then(() => encode(picture));
      last = encoding.catch(() => undefined);
      return encoding;
    },
    write: async (file) => void (await request({ file })),
    end,
  };
}
