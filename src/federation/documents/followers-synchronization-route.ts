import type { FastifyInstance } from 'fastify'
import { findActiveLocalAccount } from '../../domain/accounts/lookup/find-local-account.ts'
import type { Ctx } from '../../domain/context.ts'
import { UnauthorizedError } from '../../lib/errors.ts'
import { toJson } from '../../lib/json/json.ts'
import { listFollowersAt } from '../followers/find-follower-digests.ts'
import { followersSynchronizationUri } from '../objects/uris.ts'
import { BASE_CONTEXT, withContext } from '../wire/context.ts'
import { sendDocument } from './send-document.ts'

/**
 * Registers the list of the followers of an account on the server that requests it (FEP-8fcf). The request needs a valid
 * signature, also by the instance actor of that server. The list has one page: the server knows these accounts.
 */
export async function registerFollowersSynchronizationRoute(server: FastifyInstance, ctx: Ctx): Promise<void> {
  server.get<{ Params: { id: string } }>('/ap/users/:id/followers_synchronization', async (request, reply) => {
    const { id } = await ctx.read(findActiveLocalAccount, { id: request.params.id, now: ctx.now() })
    const { actorUri, isSigned } = request.signer
    if (actorUri === null) {
      throw new UnauthorizedError(isSigned ? 'The signature could not be verified' : 'Request not signed')
    }
    const { origin } = new URL(actorUri)
    const items = await ctx.read(listFollowersAt, { accountId: id, origin })
    const list = { id: followersSynchronizationUri(ctx.config, id), type: 'OrderedCollection', orderedItems: items }
    return sendDocument(reply, { json: withContext(BASE_CONTEXT, toJson(list)), shared: false })
  })
}
