import { Parser } from 'htmlparser2'
import type { Ctx } from '../../domain/context.ts'
import { parseHandle } from '../../lib/usernames.ts'
import { isAddress } from '../wire/read.ts'
import { askRemote } from './ask.ts'
import type { Budget } from './budget.ts'
import { isDocumentType } from './document-type.ts'
import { RemoteGone, RemoteRefusal } from './refusals.ts'

const MAX_BYTES = 256 * 1024

/** Links of one answer that are looked at. */
const MAX_LINKS = 100

/** A handle of another server: the name as it is written there, and the canonical domain. */
export interface RemoteHandle {
  username: string
  domain: string
}

/** What a server says about a handle of its own. */
export interface Finger {
  /** How the account is really called; it may be another handle than the one asked for. */
  handle: RemoteHandle
  actorUri: string
  /** The handle is the one asked for, so it is its own domain that says so; otherwise that one has to be asked. */
  isProven: boolean
}

/**
 * Asks the domain of a handle whose it is (RFC 7033); where it doesn't answer itself, as its host-meta says.
 * @throws what `askRemote` throws · RemoteRefusal for an answer that names no account or no actor
 */
export async function finger(ctx: Ctx, { handle, budget }: { handle: RemoteHandle; budget: Budget }): Promise<Finger> {
  const resource = `acct:${handle.username}@${handle.domain}`
  const url = `https://${handle.domain}/.well-known/webfinger?resource=${encodeURIComponent(resource)}`
  const text = await ask(ctx, { url, budget }).catch(async (err: unknown) => {
    if (!(err instanceof RemoteGone) || err.forEver) throw err
    return ask(ctx, { url: await findTemplate(ctx, { domain: handle.domain, resource, budget }), budget })
  })
  const answer = readFinger(text, resource)
  return { ...answer, isProven: isSameHandle(answer.handle, handle) }
}

async function ask(ctx: Ctx, { url, budget }: { url: string; budget: Budget }): Promise<string> {
  const { headers, body } = await askRemote(ctx, {
    url,
    accept: 'application/jrd+json, application/json',
    maxBytes: MAX_BYTES,
    budget,
  })
  if (!/[/+]json\s*(?:;|$)/i.test(headers['content-type'] ?? '')) throw new RemoteRefusal(`${url} gave no JSON`)
  return body.toString('utf8')
}

function readFinger(text: string, resource: string): Omit<Finger, 'isProven'> {
  const value = parse(text)
  const subject = typeof value?.subject === 'string' ? /^acct:(.+)$/i.exec(value.subject)?.[1] : undefined
  const handle = parseHandle(subject)
  if (handle?.domain == null) throw new RemoteRefusal(`Nobody is named by the answer about ${resource}`)
  const links: unknown[] = Array.isArray(value?.links) ? value.links.slice(0, MAX_LINKS) : []
  for (const link of links) {
    const { rel, type, href } = (link ?? {}) as Record<string, unknown>
    if (rel !== 'self' || typeof type !== 'string' || !isDocumentType(type)) continue
    if (typeof href === 'string' && isAddress(href)) {
      return { handle: { username: handle.username, domain: handle.domain }, actorUri: href }
    }
  }
  throw new RemoteRefusal(`No actor is named by the answer about ${resource}`)
}

function parse(text: string): { subject?: unknown; links?: unknown } | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' ? value : null
  } catch {
    return null
  }
}

/** The address that the host-meta of a domain gives for questions about accounts (RFC 6415). */
async function findTemplate(
  ctx: Ctx,
  { domain, resource, budget }: { domain: string; resource: string; budget: Budget },
): Promise<string> {
  const { body } = await askRemote(ctx, {
    url: `https://${domain}/.well-known/host-meta`,
    accept: 'application/xrd+xml',
    maxBytes: MAX_BYTES,
    budget,
  })
  const template = readTemplate(body.toString('utf8'))
  if (template === null) throw new RemoteRefusal(`The host-meta of ${domain} names no way to ask`)
  return template.replace('{uri}', encodeURIComponent(resource))
}

/** Definitions of types serve nothing here but attacks, so a document with one is not read. */
function readTemplate(xml: string): string | null {
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

/** Whether two handles are the same, whatever the case of the names. */
export function isSameHandle(one: RemoteHandle, other: RemoteHandle): boolean {
  return one.domain === other.domain && one.username.toLowerCase() === other.username.toLowerCase()
}
