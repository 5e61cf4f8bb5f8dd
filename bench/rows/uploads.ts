import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { imageLimits } from '../../src/platform/media/images/image-limits.ts'
import { applyLoad, CONNECTIONS } from '../measure/apply-load.ts'
import { median } from '../report/median.ts'
import type { Row } from '../measure/row.ts'
import type { BenchStage } from '../setup/open-stage.ts'

/** The size of photos of phones. */
const SIDES = { width: 4_000, height: 3_000 }
const PHOTO_BYTES = 4 * 1_048_576
const MB = 1_048_576
/** The maximum memory of the decoders during concurrent uploads. */
const DECODERS_GOAL_MB = 400

/** The interval at which memory is read, shorter than the processing of an image. */
const POLL_MS = 100

/** Returns the rows of uploads: photos of twelve megapixels, of a usual size and of the maximum size. */
export function uploads(): Row[] {
  return [upload('photos of 12 megapixels, 4 MB', PHOTO_BYTES), upload('the same, 16 MB', imageLimits.maxBytes)]
}

function upload(title: string, maxBytes: number): Row {
  let file = ''
  const peaks: Peak[] = []
  return {
    name: `image upload: ${title}`,
    async prepare() {
      file = await drawPhoto(maxBytes)
    },
    async measure(stage) {
      const { port, tokens } = stage
      const sampleMemory = watchMemory(stage)
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
        peaks.push(sampleMemory.stop())
      }
    },
    facts: () =>
      peaks.length === 0
        ? []
        : [
            {
              name: `peak memory during ${CONNECTIONS} concurrent uploads, ${title} (PSS)`,
              value:
                `${median(peaks.map(({ decoders }) => decoders)).toFixed(0)} MB of the decoders ` +
                `(goal ≤ ${DECODERS_GOAL_MB} MB), ${median(peaks.map(({ server }) => server)).toFixed(0)} MB of the server`,
            },
          ],
  }
}

/** Writes a JPEG of noise, with the highest quality that fits into this many bytes. */
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

/** The highest memory of the server and of its decoders in MB, which may be at different times. */
interface Peak {
  server: number
  decoders: number
}

function watchMemory({ readUploadMemory }: BenchStage): { stop(): Peak } {
  const peak: Peak = { server: 0, decoders: 0 }
  const sampleMemory = () => {
    const { server, decoders } = readUploadMemory()
    peak.server = Math.max(peak.server, server)
    peak.decoders = Math.max(peak.decoders, decoders)
  }
  const timer = setInterval(sampleMemory, POLL_MS)
  return {
    stop() {
      clearInterval(timer)
      sampleMemory()
      return peak
    },
  }
}
