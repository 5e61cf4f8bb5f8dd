import type { Random } from '../../test/oracles/random.ts'

/** Colours in the syntax of SVG. */
export interface Palette {
  light: string
  /** From the background to the foreground, each darker than the previous one. */
  land: [string, string, string]
  accent: string
  dark: string
}

/** Chooses matching colours: muted ones with similar hues, and a complementary accent. */
export function choosePalette(random: Random): Palette {
  const hue = random.between(0, 359)
  const near = (turn: number, lightness: number) => colourOf((hue + turn) % 360, 0.24 + random.next() * 0.16, lightness)
  return {
    light: near(0, 0.88),
    land: [near(15, 0.68), near(28, 0.5), near(40, 0.34)],
    accent: colourOf((hue + 165) % 360, 0.62, 0.64),
    dark: near(50, 0.18),
  }
}

/** Converts a hue in degrees, and saturation and lightness from 0 to 1, to RGB. */
function colourOf(hue: number, saturation: number, lightness: number): string {
  const swing = saturation * Math.min(lightness, 1 - lightness)
  const channel = (n: number) => {
    const k = (n + hue / 30) % 12
    return Math.round(255 * (lightness - swing * Math.max(-1, Math.min(k - 3, 9 - k, 1))))
  }
  return `rgb(${channel(0)},${channel(8)},${channel(4)})`
}
