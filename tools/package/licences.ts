/** Collects the licences of the packages whose code is in a bundle. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The names of packages, each with its folder. */
export class BundledPackages {
  readonly #folders = new Map<string, string>();

  /** A plugin for Rolldown and Vite that notes the packages of each module in the output. */
  readonly plugin = {
    name: 'gemba-bundled-packages',
    generateBundle: (_options: unknown, bundle: Record<string, { type: string; moduleIds?: string[] }>) => {
      for (const { moduleIds = [] } of Object.values(bundle)) for (const id of moduleIds) this.#note(id);
    },
  };

  #note(moduleId: string): void {
    const path = /^(.*\/node_modules\/((?:@[^/]+\/)?[^/]+))\//.exec(moduleId);
    if (path) this.#folders.set(path[2]!, path[1]!.replace(/^\0/, ''));
  }

  get isEmpty(): boolean {
    return this.#folders.size === 0;
  }

  /** The text of the file that tells the licences. */
  text(): string {
    const parts = [...this.#folders]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, folder]) => licenceOf(name, folder));
    return `The files of this package contain code of these packages.\n\n${parts.join('\n')}`;
  }
}

function licenceOf(name: string, folder: string): string {
  const { version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Record<string, string>;
  const file = readdirSync(folder).find((entry) => /^(?:licen[cs]e|copying)(?:\.|$)/i.test(entry));
  const text =
    file !== undefined && existsSync(join(folder, file)) ? readFileSync(join(folder, file), 'utf8').trim() : '';
  return `${name} ${version}, ${license}\n\n${text}\n`;
}
