import { ask } from './http.ts'
import type { Window } from './window.ts'
import type { Hands, Requests } from './work.ts'

let sent = 0

export function prepareRequests(requests: Requests, window: Window): Hands {
  return {
    async run(isOver) {
      await ask(requests.port, { next: () => (isOver() ? null : writeRequest(requests)), window })
    },
  }
}

function writeRequest({ port, method, paths, tokens, addresses, posts }: Requests): string {
  sent += 1
  const lines = [`${method} ${paths[sent % paths.length]} HTTP/1.1`, `Host: localhost:${port}`]
  if (tokens) lines.push(`Authorization: Bearer ${tokens[sent % tokens.length]}`)
  if (addresses)
    lines.push(`X-Forwarded-For: 198.18.${Math.floor((sent % addresses) / 250)}.${(sent % addresses) % 250}`)
  const body = posts ? JSON.stringify({ status: `Number ${sent} of many #bench`, visibility: 'public' }) : ''
  if (posts) lines.push('Content-Type: application/json', `Content-Length: ${Buffer.byteLength(body)}`)
  return `${lines.join('\r\n')}\r\n\r\n${body}`
}
