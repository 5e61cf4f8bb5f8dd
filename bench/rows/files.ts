import assert from 'node:assert/strict'
import sharp from 'sharp'
import { applyLoad } from '../apply-load.ts'
import { FASTIFY, HTTP } from '../limits.ts'
import type { Row } from '../row.ts'
import type { Stage } from '../stage.ts'

/** Files that are asked for again and again: as many as a busy page shows. */
const FILES = 20

/** Pictures of about 100 KB, as people upload them, from the disk. */
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

async function upload({ port }: Stage, { token }: { token: string }): Promise<string> {
  // Noise, since a plain colour would be a few hundred bytes.
  const noise = { type: 'gaussian', mean: 128, sigma: 20 } as const
  const picture = await sharp({ create: { width: 640, height: 360, channels: 3, background: '#000', noise } })
    .jpeg()
    .toBuffer()
  const body = new FormData()
  body.append('file', new File([new Uint8Array(picture)], 'noise.jpg', { type: 'image/jpeg' }))
  const headers = { authorization: `Bearer ${token}` }
  const answer = await fetch(`http://127.0.0.1:${port}/api/v2/media`, { method: 'POST', headers, body })
  const { url } = (await answer.json()) as { url?: string }
  assert.ok(answer.status < 300 && url, `The upload was answered with ${answer.status}`)
  return new URL(url).pathname
}
