/** A picture of one work: a bar for each figure, with its range, readable on light and dark pages. */
import type { Figure, Work } from './figures.ts';
import { figureText } from './number.ts';

const rowHeight = 26;
const labelWidth = 250;
const barWidth = 380;
const width = 760;
const top = 44;

const style = `    text { font: 13px system-ui, sans-serif; fill: #1c2226; }
    .title { font-weight: 600; font-size: 14px; }
    .small { font-size: 12px; fill: #5a646b; }
    .gemba { fill: #2e7d4f; }
    .peer { fill: #2563a8; }
    .limit { fill: #9aa3a9; }
    .range { stroke: #1c2226; stroke-width: 1.5; }
    @media (prefers-color-scheme: dark) {
      text { fill: #e8e6e0; }
      .small { fill: #aab2b8; }
      .gemba { fill: #6fbf8b; }
      .peer { fill: #7db2ea; }
      .limit { fill: #6c757c; }
      .range { stroke: #e8e6e0; }
    }`;

export function pictureOf({ title, unit, better, figures }: Work): string {
  const most = Math.max(...figures.map(({ max }) => max));
  const height = top + figures.length * rowHeight + 10;
  const summary = figures.map(({ name, median }) => `${name} ${figureText(median)}`).join(', ');
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-labelledby="title desc">
  <title id="title">${escaped(title)}</title>
  <desc id="desc">${escaped(`Medians in ${unit}: ${summary}.`)}</desc>
  <style>
${style}
  </style>
  <text class="title" x="0" y="16">${escaped(title)}</text>
  <text class="small" x="0" y="33">${escaped(`${unit}, ${better} is better; the line is the range`)}</text>
${figures.map((figure, row) => barOf(figure, top + row * rowHeight, most)).join('\n')}
</svg>
`;
}

function barOf({ name, role, median, min, max }: Figure, y: number, most: number): string {
  const x = (value: number) => (labelWidth + (value / most) * barWidth).toFixed(1);
  const middle = y + 9;
  return `  <text x="${labelWidth - 8}" y="${y + 13}" text-anchor="end">${escaped(name)}</text>
  <rect class="${role}" x="${labelWidth}" y="${y}" width="${(Number(x(median)) - labelWidth).toFixed(1)}" height="18"/>
  <line class="range" x1="${x(min)}" y1="${middle}" x2="${x(max)}" y2="${middle}"/>
  <text x="${Number(x(max)) + 8}" y="${y + 13}">${figureText(median)}</text>`;
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
