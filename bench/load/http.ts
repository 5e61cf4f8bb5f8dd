import { connect } from 'node:net'
import type { Socket } from 'node:net'
import type { MeasurementWindow } from './measurement-window.ts'

/** Sends requests on one persistent connection, each after the complete response to the previous one; null ends it. */
export async function sendRequests(
  port: number,
  { next, window }: { next: () => Buffer | string | null; window: MeasurementWindow },
): Promise<void> {
  const socket = connect(port, '127.0.0.1').setNoDelay()
  try {
    await new Promise<void>((resolve, reject) => socket.once('connect', resolve).once('error', reject))
    for (let request = next(); request !== null; request = next()) {
      const start = performance.now()
      socket.write(request)
      const { status, bytes } = await readResponse(socket)
      window.count(performance.now() - start, status >= 200 && status < 300)
      window.bytes = bytes
    }
  } finally {
    socket.destroy()
  }
}

function readResponse(socket: Socket): Promise<{ status: number; bytes: number }> {
  return new Promise((resolve, reject) => {
    let head: Buffer | null = Buffer.alloc(0)
    let status = 0
    let bytes = 0
    let missing = 0
    const done = (finish: () => void) => {
      socket.off('data', read).off('close', fail)
      finish()
    }
    const fail = () => done(() => reject(new Error('The server closed the connection')))
    const read = (chunk: Buffer) => {
      if (head) {
        head = head.length === 0 ? chunk : Buffer.concat([head, chunk])
        const end = head.indexOf('\r\n\r\n')
        if (end < 0) return
        const text = head.toString('latin1', 0, end)
        status = Number(text.slice(9, 12))
        const length = /\r\ncontent-length: (\d+)/i.exec(text)?.[1]
        if (length === undefined) return done(() => reject(new Error(`A response of unknown length: ${text}`)))
        bytes = Number(length)
        missing = bytes - (head.length - end - 4)
        head = null
      } else missing -= chunk.length
      if (missing <= 0) done(() => resolve({ status, bytes }))
    }
    socket.on('data', read).on('close', fail)
  })
}
