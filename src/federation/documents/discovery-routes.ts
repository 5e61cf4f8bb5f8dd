import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { readRegistrationsMode } from '../../domain/accounts/registration/read-registrations-mode.ts'
import type { Ctx } from '../../domain/context.ts'
import { readInstanceInformation } from '../../domain/instance/instance-information.ts'
import { BadRequestError, NotFoundError } from '../../lib/errors.ts'
import { html } from '../../lib/html/html.ts'
import { parseHandle } from '../../lib/usernames.ts'
import { publishedCounts } from '../../render/instance/render-instance.ts'
import { fileUrl } from '../../render/media/render-media.ts'
import { setCacheControl, readQueryText } from './send-document.ts'
import { findLocalAccount } from '../../domain/accounts/lookup/find-local-account.ts'
import type { LocalAccount } from '../../domain/accounts/lookup/find-local-account.ts'
import { mediaTypeOf } from '../../lib/http/media-type-of.ts'
import { actorUri, instanceActorUri } from '../objects/uris.ts'
import { instanceName } from '../objects/write/write-actor.ts'
import { hostOf } from '../wire/read-values.ts'

const DAYS = 86_400
const MINUTES = 60

const CACHED_ERRORS = new Set([400, 404, 410])

const MAX_RESOURCE_LENGTH = 2_048
const NODEINFO = 'http://nodeinfo.diaspora.software/ns/schema/2.0'

/** Registers WebFinger (RFC 7033), host-meta (RFC 6415), NodeInfo 2.0 and `change-password`. */
export async function registerDiscoveryRoutes(server: FastifyInstance, ctx: Ctx): Promise<void> {
  const { origin } = ctx.config
  const webfingerUrl = `${origin}/.well-known/webfinger?resource={uri}`

  server.get('/.well-known/webfinger', { onSend: cacheErrors }, async (request, reply) => {
    const resource = readQueryText(request, 'resource')
    if (resource === null || resource.trim() === '') throw new BadRequestError('The parameter resource is missing')
    const descriptor = await resolveResource(ctx, resource.trim())
    setCacheControl(reply, { seconds: 3 * DAYS })
    return reply.type('application/jrd+json; charset=utf-8').send(JSON.stringify(descriptor))
  })

  server.get('/.well-known/host-meta', async (request, reply) => {
    const accept = request.headers.accept ?? ''
    reply.header('vary', 'Accept')
    if (/application\/(?:jrd\+)?json/.test(accept) && !accept.includes('xml')) return sendHostMeta(reply)
    setCacheControl(reply, { seconds: 3 * DAYS })
    const link = html`<Link rel="lrdd" template="${webfingerUrl}" />`.toString()
    return reply
      .type('application/xrd+xml; charset=utf-8')
      .send(
        `<?xml version="1.0" encoding="UTF-8"?>\n<XRD xmlns="http://docs.oasis-open.org/ns/xri/xrd-1.0">${link}</XRD>\n`,
      )
  })
  server.get('/.well-known/host-meta.json', async (_request, reply) => sendHostMeta(reply))

  server.get('/.well-known/nodeinfo', async (_request, reply) => {
    setCacheControl(reply, { seconds: 3 * DAYS })
    return reply.send({ links: [{ rel: NODEINFO, href: `${origin}/nodeinfo/2.0` }] })
  })
  server.get('/nodeinfo/2.0', async (_request, reply) => {
    setCacheControl(reply, { seconds: 30 * MINUTES })
    return reply
      .type(`application/json; profile="${NODEINFO}#"; charset=utf-8`)
      .send(JSON.stringify(await buildNodeInfo(ctx)))
  })

  // Password managers open this URL (W3C: A Well-Known URL for Changing Passwords).
  server.get('/.well-known/change-password', async (_request, reply) => reply.redirect('/auth/edit', 302))

  function sendHostMeta(reply: FastifyReply): FastifyReply {
    setCacheControl(reply, { seconds: 3 * DAYS })
    return reply.send({ links: [{ rel: 'lrdd', type: 'application/jrd+json', template: webfingerUrl }] })
  }
}

/** Lets caches store that a resource is invalid, unknown or gone. The text of the error depends on the language. */
async function cacheErrors(_request: FastifyRequest, reply: FastifyReply): Promise<void> {
  if (!CACHED_ERRORS.has(reply.statusCode)) return
  setCacheControl(reply, { seconds: 3 * MINUTES })
  reply.header('vary', 'Accept-Language')
}

