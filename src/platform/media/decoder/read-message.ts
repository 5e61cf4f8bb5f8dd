import type { Readable } from 'node:stream'
import { MAX_LINE_BYTES } from './orders.ts'

/** Messages of one line of JSON each, with bytes behind it, from a pipe. */
export interface MessageReader {
  /** Null at the end of the pipe. */
  readLine(): Promise<unknown>
  /** Throws when the pipe ends before. */
  readBytes(count: number): Promise<Buffer>
}

/** The pipe is read only as far as is asked for, but for what it has already brought. */
export function readMessages(pipe: Readable): MessageReader {
  const chunks = pipe[Symbol.asyncIterator]() as AsyncIterator<Buffer>
  let rest: Buffer[] = []

  async function more(): Promise<boolean> {
    const { done, value } = await chunks.next()
    if (!done) rest.push(value)
    return !done
  }

  async function take(count: number): Promise<Buffer> {
    let size = rest.reduce((sum, one) => sum + one.length, 0)
    while (size < count) {
      if (!(await more())) throw new Error('The pipe ended in the middle of a message')
      size += rest.at(-1)!.length
    }
    const whole = rest.length === 1 ? rest[0]! : Buffer.concat(rest)
    rest = [whole.subarray(count)]
    return whole.subarray(0, count)
  }

  return {
    async readLine() {
      for (;;) {
        const begun = Buffer.concat(rest)
        const end = begun.indexOf('\n')
        if (end >= 0) {
          rest = [begun.subarray(end + 1)]
          return JSON.parse(begun.toString('utf8', 0, end)) as unknown
        }
        if (begun.length > MAX_LINE_BYTES) throw new Error('A message begins with too long a line')
        rest = [begun]
        if (!(await more())) return null
      }
    },
    readBytes: take,
  }
}
