import sharp from 'sharp'
import type { Random } from '../../test/oracles/random.ts'
import { choosePalette } from './palette.ts'
import { SCENES } from './scenes.ts'
import type { Scene } from './scenes.ts'

/** Renders SVG elements and writes them as JPEG, without chroma subsampling. */
async function render(
  elements: string,
  { width, height, path }: { width: number; height: number; path: string },
): Promise<void> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${elements}</svg>`
  await sharp(Buffer.from(svg)).flatten().jpeg({ quality: 92, chromaSubsampling: '4:4:4' }).toFile(path)
}

/** Draws a scene in random colours, and writes it as JPEG. */
export async function drawPicture({
  random,
  width,
  height,
  path,
  scene = 'hills',
}: {
  random: Random
  width: number
  height: number
  path: string
  scene?: Scene
}): Promise<void> {
  const palette = choosePalette(random)
  const unit = Math.min(width, height) / 100
  await render(SCENES[scene]({ random, palette, width, height, unit }), { width, height, path })
}

const CELLS = 5
/** The size of a cell in pixels. With a margin of half a cell, the image has the size of stored avatars. */
const CELL = 66

/** Draws an avatar, a symmetric grid of squares, and writes it as JPEG. */
export async function drawAvatar({ random, path }: { random: Random; path: string }): Promise<void> {
  const { light, land } = choosePalette(random)
  const half = Math.ceil(CELLS / 2)
  const filled = Array.from({ length: CELLS * half }, () => random.next() < 0.55)
  const size = (CELLS + 1) * CELL
  const fill = random.pick(land.slice(1))
  const squares = Array.from({ length: CELLS * CELLS }, (_, n) => {
    const [column, row] = [n % CELLS, Math.floor(n / CELLS)]
    if (!filled[row * half + Math.min(column, CELLS - 1 - column)]) return ''
    return `<rect x="${(column + 0.5) * CELL}" y="${(row + 0.5) * CELL}" width="${CELL}" height="${CELL}" fill="${fill}"/>`
  })
  const ground = `<rect width="${size}" height="${size}" fill="${light}"/>`
  await render(ground + squares.join(''), { width: size, height: size, path })
}
