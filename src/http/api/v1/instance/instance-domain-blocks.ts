import { Type } from 'typebox'
import type { Ctx } from '../../../../domain/context.ts'
import { listPublicDomainBlocks } from '../../../../domain/instance/list-public-domain-blocks.ts'
import { DomainBlock } from '../../../../entities/instance/instance.ts'
import { ref } from '../../../../entities/schema/ref.ts'
import type { TypedFastify } from '../../../typed-fastify.ts'
import { sendHidden, HiddenResponse } from '../../../support/response/send-hidden.ts'

/** Mastodon: GET /api/v1/instance/domain_blocks. The settings determine who can see the list; others get 404. */
export async function instanceDomainBlocks(api: TypedFastify, ctx: Ctx): Promise<void> {
  api.get(
    '',
    {
      schema: {
        tags: ['instance'],
        summary: 'View moderated servers',
        response: { 200: Type.Array(ref(DomainBlock)), 404: HiddenResponse },
      },
    },
    async ({ viewer }, reply) => (await listPublicDomainBlocks(ctx, { viewer })) ?? sendHidden(reply),
  )
}
