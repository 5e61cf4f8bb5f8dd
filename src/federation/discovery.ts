import type { FastifyInstance, FastifyReply } from 'fastify'
import { readRegistrationsMode } from '../domain/accounts/registrations.ts'
import type { Ctx } from '../domain/context.ts'
import { readSite } from '../domain/instance/site.ts'
import { BadRequest, NotFound } from '../lib/errors.ts'
import { html } from '../lib/html.ts'
import { parseHandle } from '../lib/usernames.ts'
import { freshCounts } from '../render/instance/render-instance.ts'
import { fileUrl } from '../render/media/render-media.ts'
import { keepFor, textOfQuery } from './answer.ts'
import { findLocalAccount } from '../domain/accounts/find-local.ts'
import type { LocalAccount } from '../domain/accounts/find-local.ts'
import { mediaTypeOf } from '../lib/media-type.ts'
import { actorUri, instanceActorUri } from './objects/uris.ts'
import { instanceName } from './objects/write-actor.ts'
import { hostOf } from './wire/read.ts'

const DAYS = 86_400
const MINUTES = 60

const MAX_RESOURCE_LENGTH = 2_048
const NODEINFO = 'http://nodeinfo.diaspora.software/ns/schema/2.0'

/** By which others find out who and what is here. */
export async function discovery(server: FastifyInstance, ctx: Ctx): Promise<void> {
  const { origin } = ctx.config
  const webfingerUrl = `${origin}/.well-known/webfinger?resource={uri}`

  server.get('/.well-known/webfinger', async (request, reply) => {
    const resource = textOfQuery(request, 'resource')
    if (resource === null || resource.trim() === '') throw new BadRequest('The parameter resource is missing')
    const found = await finger(ctx, resource.trim())
    keepFor(reply, { seconds: 3 * DAYS })
    return reply.type('application/jrd+json; charset=utf-8').send(JSON.stringify(found))
  })

  server.get('/.well-known/host-meta', async (request, reply) => {
    const asked = request.headers.accept ?? ''
    reply.header('vary', 'Accept')
    if (/application\/(?:jrd\+)?json/.test(asked) && !asked.includes('xml')) return sendHostMeta(reply)
    keepFor(reply, { seconds: 3 * DAYS })
    const link = html`<Link rel="lrdd" template="${webfingerUrl}" />`.toString()
    return reply
      .type('application/xrd+xml; charset=utf-8')
      .send(
        `<?xml version="1.0" encoding="UTF-8"?>\n<XRD xmlns="http://docs.oasis-open.org/ns/xri/xrd-1.0">${link}</XRD>\n`,
      )
  })
  server.get('/.well-known/host-meta.json', async (_request, reply) => sendHostMeta(reply))

  server.get('/.well-known/nodeinfo', async (_request, reply) => {
    keepFor(reply, { seconds: 3 * DAYS })
    return reply.send({ links: [{ rel: NODEINFO, href: `${origin}/nodeinfo/2.0` }] })
  })
  server.get('/nodeinfo/2.0', async (_request, reply) => {
    keepFor(reply, { seconds: 30 * MINUTES })
    return reply
      .type(`application/json; profile="${NODEINFO}#"; charset=utf-8`)
      .send(JSON.stringify(await describeNode(ctx)))
  })

  // Where managers of passwords lead people.
  server.get('/.well-known/change-password', async (_request, reply) => reply.redirect('/auth/edit', 302))

  function sendHostMeta(reply: FastifyReply): FastifyReply {
    keepFor(reply, { seconds: 3 * DAYS })
    return reply.send({ links: [{ rel: 'lrdd', type: 'application/jrd+json', template: webfingerUrl }] })
  }
}

/** @throws BadRequest for what can't name anybody · NotFound · Gone */
async function finger(ctx: Ctx, resource: string): Promise<object> {
  if (resource.length > MAX_RESOURCE_LENGTH) throw new BadRequest('The parameter resource is too long')
  const named = /^https?:/i.test(resource) ? nameOfAddress(ctx, resource) : nameOfHandle(ctx, resource)
  return named === 'instance'
    ? describeInstance(ctx)
    : describePerson(ctx, await ctx.read(findLocalAccount, { ...named, now: ctx.now() }))
}

type Named = 'instance' | { id: string } | { username: string }

/** `acct:name@domain`, the same without `acct:`, or the bare domain, under either of our names. */
function nameOfHandle(ctx: Ctx, resource: string): Named {
  const text = resource.replace(/^acct:/i, '')
  if (!text.includes('@') && isOurs(ctx, hostOf(`https://${text}`))) return 'instance'
  const [, name = '', domain = ''] = /^@?([^@]+)@([^@]+)$/.exec(text) ?? []
  const host = hostOf(`https://${domain}`)
  if (name === '' || host === null) throw new BadRequest('The parameter resource names nobody')
  if (!isOurs(ctx, host)) throw new NotFound()
  if (name.toLowerCase() === instanceName(ctx.config)) return 'instance'
  if (!parseHandle(name)) throw new BadRequest('The parameter resource names nobody')
  return { username: name }
}

/** The address of an actor or of a profile, or of the server itself. */
function nameOfAddress(ctx: Ctx, resource: string): Named {
  const host = hostOf(resource)
  if (host === null) throw new BadRequest('The parameter resource names nobody')
  if (!isOurs(ctx, host)) throw new NotFound()
  const { pathname } = new URL(resource)
  if (pathname === '/' || pathname === '/actor') return 'instance'
  const [, id] = /^\/ap\/users\/(\d+)\/?$/.exec(pathname) ?? []
  if (id !== undefined) return { id }
  const [, username] = /^\/(?:@|users\/)(\w+)\/?$/.exec(pathname) ?? []
  if (username === undefined) throw new NotFound()
  return { username }
}

function isOurs({ config }: Ctx, host: string | null): boolean {
  return host === config.localDomain || host === config.webDomain
}

function describePerson({ config }: Ctx, actor: LocalAccount): object {
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

async function describeNode(ctx: Ctx): Promise<object> {
  const [site, counts, mode] = await Promise.all([readSite(ctx), freshCounts(ctx), readRegistrationsMode(ctx)])
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
      // Client libraries such as megalodon choose by it which API a server speaks.
      upstream: { name: 'mastodon' },
    },
  }
}
