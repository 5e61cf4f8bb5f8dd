import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { imageLimits } from '../../src/platform/media/image-limits.ts'
import { applyLoad, CONNECTIONS } from '../apply-load.ts'
import { median } from '../median.ts'
import type { Row } from '../row.ts'
import type { Stage } from '../stage.ts'

/** As telephones take them. */
const SIDES = { width: 4_000, height: 3_000 }
const PHOTO_BYTES = 4 * 1_048_576
const MB = 1_048_576

/** How often memory is looked at. Pictures take longer than that. */
const LOOK_MS = 100

/** Pictures of twelve megapixels, as large as telephones make them, and as large as they may be. */
export function uploads(): Row[] {
  return [upload('photos of 12 megapixels, 4 MB', PHOTO_BYTES), upload('the same, 16 MB', imageLimits.maxBytes)]
}

function upload(title: string, maxBytes: number): Row {
  let file = ''
  const peaks: number[] = []
  return {
    name: `image upload: ${title}`,
    async prepare() {
      file = await drawPhoto(maxBytes)
    },
    async measure(stage) {
      const { port, tokens } = stage
      const look = watchMemory(stage)
      try {
        return await applyLoad(stage, {
          kind: 'requests',
          method: 'POST',
          port,
          paths: ['/api/v2/media'],
          tokens,
          file,
        })
      } finally {
        peaks.push(look.stop())
      }
    },
    facts: () =>
      peaks.length === 0
        ? []
        : [
            {
              name: `most memory during ${CONNECTIONS} uploads at once, ${title} (PSS)`,
              value: `${median(peaks).toFixed(0)} MB of the server and its decoders`,
            },
          ],
  }
}

/** Grain that compresses badly: as good a JPEG as fits into so many bytes. */
async function drawPhoto(maxBytes: number): Promise<string> {
  const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const
  const grain = await sharp({ create: { ...SIDES, channels: 3, background: '#777777', noise } })
    .png({ compressionLevel: 1 })
    .toBuffer()
  const folder = await mkdtemp(join(tmpdir(), 'linnet-bench-'))
  process.once('exit', () => void rm(folder, { recursive: true, force: true }))
  for (let quality = 100; quality > 0; quality -= 4) {
    const photo = await sharp(grain).jpeg({ quality }).toBuffer()
    if (photo.length > maxBytes) continue
    const path = join(folder, 'photo.jpg')
    await writeFile(path, photo)
    return path
  }
  throw new Error(`No photo fits into ${maxBytes / MB} MB`)
}

function watchMemory({ readUploadMemory }: Stage): { stop(): number } {
  let most = 0
  const look = () => (most = Math.max(most, readUploadMemory()))
  const timer = setInterval(look, LOOK_MS)
  return {
    stop() {
      clearInterval(timer)
      look()
      return most
    },
  }
}
