import { Parser } from 'htmlparser2'
import type { Ctx } from '../../../domain/context.ts'
import { parseHandle } from '../../../lib/usernames.ts'
import { isHttpUrl } from '../../wire/read-values.ts'
import { requestRemote } from '../fetch/request-remote.ts'
import type { FetchBudget } from '../fetch/budget.ts'
import { isDocumentType } from '../fetch/is-document-type.ts'
import { RemoteGoneError, RemoteError } from '../fetch/remote-errors.ts'

const MAX_BYTES = 256 * 1024

/** The number of links of a response that are read. */
const MAX_LINKS = 100

/**
 * The media types of responses: any JSON, none, and those that servers of static files declare for a file without an
 * extension. Many users redirect the handle of their own domain by such a file.
 */
const MEDIA_TYPE = /^\s*(?:[\w.+-]+\/(?:[\w.-]+\+)?json|text\/plain|application\/octet-stream)?\s*(?:;|$)/i

/** A remote handle: the username as its server spells it, and the canonical domain. */
export interface RemoteHandle {
  username: string
  domain: string
}

/** The WebFinger result for a handle. */
export interface WebFingerResult {
  /** The handle in the subject of the response, which may differ from the requested one. */
  handle: RemoteHandle
  actorUri: string
  /** The handle is the requested one, so its own domain confirms it. Otherwise its domain has to be queried. */
  isVerified: boolean
}

/**
 * Looks up a handle by WebFinger (RFC 7033) at its domain or, if that responds with 404, at the URL in its host-meta.
 * @throws what `requestRemote` throws · RemoteError for a response that names no account or no actor
 */
export async function lookUpHandle(
  ctx: Ctx,
  { handle, budget }: { handle: RemoteHandle; budget: FetchBudget },
): Promise<WebFingerResult> {
  const resource = `acct:${handle.username}@${handle.domain}`
  const url = `https://${handle.domain}/.well-known/webfinger?resource=${encodeURIComponent(resource)}`
  const text = await fetchJrd(ctx, { url, budget }).catch(async (err: unknown) => {
    if (!(err instanceof RemoteGoneError) || err.isPermanent) throw err
    return fetchJrd(ctx, { url: await fetchLrddTemplate(ctx, { domain: handle.domain, resource, budget }), budget })
  })
  const result = parseJrd(text, resource)
  return { ...result, isVerified: isSameHandle(result.handle, handle) }
}

async function fetchJrd(ctx: Ctx, { url, budget }: { url: string; budget: FetchBudget }): Promise<string> {
  const { headers, body } = await requestRemote(ctx, {
    url,
    accept: 'application/jrd+json, application/json',
    maxBytes: MAX_BYTES,
    budget,
  })
  if (!MEDIA_TYPE.test(headers['content-type'] ?? '')) throw new RemoteError(`${url} did not respond with JSON`)
  return body.toString('utf8')
}

function parseJrd(text: string, resource: string): Omit<WebFingerResult, 'isVerified'> {
  const value = parseJson(text)
  const subject = typeof value?.subject === 'string' ? /^(?:acct:)?(.+)$/i.exec(value.subject)?.[1] : undefined
  const handle = parseHandle(subject)
  if (handle?.domain == null) throw new RemoteError(`The WebFinger response for ${resource} names no account`)
  const links: unknown[] = Array.isArray(value?.links) ? value.links.slice(0, MAX_LINKS) : []
  for (const link of links) {
    const { rel, type, href } = (link ?? {}) as Record<string, unknown>
    if (rel !== 'self' || typeof type !== 'string' || !isDocumentType(type)) continue
    if (typeof href === 'string' && isHttpUrl(href)) {
      return { handle: { username: handle.username, domain: handle.domain }, actorUri: href }
    }
  }
  throw new RemoteError(`The WebFinger response for ${resource} names no actor`)
}

function parseJson(text: string): { subject?: unknown; links?: unknown } | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' ? value : null
  } catch {
    return null
  }
}

/** Returns the WebFinger URL of a resource by the LRDD template in the host-meta of a domain (RFC 6415). */
async function fetchLrddTemplate(
  ctx: Ctx,
  { domain, resource, budget }: { domain: string; resource: string; budget: FetchBudget },
): Promise<string> {
  const { body } = await requestRemote(ctx, {
    url: `https://${domain}/.well-known/host-meta`,
    accept: 'application/xrd+xml',
    maxBytes: MAX_BYTES,
    budget,
  })
  const template = parseLrddTemplate(body.toString('utf8'))
  if (template === null) throw new RemoteError(`The host-meta of ${domain} has no LRDD template`)
  return template.replace('{uri}', encodeURIComponent(resource))
}

/** Parses an LRDD template. A document with a DTD is refused, since DTDs serve only attacks here. */
function parseLrddTemplate(xml: string): string | null {
  if (/<!(?:doctype|entity)/i.test(xml)) return null
  let found: string | null = null
  const parser = new Parser(
    {
      onopentag(name, { rel, template }) {
        if (name === 'Link' && rel === 'lrdd' && template?.includes('{uri}')) found ??= template
      },
    },
    { xmlMode: true },
  )
  parser.end(xml)
  return found
}

/** Returns whether two handles are the same, ignoring the case of the usernames. */
export function isSameHandle(one: RemoteHandle, other: RemoteHandle): boolean {
  return one.domain === other.domain && one.username.toLowerCase() === other.username.toLowerCase()
}
