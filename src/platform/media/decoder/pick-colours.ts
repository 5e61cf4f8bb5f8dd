import type { Colours } from '../rendition.ts'

type Colour = readonly [red: number, green: number, blue: number]

/** Shades of each channel that count as different: near ones are taken together. */
const SHADES = 8
/** As much as readers with weak eyes need for text (WCAG 2, AA). */
const ENOUGH_CONTRAST = 4.5
const BLACK: Colour = [0, 0, 0]
const WHITE: Colour = [255, 255, 255]

/**
 * Colours for what stands around a picture: the one that fills most of it, black or white to write on that, and the most
 * lively other one that can be told from it. Four bytes for each pixel.
 */
export function pickColours(pixels: Uint8ClampedArray): Colours {
  const common = countColours(pixels)
  const background = common[0]!
  const foreground = contrast(background, WHITE) >= contrast(background, BLACK) ? WHITE : BLACK
  const readable = common.filter((one) => contrast(background, one) >= ENOUGH_CONTRAST)
  const [accent = foreground] = readable.toSorted((a, b) => livelinessOf(b) - livelinessOf(a))
  return { background: write(background), foreground: write(foreground), accent: write(accent) }
}

/** The average of each group of near colours, the most frequent first. */
function countColours(pixels: Uint8ClampedArray): Colour[] {
  const groups = new Map<number, { count: number; sums: [number, number, number] }>()
  for (let at = 0; at < pixels.length; at += 4) {
    const [red, green, blue] = [pixels[at]!, pixels[at + 1]!, pixels[at + 2]!]
    const key = [red, green, blue].reduce((sum, one) => sum * SHADES + Math.floor((one * SHADES) / 256), 0)
    const group = groups.get(key) ?? { count: 0, sums: [0, 0, 0] }
    group.count += 1
    group.sums = [group.sums[0] + red, group.sums[1] + green, group.sums[2] + blue]
    groups.set(key, group)
  }
  return [...groups.values()]
    .toSorted((a, b) => b.count - a.count)
    .map(({ count, sums }) => [sums[0] / count, sums[1] / count, sums[2] / count])
}

function livelinessOf(colour: Colour): number {
  return Math.max(...colour) - Math.min(...colour)
}

/** WCAG 2: from 1 to 21. */
function contrast(one: Colour, other: Colour): number {
  const [darker, lighter] = [luminanceOf(one), luminanceOf(other)].toSorted((a, b) => a - b)
  return (lighter! + 0.05) / (darker! + 0.05)
}

function luminanceOf(colour: Colour): number {
  const [red, green, blue] = colour.map((value) => {
    const part = value / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!
}

function write(colour: Colour): string {
  return `#${colour.map((value) => Math.round(value).toString(16).padStart(2, '0')).join('')}`
}
