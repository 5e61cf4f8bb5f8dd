import { request as requestHttp } from 'node:http'
import type { FastifyInstance } from 'fastify'

/** A server under test: the instance, for requests without a socket, or the address on which it listens. */
export type ServerTarget = Pick<FastifyInstance, 'inject'> | string

export interface PeerReply {
  status: number
  headers: Record<string, string>
  body: string
  /** The parsed body; null if it is not JSON. */
  json: any
}

export interface PeerCall {
  method: string
  /** The absolute URL with the server's public name. */
  url: string
  headers: Record<string, string>
  body: Buffer | null
}

/** Sends a request to a server under test, without resolving the host name. */
export async function sendRequest(via: ServerTarget, call: PeerCall): Promise<PeerReply> {
  const reply = typeof via === 'string' ? await sendOverSocket(via, call) : await inject(via, call)
  return { ...reply, json: parse(reply.body) }
}

async function inject(server: Pick<FastifyInstance, 'inject'>, call: PeerCall): Promise<Omit<PeerReply, 'json'>> {
  const { pathname, search } = new URL(call.url)
  const response = await server.inject({
    method: call.method as 'GET' | 'POST',
    url: pathname + search,
    headers: { host: new URL(call.url).host, ...call.headers },
    ...(call.body && { payload: call.body }),
  })
  return { status: response.statusCode, headers: flatten(response.headers), body: response.body }
}

async function sendOverSocket(origin: string, call: PeerCall): Promise<Omit<PeerReply, 'json'>> {
  const { pathname, search, host } = new URL(call.url)
  return new Promise((resolve, reject) => {
    const request = requestHttp(
      origin + pathname + search,
      { method: call.method, headers: { host, ...call.headers }, agent: false },
      (response) => {
        let body = ''
        response.setEncoding('utf8').on('data', (chunk: string) => (body += chunk))
        response.on('end', () => resolve({ status: response.statusCode!, headers: flatten(response.headers), body }))
        response.on('error', reject)
      },
    )
    request.on('error', reject).end(call.body)
  })
}

function flatten(headers: Record<string, number | string | string[] | undefined>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value ?? ''].flat().join(', ')]))
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
