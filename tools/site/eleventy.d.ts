/** The parts of Eleventy that the site uses. Its package has no types. */
declare module '@11ty/eleventy' {
  import type { MarkdownIt } from './markdown.ts';

  interface EleventyConfig {
    benchmarkManager: { get(group: string): { setMinimumThresholdPercent(percent: number): void } };
    setTemplateFormats(formats: string[]): void;
    addTemplate(path: string, content: string, data: object): void;
    amendLibrary(name: 'md', change: (markdown: MarkdownIt) => void): void;
    addTransform(name: string, transform: (this: { page: { inputPath: string } }, content: string) => string): void;
  }

  export class Eleventy {
    constructor(
      input: string,
      output: string,
      options: { quietMode: boolean; config: (config: EleventyConfig) => void },
    );
    disableLogger(): void;
    write(): Promise<unknown>;
  }
}
