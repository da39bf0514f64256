import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { folderStorage } from '../../../server/photos/folder-storage.ts';
import { photoStorageContract } from './photo-storage-contract.ts';

photoStorageContract(async () => folderStorage(join(await mkdtemp(join(tmpdir(), 'gemba-photos-')), 'photos')));
