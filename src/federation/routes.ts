import type { FastifyInstance } from 'fastify'
import type { Ctx } from '../domain/context.ts'
import { actors } from './actor.ts'
import { collections } from './collections.ts'
import { discovery } from './discovery.ts'
import { featuredCollections } from './featured-collections.ts'
import { inboxRoutes } from './inbox/routes.ts'
import { quoteAuthorizations } from './quote-authorizations.ts'
import { statuses } from './statuses.ts'
import { tags } from './tags.ts'

/** What other servers ask of this one, and where they deliver. */
export async function federationRoutes(server: FastifyInstance, ctx: Ctx): Promise<void> {
  await discovery(server, ctx)
  await actors(server, ctx)
  await collections(server, ctx)
  await featuredCollections(server, ctx)
  await quoteAuthorizations(server, ctx)
  await statuses(server, ctx)
  await tags(server, ctx)
  await inboxRoutes(server, ctx)
}
