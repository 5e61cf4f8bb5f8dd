import { readFileSync } from 'node:fs'
import { sendRequests } from './http.ts'
import type { MeasurementWindow } from './measurement-window.ts'
import type { PreparedWork, Requests } from './work.ts'

let sent = 0

export function prepareRequests(requests: Requests, window: MeasurementWindow): PreparedWork {
  const form = requests.file === undefined ? null : writeForm(requests.file)
  return {
    async run(isOver) {
      await sendRequests(requests.port, { next: () => (isOver() ? null : writeRequest(requests, form)), window })
    },
  }
}

const BOUNDARY = 'bench-boundary'

function writeForm(file: string): Buffer {
  const head = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n`
  return Buffer.concat([Buffer.from(head), readFileSync(file), Buffer.from(`\r\n--${BOUNDARY}--\r\n`)])
}

function writeRequest(
  { port, method, paths, tokens, addresses, posts, bodies }: Requests,
  form: Buffer | null,
): string | Buffer {
  sent += 1
  const lines = [`${method} ${paths[sent % paths.length]} HTTP/1.1`, `Host: localhost:${port}`, 'User-Agent: bench']
  if (tokens) lines.push(`Authorization: Bearer ${tokens[sent % tokens.length]}`)
  if (addresses)
    lines.push(`X-Forwarded-For: 198.18.${Math.floor((sent % addresses) / 250)}.${(sent % addresses) % 250}`)
  const post = posts ? JSON.stringify({ status: `Number ${sent} of many #bench`, visibility: 'public' }) : ''
  const body = bodies ? bodies[sent % bodies.length]! : post
  if (body) lines.push('Content-Type: application/json', `Content-Length: ${Buffer.byteLength(body)}`)
  if (form) {
    lines.push(`Content-Type: multipart/form-data; boundary=${BOUNDARY}`, `Content-Length: ${form.length}`)
    return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), form])
  }
  return `${lines.join('\r\n')}\r\n\r\n${body}`
}
