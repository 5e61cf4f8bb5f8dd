import assert from 'node:assert/strict'
import sharp from 'sharp'
import { applyLoad } from '../measure/apply-load.ts'
import { FASTIFY, HTTP } from '../measure/limits.ts'
import type { Row } from '../measure/row.ts'
import type { BenchStage } from '../setup/open-stage.ts'

/** The number of requested files, about as many as a page with many images shows. */
const FILES = 20

/** Measures requests for uploaded images of about 100 KB, stored on disk. */
export function storedFile(): Row {
  let paths: string[] = []
  return {
    name: 'stored file, 100 KB',
    limits: [HTTP, FASTIFY],
    async prepare(stage) {
      paths = []
      for (let n = 0; n < FILES; n += 1)
        paths.push(await upload(stage, { token: stage.tokens[n % stage.tokens.length]! }))
    },
    measure: (stage) => applyLoad(stage, { kind: 'requests', method: 'GET', port: stage.port, paths }),
  }
}

async function upload({ port }: BenchStage, { token }: { token: string }): Promise<string> {
  // Noise, because an image of one colour would have a few hundred bytes.
  const noise = { type: 'gaussian', mean: 128, sigma: 20 } as const
  const image = await sharp({ create: { width: 640, height: 360, channels: 3, background: '#000', noise } })
    .jpeg()
    .toBuffer()
  const body = new FormData()
  body.append('file', new File([new Uint8Array(image)], 'noise.jpg', { type: 'image/jpeg' }))
  const headers = { authorization: `Bearer ${token}` }
  const answer = await fetch(`http://127.0.0.1:${port}/api/v2/media`, { method: 'POST', headers, body })
  const { url } = (await answer.json()) as { url?: string }
  assert.ok(answer.status < 300 && url, `The upload failed with ${answer.status}`)
  return new URL(url).pathname
}
