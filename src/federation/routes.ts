import type { FastifyInstance } from 'fastify'
import type { Ctx } from '../domain/context.ts'
import { registerActorRoutes, registerInstanceActorRoute } from './documents/actor-routes.ts'
import { authorizeDocuments } from './documents/authorize-documents.ts'
import { registerCollectionRoutes } from './documents/collection-routes.ts'
import { registerDiscoveryRoutes } from './documents/discovery-routes.ts'
import { registerFeaturedCollectionRoutes } from './documents/featured-collection-routes.ts'
import { registerFollowersSynchronizationRoute } from './documents/followers-synchronization-route.ts'
import { registerInboxRoutes } from './inbox/receive/inbox-routes.ts'
import { registerQuoteAuthorizationRoutes } from './documents/quote-authorization-routes.ts'
import { registerStatusRoutes } from './documents/status-routes.ts'
import { registerTagRoutes } from './documents/tag-routes.ts'

/** Registers the routes that other servers use: discovery, ActivityPub documents and the inboxes. */
export async function registerFederationRoutes(server: FastifyInstance, ctx: Ctx): Promise<void> {
  await registerDiscoveryRoutes(server, ctx)
  await registerInstanceActorRoute(server, ctx)
  await server.register(async (scope) => {
    authorizeDocuments(scope, ctx)
    await registerActorRoutes(scope, ctx)
    await registerCollectionRoutes(scope, ctx)
    await registerFeaturedCollectionRoutes(scope, ctx)
    await registerFollowersSynchronizationRoute(scope, ctx)
    await registerQuoteAuthorizationRoutes(scope, ctx)
    await registerStatusRoutes(scope, ctx)
    await registerTagRoutes(scope, ctx)
  })
  await registerInboxRoutes(server, ctx)
}
