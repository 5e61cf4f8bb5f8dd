import { MastoHttpError } from 'masto'
import { locale } from '../i18n/messages.ts'
import { accessToken } from '../session.ts'
import { toCamelCase, toSnakeCase } from './convert-names.ts'
import { recordToken } from './request-tokens.ts'

interface ApiRequest {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** With its query, if it has one. */
  path: `/api/${string}`
  /** An object is sent as JSON, with names in snake case; a text as it is; the type of a `Blob` is its own. */
  body?: object | FormData | Blob | string
  signal?: AbortSignal
}

/**
 * Sends a request that masto.js cannot send: PATCH, files, bodies or responses other than JSON, and responses with
 * language codes as names, which masto.js changes. Returns the JSON of the response with names in camel case; another
 * response as text.
 * @throws MastoHttpError as masto.js does; TypeError without a network
 */
export async function sendRequest<Result = unknown>({ method, path, body, signal }: ApiRequest): Promise<Result> {
  const token = accessToken()
  const headers = new Headers({ authorization: `Bearer ${token}`, 'accept-language': locale })
  const init: RequestInit = { method, headers, signal: signal ?? null }
  if (body instanceof FormData || body instanceof Blob || typeof body === 'string') {
    init.body = body
  } else if (body !== undefined) {
    headers.set('content-type', 'application/json')
    init.body = JSON.stringify(toSnakeCase(body))
  }
  const response = await fetch(path, init)
  const data = await readBody(response)
  if (!response.ok) {
    const error = errorOf(response, data)
    recordToken(error, token)
    throw error
  }
  return data as Result
}

async function readBody(response: Response): Promise<unknown> {
  const text = await response.text()
  const isJson = /^application\/([^;]+\+)?json\b/.test(response.headers.get('content-type') ?? '')
  if (!isJson || text === '') return text
  return toCamelCase(JSON.parse(text))
}

interface ErrorBody {
  /** An object with the same properties for collections, as in Mastodon. */
  error?: string | ErrorBody
  errorDescription?: string
  details?: NonNullable<MastoHttpError['details']>
}

function errorOf({ status, statusText }: Response, data: unknown): MastoHttpError {
  const body = (typeof data === 'object' && data !== null ? data : {}) as ErrorBody
  const { error, errorDescription, details, ...additionalProperties } =
    typeof body.error === 'object' ? body.error : body
  return new MastoHttpError({
    statusCode: status,
    message: typeof error === 'string' ? error : statusText,
    ...(errorDescription !== undefined && { description: errorDescription }),
    ...(details !== undefined && { details }),
    additionalProperties,
  })
}
