import type { Colours } from '../images/rendition.ts'

type Colour = readonly [red: number, green: number, blue: number]

/** Number of shades per channel: similar colours are counted together. */
const SHADES = 8
/** The minimum contrast of text in WCAG 2, level AA. */
const MIN_TEXT_CONTRAST = 4.5
const BLACK: Colour = [0, 0, 0]
const WHITE: Colour = [255, 255, 255]

/**
 * Returns the colours of the area around an image. `background`: the most frequent colour. `foreground`: black or
 * white, whichever has more contrast to it. `accent`: the most saturated other colour with sufficient contrast.
 * `pixels`: RGBA.
 */
export function pickColours(pixels: Uint8ClampedArray): Colours {
  const byFrequency = countColours(pixels)
  const background = byFrequency[0]!
  const foreground = contrast(background, WHITE) >= contrast(background, BLACK) ? WHITE : BLACK
  const readable = byFrequency.filter((colour) => contrast(background, colour) >= MIN_TEXT_CONTRAST)
  const [accent = foreground] = readable.toSorted((a, b) => saturationOf(b) - saturationOf(a))
  return { background: toHexColour(background), foreground: toHexColour(foreground), accent: toHexColour(accent) }
}

/** Returns the average of each group of similar colours, the most frequent first. */
function countColours(pixels: Uint8ClampedArray): Colour[] {
  const groups = new Map<number, { count: number; sums: [number, number, number] }>()
  for (let offset = 0; offset < pixels.length; offset += 4) {
    const [red, green, blue] = [pixels[offset]!, pixels[offset + 1]!, pixels[offset + 2]!]
    const key = [red, green, blue].reduce((sum, value) => sum * SHADES + Math.floor((value * SHADES) / 256), 0)
    const group = groups.get(key) ?? { count: 0, sums: [0, 0, 0] }
    group.count += 1
    group.sums = [group.sums[0] + red, group.sums[1] + green, group.sums[2] + blue]
    groups.set(key, group)
  }
  return [...groups.values()]
    .toSorted((a, b) => b.count - a.count)
    .map(({ count, sums }) => [sums[0] / count, sums[1] / count, sums[2] / count])
}

function saturationOf(colour: Colour): number {
  return Math.max(...colour) - Math.min(...colour)
}

/** Returns the contrast ratio of WCAG 2: from 1 to 21. */
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

function toHexColour(colour: Colour): string {
  return `#${colour.map((value) => Math.round(value).toString(16).padStart(2, '0')).join('')}`
}
