import type { ExportFormat } from '../../../shared/export/formats.ts';
import type { Api } from '../fixture.ts';

export interface Exported {
  status: number;
  headers: Headers;
  bytes: Buffer;
}

export async function download(
  api: Api,
  format: ExportFormat,
  query: Record<string, string> = {},
  method: 'GET' | 'HEAD' = 'GET',
): Promise<Exported> {
  const response = await fetch(`${api.url}/api/v1/export/${format}?${new URLSearchParams(query)}`, {
    method,
    headers: { Authorization: `Bearer ${api.key}` },
  });
  const bytes = Buffer.from(await response.arrayBuffer());
  return { status: response.status, headers: response.headers, bytes };
}

/** Returns the ids of the runs in their order. */
export async function exportedIds(api: Api, query: Record<string, string> = {}): Promise<number[]> {
  const { bytes } = await download(api, 'runs.csv', query);
  const lines = String(bytes).split('\r\n').slice(1, -1);
  return lines.map((line) => Number(line.split(',')[0]));
}
