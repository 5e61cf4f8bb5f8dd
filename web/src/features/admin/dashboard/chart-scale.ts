/** The size of the drawing area of a chart, in units of its own. */
export interface ChartSize {
  width: number
  height: number
}

/** Returns a round number that is at least as large as all values: 1, 2 or 5 times a power of ten. At least 1. */
export function roundMaximum(values: readonly number[]): number {
  const largest = Math.max(1, ...values)
  const power = 10 ** Math.floor(Math.log10(largest))
  const factor = [1, 2, 5, 10].find((candidate) => candidate * power >= largest) ?? 10
  return factor * power
}

/** Returns the points of a line through values at equal distances, for `points` of an SVG polyline. */
export function linePoints(values: readonly number[], { width, height }: ChartSize): string {
  const maximum = roundMaximum(values)
  const step = values.length > 1 ? width / (values.length - 1) : 0
  return values.map((value, index) => `${round(index * step)},${round(height - (value / maximum) * height)}`).join(' ')
}

/** Returns the change from one total to another in percent, or null if there was nothing before. */
export function changeInPercent(total: number, previous: number): number | null {
  return previous === 0 ? null : Math.round(((total - previous) / previous) * 100)
}

const round = (number: number) => Math.round(number * 100) / 100
