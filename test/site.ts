import assert from 'node:assert/strict'
import { createServer as createHttpServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import { createServer as createTcpServer } from 'node:net'
import type { AddressInfo, Server, Socket } from 'node:net'
import { after } from 'node:test'
import { FetchFailed, FetchRefused } from '../src/platform/fetch/refusals.ts'
import { createFetcher } from '../src/platform/fetch.ts'
import type { Fetcher, FetcherOptions } from '../src/platform/fetch.ts'
import { createCa } from './certificates.ts'

/** Small sites that answer, or don't, for tests of the fetcher. They and its fetchers end with the test file. */

export type Handler = (request: IncomingMessage & { body: string }, response: ServerResponse) => void

const ca = createCa()
const certificate = ca.issue(['a.test', 'b.test', 'xn--bcher-kva.test', '127.0.0.1'])

export interface Site {
  port: number
  /** `METHOD host/path` of all that came. */
  log: string[]
  sockets: Set<Socket>
  connections: number
}

async function listen(server: Server): Promise<Site> {
  const site: Site = { port: 0, log: [], sockets: new Set(), connections: 0 }
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

/** A site of the names a.test and b.test, answering by path. */
export async function openSite(pages: Record<string, Handler>, { tls = true } = {}): Promise<Site> {
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    const [path = ''] = request.url!.split('?')
    site.log.push(`${request.method} ${request.headers.host}${request.url}`)
    let body = ''
    request.on('data', (chunk: Buffer) => (body += String(chunk)))
    request.on('end', () => (pages[path] ?? notFound)(Object.assign(request, { body }), response))
  }
  const notFound: Handler = (_request, response) => void response.writeHead(404).end('nothing here')
  const site: Site = await listen(tls ? createServer(certificate, answer) : createHttpServer(answer))
  return site
}

export function fetcherFor(site: Pick<Site, 'port'>, options: Partial<FetcherOptions> = {}): Fetcher {
  const here = { ip: '127.0.0.1', port: site.port }
  const fetcher = createFetcher({
    userAgent: 'Linnet test',
    allowedPrivate: ['127.0.0.0/8'],
    testHosts: new Map(['a.test', 'b.test', 'xn--bcher-kva.test', 'other.test'].map((name) => [name, here])),
    extraCa: ca.pem,
    ...options,
  })
  after(() => fetcher.close())
  return fetcher
}

export const redirect =
  (location: string, status = 302): Handler =>
  (_request, response) =>
    void response.writeHead(status, { location }).end('elsewhere')

export async function failure(work: Promise<unknown>): Promise<string> {
  const err: unknown = await work.then(
    () => assert.fail('it should not have been answered'),
    (err: unknown) => err,
  )
  if (err instanceof FetchFailed) return err.kind
  if (err instanceof FetchRefused) return err.reason
  throw err
}

/** A server that speaks as it likes. */
export const openRaw = async (speak: (socket: Socket) => void): Promise<Site> =>
  listen(createTcpServer((socket) => speak(socket.resume())))
