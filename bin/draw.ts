import sharp from 'sharp'
import type { Random } from '../test/random.ts'

type Colour = [red: number, green: number, blue: number]

/** A colour that covers some of the points. */
interface Shape {
  colour: Colour
  covers(x: number, y: number): boolean
}

/** Painted is every second point each way; the rest is interpolated, which also softens the edges. */
const GRAIN = 2

/** Paints shapes one over another, the last on top, and writes them as JPEG. Width and height are even. */
async function paint(
  shapes: readonly Shape[],
  { width, height, path }: { width: number; height: number; path: string },
): Promise<void> {
  const fromTop = shapes.toReversed()
  const raw = { width: width / GRAIN, height: height / GRAIN, channels: 3 } as const
  const pixels = Buffer.alloc(raw.width * raw.height * raw.channels)
  for (let y = 0, offset = 0; y < height; y += GRAIN) {
    for (let x = 0; x < width; x += GRAIN, offset += 3) {
      const [red, green, blue] = fromTop.find((shape) => shape.covers(x, y))?.colour ?? [255, 255, 255]
      pixels[offset] = red
      pixels[offset + 1] = green
      pixels[offset + 2] = blue
    }
  }
  await sharp(pixels, { raw }).resize(width, height).jpeg({ quality: 88 }).toFile(path)
}

/** Hue in degrees, saturation and lightness from 0 to 1, by the usual formula. */
function colourOf(hue: number, saturation: number, lightness: number): Colour {
  const swing = saturation * Math.min(lightness, 1 - lightness)
  const channel = (n: number) => {
    const k = (n + hue / 30) % 12
    return Math.round(255 * (lightness - swing * Math.max(-1, Math.min(k - 3, 9 - k, 1))))
  }
  return [channel(0), channel(8), channel(4)]
}

interface Palette {
  light: Colour
  /** From far to near: each darker than the one before. */
  land: [Colour, Colour, Colour]
  accent: Colour
}

/** Colours that go together: quiet neighbours on the wheel, and a warmer one from across. */
function choosePalette(random: Random): Palette {
  const hue = random.between(0, 359)
  const near = (turn: number, lightness: number) => colourOf((hue + turn) % 360, 0.22 + random.next() * 0.16, lightness)
  return {
    light: near(0, 0.86),
    land: [near(15, 0.66), near(28, 0.5), near(40, 0.34)],
    accent: colourOf((hue + 165) % 360, 0.55, 0.7),
  }
}

/** A made-up picture: a sky with a few round things in it, and hills one behind another. Written as JPEG. */
export async function drawPicture({
  random,
  width,
  height,
  path,
}: {
  random: Random
  width: number
  height: number
  path: string
}): Promise<void> {
  const { light, land, accent } = choosePalette(random)
  const sky: Shape = { colour: light, covers: () => true }
  const suns = Array.from({ length: random.between(1, 2) }, (): Shape => {
    const [left, top] = [random.between(0, width), random.between(0, height / 2)]
    const radius = random.between(height / 30, height / 6)
    return { colour: accent, covers: (x, y) => Math.hypot(x - left, y - top) < radius }
  })
  const hills = Array.from({ length: random.between(2, 3) }, (_, n): Shape => {
    const top = height * (0.52 + n * 0.16)
    const swing = height * (0.03 + random.next() * 0.08)
    const waves = (1 + random.next() * 2) * Math.PI
    const shift = random.next() * Math.PI * 2
    return {
      colour: land[n]!,
      covers: (x, y) => y > top + swing * Math.sin((x / width) * waves + shift),
    }
  })
  await paint([sky, ...suns, ...hills], { width, height, path })
}

const CELLS = 5
const CELL = 64

/** A made-up sign for a person: a grid of squares, the same on both sides as a face is. Written as JPEG. */
export async function drawAvatar({ random, path }: { random: Random; path: string }): Promise<void> {
  const { light, land } = choosePalette(random)
  const half = Math.ceil(CELLS / 2)
  const filled = Array.from({ length: CELLS * half }, () => random.next() < 0.55)
  const size = (CELLS + 1) * CELL
  const squares: Shape = {
    colour: random.pick(land.slice(1)),
    covers(x, y) {
      const [column, row] = [Math.floor(x / CELL - 0.5), Math.floor(y / CELL - 0.5)]
      if (Math.min(column, row) < 0 || Math.max(column, row) >= CELLS) return false
      return filled[row * half + Math.min(column, CELLS - 1 - column)] === true
    },
  }
  await paint([{ colour: light, covers: () => true }, squares], { width: size, height: size, path })
}
