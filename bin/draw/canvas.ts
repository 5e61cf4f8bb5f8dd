import type { Random } from '../../test/oracles/random.ts'
import type { Palette } from './palette.ts'

/** The parameters of a drawing. Sizes are in pixels; `unit` is a hundredth of the shorter side. */
export interface Canvas {
  random: Random
  palette: Palette
  width: number
  height: number
  unit: number
}

/** Draws one scene over the whole canvas, as SVG elements. */
export type DrawScene = (canvas: Canvas) => string

export const circle = (x: number, y: number, radius: number, fill: string) =>
  `<circle cx="${x}" cy="${y}" r="${radius}" fill="${fill}"/>`
export const rect = (x: number, y: number, width: number, height: number, fill: string, rounding = 0) =>
  `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="${rounding}" fill="${fill}"/>`
export const line = (points: readonly [x: number, y: number][], stroke: string, thickness: number) =>
  `<polyline points="${points.join(' ')}" fill="none" stroke="${stroke}" stroke-width="${thickness}" stroke-linecap="round"/>`
export const shape = (points: readonly [x: number, y: number][], fill: string) =>
  `<polygon points="${points.join(' ')}" fill="${fill}"/>`
export const times = (count: number, draw: (n: number) => string) =>
  Array.from({ length: count }, (_, n) => draw(n)).join('')
/** Returns a point on a circle; `turn` from 0 to 1 is one revolution from the top. */
export const around = (x: number, y: number, radius: number, turn: number): [number, number] => [
  x + radius * Math.sin(turn * 2 * Math.PI),
  y - radius * Math.cos(turn * 2 * Math.PI),
]

/** Draws an area with a wavy upper edge at `top`, down to the lower edge of the image. */
export function wave(
  { random, width, height }: Canvas,
  { top, swing, fill }: { top: number; swing: number; fill: string },
) {
  const waves = (1 + random.next() * 2) * Math.PI
  const shift = random.next() * Math.PI * 2
  const edge = Array.from({ length: 65 }, (_, n): [number, number] => [
    (n / 64) * width,
    top + swing * Math.sin((n / 64) * waves + shift),
  ])
  return shape([...edge, [width, height], [0, height]], fill)
}

export const sky = ({ width, height, palette }: Canvas) => rect(0, 0, width, height, palette.light)
export const tableTop = ({ width, height, palette }: Canvas) =>
  rect(0, height * 0.62, width, height * 0.38, palette.land[1])

export const stars = ({ random, width, height, unit }: Canvas) =>
  times(70, () =>
    circle(random.between(0, width), random.between(0, height), unit * (0.2 + random.next() * 0.4), '#fff'),
  )
