import type { InjectOptions, LightMyRequestResponse } from 'fastify'

export interface ClientResponse<T = any> {
  status: number
  headers: LightMyRequestResponse['headers']
  /** The parsed JSON, or the text of another type. */
  body: T
}

/** A client with or without a token, whose requests pass through the complete HTTP entry point. */
export interface Client {
  get<T = any>(path: string, query?: Record<string, unknown>): Promise<ClientResponse<T>>
  post<T = any>(path: string, body?: unknown, headers?: Record<string, string>): Promise<ClientResponse<T>>
  put<T = any>(path: string, body?: unknown, headers?: Record<string, string>): Promise<ClientResponse<T>>
  patch<T = any>(path: string, body?: unknown): Promise<ClientResponse<T>>
  delete<T = any>(path: string, body?: unknown): Promise<ClientResponse<T>>
  send<T = any>(options: InjectOptions): Promise<ClientResponse<T>>
}

/** What a client needs of a server. */
export interface Injector {
  inject(options: InjectOptions): Promise<LightMyRequestResponse>
}

export function createClient(server: Injector, { token }: { token?: string | undefined } = {}): Client {
  const send = async (options: InjectOptions): Promise<ClientResponse> => {
    const headers = { ...(token ? { authorization: `Bearer ${token}` } : {}), ...options.headers }
    const response = await server.inject({ ...options, headers })
    const isJson = String(response.headers['content-type']).includes('json') && response.body !== ''
    return { status: response.statusCode, headers: response.headers, body: isJson ? response.json() : response.body }
  }
  const withBody =
    (method: 'POST' | 'PUT' | 'PATCH' | 'DELETE') => (path: string, body?: unknown, headers?: Record<string, string>) =>
      send({
        method,
        url: path,
        headers: headers ?? {},
        ...(body === undefined ? {} : { payload: body as NonNullable<InjectOptions['payload']> }),
      })
  return {
    send,
    get: (path, query) => send({ method: 'GET', url: path, ...(query ? { query: flatten(query) } : {}) }),
    post: withBody('POST'),
    put: withBody('PUT'),
    patch: withBody('PATCH'),
    delete: withBody('DELETE'),
  }
}

/** `{ id: ['1', '2'] }` becomes `id[]=1&id[]=2`. */
function flatten(query: Record<string, unknown>): Record<string, string | string[]> {
  return Object.fromEntries(
    Object.entries(query).map(([name, value]) =>
      Array.isArray(value) ? [`${name}[]`, value.map(String)] : [name, String(value)],
    ),
  )
}

/** Creates a multipart body for `client.post(path, body, headers)`. */
export async function multipart(
  fields: Record<string, string | { filename: string; type: string; bytes: Uint8Array }>,
): Promise<{ payload: Buffer; headers: Record<string, string> }> {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) {
    if (typeof value === 'string') form.append(name, value)
    else form.append(name, new File([Buffer.from(value.bytes)], value.filename, { type: value.type }))
  }
  const response = new Response(form)
  return {
    payload: Buffer.from(await response.arrayBuffer()),
    headers: { 'content-type': response.headers.get('content-type')! },
  }
}
