import { connect as connectPlain, createServer } from 'node:net'
import { connect as connectTls } from 'node:tls'
import type { Config } from '../../../../platform/config/config.ts'
import { warning, ok, problem } from './finding.ts'
import type { Finding } from './finding.ts'
import { checkPublicAddress } from './public-address.ts'

const HEALTH_TIMEOUT_MS = 3_000

/** Checks whether the port is free, or used by a running Linnet. */
export async function checkPort(config: Config): Promise<Finding[]> {
  const address = `port ${config.port} of ${config.bind}`
  const code = await tryToListen(config)
  if (code === null) return [ok(`${address} is free: no server listens there`)]
  if (code === 'EACCES') return [problem(`this user may not listen on ${address}`, 'set PORT to 1024 or above')]
  if (code !== 'EADDRINUSE')
    return [problem(`the server cannot listen on ${address} (${code})`, 'set BIND to an address of this machine')]
  const healthResponse = await fetchHealth(config)
  if (healthResponse.includes('"UP"'))
    return [ok(`a server is running on ${address}`), ...(await checkPublicAddress(config))]
  if (healthResponse.includes('"DOWN"'))
    return [problem(`the server on ${address} cannot reach its database`, 'check its log')]
  return [warning(`another program uses ${address}`, 'stop it or change PORT')]
}

async function tryToListen({ bind, port }: Config): Promise<string | null> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', (err: NodeJS.ErrnoException) => resolve(err.code ?? err.message))
    server.listen({ host: bind, port }, () => server.close(() => resolve(null)))
  })
}

/** Returns the raw response to a request for `/health`, or an empty text. */
async function fetchHealth({ bind, port, tls }: Config): Promise<string> {
  const host = bind === '0.0.0.0' ? '127.0.0.1' : bind === '::' ? '::1' : bind
  return new Promise((resolve) => {
    // The certificate is for the domain and not for this address, and the request contains no secrets.
    const socket = tls ? connectTls({ host, port, rejectUnauthorized: false }) : connectPlain({ host, port })
    let response = ''
    socket.setTimeout(HEALTH_TIMEOUT_MS, () => socket.destroy())
    socket.on('data', (chunk: Buffer) => (response += chunk.toString()))
    socket.on('error', () => socket.destroy())
    socket.on('close', () => resolve(response))
    socket.write(`GET /health HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)
  })
}
