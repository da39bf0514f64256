interface ChartAxisProps {
  ticks: readonly number[];
  tickText(value: number): string;
  yOf(value: number): number;
  /** The unit, which stands above the highest tick; '' for none. */
  unit: string;
  unitY: number;
  height: number;
}

/** Draws the labels of a chart's vertical axis. Screen readers skip them, and read the label of the chart. */
export function ChartAxis({ ticks, tickText, yOf, unit, unitY, height }: ChartAxisProps) {
  return (
    <svg class="yamazumi-axis" height={height} aria-hidden="true" focusable="false">
      {ticks.map((value) => (
        <text key={value} x="100%" y={yOf(value)} dy="0.35em" text-anchor="end">
          {tickText(value)}
        </text>
      ))}
      {unit !== '' && (
        <text x="100%" y={unitY} text-anchor="end">
          {unit}
        </text>
      )}
    </svg>
  );
}

/** Draws a line across the chart for each tick. */
export function ChartGrid({ ticks, yOf }: Pick<ChartAxisProps, 'ticks' | 'yOf'>) {
  return (
    <>
      {ticks.map((value) => (
        <path key={value} class={value === 0 ? 'yamazumi-floor' : 'yamazumi-grid'} d={`M0 ${yOf(value)}h9999`} />
      ))}
    </>
  );
}
