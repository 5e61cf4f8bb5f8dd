import { connect as connectPlain, createServer } from 'node:net'
import { connect as connectTls } from 'node:tls'
import type { Config } from '../../platform/config.ts'
import { care, fine, trouble } from './finding.ts'
import type { Finding } from './finding.ts'

const PATIENCE_MS = 3_000

/** Whether the port is free, or taken by a Linnet that answers. */
export async function checkPort(config: Config): Promise<Finding[]> {
  const place = `port ${config.port} of ${config.bind}`
  const code = await tryToListen(config)
  if (code === null) return [fine(`${place} is free: no server is running`)]
  if (code === 'EACCES') return [trouble(`this user may not listen on ${place}`, 'set PORT to 1024 or above')]
  if (code !== 'EADDRINUSE')
    return [trouble(`the server cannot listen on ${place} (${code})`, 'set BIND to an address of this machine')]
  const answer = await askHealth(config)
  if (answer.includes('"UP"')) return [fine(`a server is running on ${place}`)]
  if (answer.includes('"DOWN"')) return [trouble(`the server on ${place} cannot reach its database`, 'check its log')]
  return [care(`another program uses ${place}`, 'stop it or change PORT')]
}

async function tryToListen({ bind, port }: Config): Promise<string | null> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', (err: NodeJS.ErrnoException) => resolve(err.code ?? err.message))
    server.listen({ host: bind, port }, () => server.close(() => resolve(null)))
  })
}

/** The whole answer to a plain request for `/health`, or nothing. */
async function askHealth({ bind, port, tls }: Config): Promise<string> {
  const host = bind === '0.0.0.0' ? '127.0.0.1' : bind === '::' ? '::1' : bind
  return new Promise((resolve) => {
    // Its certificate is for the domain, not for this address, and nothing secret is said.
    const socket = tls ? connectTls({ host, port, rejectUnauthorized: false }) : connectPlain({ host, port })
    let answer = ''
    socket.setTimeout(PATIENCE_MS, () => socket.destroy())
    socket.on('data', (chunk: Buffer) => (answer += chunk.toString()))
    socket.on('error', () => socket.destroy())
    socket.on('close', () => resolve(answer))
    socket.write(`GET /health HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)
  })
}
