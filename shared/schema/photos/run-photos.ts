/** The photos to which runs refer, as REST responses contain them. */
import { Type, type Static } from 'typebox';
import { Closed, Described, Instant, IntegerId, Nullable, Uuid } from '../fields.ts';
import { PageSchema } from '../page.ts';
import { RunDoc } from '../run.ts';
import { PhotoBytes, PhotoId, PhotoType, Pixels } from './photo.ts';

export const PhotoObject = Closed(
  {
    id: Described(PhotoId, 'The photo, as a step refers to it.'),
    status: Described(
      Type.Enum(['stored', 'awaited']),
      '`stored` if the photo can be read, `awaited` if its bytes are missing.',
    ),
    content_type: Described(
      Nullable(PhotoType),
      'The media type. It and the following fields are null until a client has declared the photo.',
    ),
    bytes: Described(Nullable(PhotoBytes), 'The size in bytes.'),
    width: Described(Nullable(Pixels), 'In pixels.'),
    height: Described(Nullable(Pixels), 'In pixels.'),
  },
  { title: 'PhotoObject', description: 'A photo that a step refers to.' },
);
export type PhotoObject = Static<typeof PhotoObject>;

export const RunWithPhotos = Closed(
  {
    ...RunDoc.properties,
    photo_objects: Described(
      Type.Optional(Type.Array(PhotoObject)),
      'The photos to which the steps refer by `sha256:`, each once. Absent if there are none.',
    ),
  },
  { title: 'RunWithPhotos', description: 'A run with its steps and the state of their photos.' },
);

const AwaitedPhoto = Closed(
  {
    id: Described(PhotoId, 'The photo.'),
    run_id: Described(IntegerId, 'The run that refers to it.'),
    map_id: Described(Uuid, 'The map of the run.'),
    device_id: Described(
      Nullable(Uuid),
      'The device that uploaded the run, and probably has the photo; null for an API key.',
    ),
    awaited_since: Described(Instant, 'When the server received the run.'),
  },
  { title: 'AwaitedPhoto', description: 'A photo that a run refers to and that is missing.' },
);

export const AwaitedPhotoPage = PageSchema(AwaitedPhoto, {
  title: 'AwaitedPhotoPage',
  description: 'A page of awaited photos, in the order of their ids.',
  data: 'The awaited photos of this page.',
});