/** Returns the JRD of a resource. @throws BadRequestError for an invalid resource · NotFoundError · GoneError */
async function resolveResource(ctx: Ctx, resource: string): Promise<object> {
  if (resource.length > MAX_RESOURCE_LENGTH) throw new BadRequestError('The parameter resource is too long')
  const subject = /^https?:/i.test(resource) ? subjectOfUrl(ctx, resource) : subjectOfHandle(ctx, resource)
  return subject === 'instance'
    ? describeInstance(ctx)
    : describeAccount(ctx, await ctx.read(findLocalAccount, { ...subject, now: ctx.now() }))
}

type WebFingerSubject = 'instance' | { id: string } | { username: string }

/** Reads `acct:name@domain`, the same without `acct:`, or the bare domain, with the local or the web domain. */
function subjectOfHandle(ctx: Ctx, resource: string): WebFingerSubject {
  const text = resource.replace(/^acct:/i, '')
  if (!text.includes('@') && isLocalHost(ctx, hostOf(`https://${text}`))) return 'instance'
  const [, name = '', domain = ''] = /^@?([^@]+)@([^@]+)$/.exec(text) ?? []
  const host = hostOf(`https://${domain}`)
  if (name === '' || host === null) throw new BadRequestError('The parameter resource is not a valid account')
  if (!isLocalHost(ctx, host)) throw new NotFoundError()
  if (name.toLowerCase() === instanceName(ctx.config)) return 'instance'
  if (!parseHandle(name)) throw new BadRequestError('The parameter resource is not a valid account')
  return { username: name }
}

/** Reads the URL of an actor, of a profile, of the instance actor or of the home page. */
function subjectOfUrl(ctx: Ctx, resource: string): WebFingerSubject {
  const host = hostOf(resource)
  if (host === null) throw new BadRequestError('The parameter resource is not a valid account')
  if (!isLocalHost(ctx, host)) throw new NotFoundError()
  const { pathname } = new URL(resource)
  if (pathname === '/' || pathname === '/actor') return 'instance'
  const [, id] = /^\/ap\/users\/(\d+)\/?$/.exec(pathname) ?? []
  if (id !== undefined) return { id }
  const [, username] = /^\/(?:@|users\/)(\w+)\/?$/.exec(pathname) ?? []
  if (username === undefined) throw new NotFoundError()
  return { username }
}

function isLocalHost({ config }: Ctx, host: string | null): boolean {
  return host === config.localDomain || host === config.webDomain
}

function describeAccount({ config }: Ctx, actor: LocalAccount): object {
  const { origin } = config
  const self = actorUri(config, actor.id)
  const avatar = actor.suspended ? null : actor.avatar_key
  return {
    subject: `acct:${actor.username}@${config.localDomain}`,
    aliases: [actor.url, self],
    links: [
      { rel: 'http://webfinger.net/rel/profile-page', type: 'text/html', href: actor.url },
      { rel: 'self', type: 'application/activity+json', href: self },
      { rel: 'http://ostatus.org/schema/1.0/subscribe', template: `${origin}/authorize_interaction?uri={uri}` },
      // FEP-3b86: pages on which users of this server post a text, or interact with an object of another server.
      { rel: 'https://w3id.org/fep/3b86/Create', template: `${origin}/share?text={content}` },
      { rel: 'https://w3id.org/fep/3b86/Object', template: `${origin}/authorize_interaction?uri={object}` },
      ...(avatar === null
        ? []
        : [
            {
              rel: 'http://webfinger.net/rel/avatar',
              type: mediaTypeOf(avatar) ?? undefined,
              href: fileUrl(config, avatar),
            },
          ]),
    ],
  }
}

function describeInstance({ config }: Ctx): object {
  const self = instanceActorUri(config)
  return {
    subject: `acct:${instanceName(config)}@${config.localDomain}`,
    aliases: [self],
    links: [
      { rel: 'http://webfinger.net/rel/profile-page', type: 'text/html', href: `${config.origin}/` },
      { rel: 'self', type: 'application/activity+json', href: self },
    ],
  }
}

async function buildNodeInfo(ctx: Ctx): Promise<object> {
  const [site, counts, mode] = await Promise.all([
    readInstanceInformation(ctx),
    publishedCounts(ctx),
    readRegistrationsMode(ctx),
  ])
  return {
    version: '2.0',
    software: { name: 'linnet', version: ctx.config.version },
    protocols: ['activitypub'],
    services: { inbound: [], outbound: [] },
    usage: {
      users: { total: counts.users, activeMonth: counts.activeMonth, activeHalfyear: counts.activeHalfYear },
      localPosts: counts.statuses,
    },
    openRegistrations: mode !== 'none',
    metadata: {
      nodeName: site.title,
      nodeDescription: site.description,
      // Client libraries such as megalodon detect the API of a server by this property.
      upstream: { name: 'mastodon' },
    },
  }
}
