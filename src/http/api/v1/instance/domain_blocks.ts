import { Type } from 'typebox'
import type { Ctx } from '../../../../domain/context.ts'
import { readPublicBlocks } from '../../../../domain/moderation/public-blocks.ts'
import { DomainBlock } from '../../../../entities/instance.ts'
import { ref } from '../../../../entities/ref.ts'
import type { Api } from '../../../api.ts'
import { sendUnseen, Unseen } from '../../../support/unseen.ts'

/** Which servers are blocked here, for those whom the owner tells. */
export async function instanceDomainBlocks(api: Api, ctx: Ctx): Promise<void> {
  api.get(
    '',
    {
      schema: {
        tags: ['instance'],
        summary: 'See which servers are blocked here',
        response: { 200: Type.Array(ref(DomainBlock)), 404: Unseen },
      },
    },
    async ({ viewer }, reply) => (await readPublicBlocks(ctx, { viewer })) ?? sendUnseen(reply),
  )
}
