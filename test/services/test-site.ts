import assert from 'node:assert/strict'
import { createServer as createHttpServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import { createServer as createTcpServer } from 'node:net'
import type { AddressInfo, Server, Socket } from 'node:net'
import { after } from 'node:test'
import { FetchFailedError, FetchRefusedError } from '../../src/platform/fetch/fetch-errors.ts'
import { createFetcher } from '../../src/platform/fetch/fetcher.ts'
import type { Fetcher, FetcherOptions } from '../../src/platform/fetch/fetcher.ts'
import { createCa } from './certificates.ts'

/** Small sites for tests of the fetcher. The sites and the fetchers are closed at the end of the test file. */

export type Handler = (request: IncomingMessage & { body: string }, response: ServerResponse) => void

const ca = createCa()
const certificate = ca.issue(['a.test', 'b.test', 'xn--bcher-kva.test', '127.0.0.1'])

export interface TestSite {
  port: number
  /** `METHOD host/path` of all requests. */
  log: string[]
  sockets: Set<Socket>
  connections: number
}

async function listen(server: Server): Promise<TestSite> {
  const site: TestSite = { port: 0, log: [], sockets: new Set(), connections: 0 }
  server.on('connection', (socket: Socket) => {
    site.connections += 1
    site.sockets.add(socket.on('close', () => site.sockets.delete(socket)).on('error', () => {}))
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  site.port = (server.address() as AddressInfo).port
  after(() => {
    server.close()
    for (const socket of site.sockets) socket.destroy()
  })
  return site
}

/** Opens a site with the names a.test and b.test, with a handler for each path. */
export async function openTestSite(pages: Record<string, Handler>, { tls = true } = {}): Promise<TestSite> {
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    const [path = ''] = request.url!.split('?')
    site.log.push(`${request.method} ${request.headers.host}${request.url}`)
    let body = ''
    request.on('data', (chunk: Buffer) => (body += String(chunk)))
    request.on('end', () => (pages[path] ?? notFound)(Object.assign(request, { body }), response))
  }
  const notFound: Handler = (_request, response) => void response.writeHead(404).end('not found')
  const site: TestSite = await listen(tls ? createServer(certificate, answer) : createHttpServer(answer))
  return site
}

export function fetcherFor(site: Pick<TestSite, 'port'>, options: Partial<FetcherOptions> = {}): Fetcher {
  const testHost = { ip: '127.0.0.1', port: site.port }
  const fetcher = createFetcher({
    userAgent: 'Linnet test',
    allowedPrivate: ['127.0.0.0/8'],
    testHosts: new Map(['a.test', 'b.test', 'xn--bcher-kva.test', 'other.test'].map((name) => [name, testHost])),
    extraCa: ca.pem,
    ...options,
  })
  after(() => fetcher.close())
  return fetcher
}

export const redirect =
  (location: string, status = 302): Handler =>
  (_request, response) =>
    void response.writeHead(status, { location }).end('redirected')

export async function errorKindOf(work: Promise<unknown>): Promise<string> {
  const err: unknown = await work.then(
    () => assert.fail('the request should have failed'),
    (err: unknown) => err,
  )
  if (err instanceof FetchFailedError) return err.kind
  if (err instanceof FetchRefusedError) return err.reason
  throw err
}

/** Opens a TCP server that responds with any bytes. */
export const openRawServer = async (respond: (socket: Socket) => void): Promise<TestSite> =>
  listen(createTcpServer((socket) => respond(socket.resume())))
