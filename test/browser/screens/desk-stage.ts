import type { MapRecord } from '../../../shared/schema/map.ts';
import type { Size } from '../app/devices.ts';
import type { ScreenStage } from './screen.ts';

export const deskSize: Size = { width: 1440, height: 900 };

/** The id of the map with this name. */
export async function mapId({ rest }: ScreenStage, name: string): Promise<string> {
  const maps = await rest.list<MapRecord>('/maps');
  return maps.find((map) => map.name === name)!.id;
}
