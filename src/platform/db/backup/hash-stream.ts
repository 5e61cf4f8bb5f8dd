import { createHash } from 'node:crypto'
import { Transform } from 'node:stream'
import type { BackupFile } from './manifest.ts'

/** A stream that passes its bytes on, counts and hashes them. Call `result` when it has ended. */
export function createHashStream(): { stream: Transform; result: () => Pick<BackupFile, 'bytes' | 'sha256'> } {
  const hash = createHash('sha256')
  let bytes = 0
  const stream = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk)
      bytes += chunk.length
      done(null, chunk)
    },
  })
  return { stream, result: () => ({ bytes, sha256: hash.digest('hex') }) }
}
