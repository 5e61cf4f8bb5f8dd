import sharp from 'sharp'
import type { Random } from '../test/random.ts'
import { choosePalette } from './draw/palette.ts'
import { SCENES } from './draw/scenes.ts'
import type { Scene } from './draw/scenes.ts'

/** Renders SVG elements, with smooth edges, and writes them as JPEG without coarser colours. */
async function render(
  elements: string,
  { width, height, path }: { width: number; height: number; path: string },
): Promise<void> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${elements}</svg>`
  await sharp(Buffer.from(svg)).flatten().jpeg({ quality: 92, chromaSubsampling: '4:4:4' }).toFile(path)
}

/** Draws a scene in colours of its own. Written as JPEG. */
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
/** Pixels. With half a cell on each side it is as large as an avatar is stored. */
const CELL = 66

/** Draws a made-up sign for an account: a grid of squares, the same on both sides as a face is. Written as JPEG. */
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
