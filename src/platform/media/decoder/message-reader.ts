import type { Readable } from 'node:stream'
import { MAX_LINE_BYTES } from './protocol.ts'

/** Reads messages from a pipe: each is one line of JSON, followed by binary data. */
export interface MessageReader {
  /** Returns null at the end of the pipe. */
  readLine(): Promise<unknown>
  /** Throws if the pipe ends earlier. */
  readBytes(count: number): Promise<Buffer>
}

/** Returns a reader that reads from the pipe only when its buffer has too little data. */
export function createMessageReader(pipe: Readable): MessageReader {
  const chunks = pipe[Symbol.asyncIterator]() as AsyncIterator<Buffer>
  let buffered: Buffer[] = []

  async function readChunk(): Promise<boolean> {
    const { done, value } = await chunks.next()
    if (!done) buffered.push(value)
    return !done
  }

  async function take(count: number): Promise<Buffer> {
    let size = buffered.reduce((sum, chunk) => sum + chunk.length, 0)
    while (size < count) {
      if (!(await readChunk())) throw new Error('The pipe ended in the middle of a message')
      size += buffered.at(-1)!.length
    }
    const whole = buffered.length === 1 ? buffered[0]! : Buffer.concat(buffered)
    buffered = [whole.subarray(count)]
    return whole.subarray(0, count)
  }

  return {
    async readLine() {
      for (;;) {
        const joined = Buffer.concat(buffered)
        const end = joined.indexOf('\n')
        if (end >= 0) {
          buffered = [joined.subarray(end + 1)]
          return JSON.parse(joined.toString('utf8', 0, end)) as unknown
        }
        if (joined.length > MAX_LINE_BYTES) throw new Error('A message begins with too long a line')
        buffered = [joined]
        if (!(await readChunk())) return null
      }
    },
    readBytes: take,
  }
}
