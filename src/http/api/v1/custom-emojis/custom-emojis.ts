import { Type } from 'typebox'
import type { Ctx } from '../../../../domain/context.ts'
import { cacheBriefly } from '../../../../domain/core/cache-briefly.ts'
import { CustomEmoji } from '../../../../entities/statuses/emoji.ts'
import { ref } from '../../../../entities/schema/ref.ts'
import { renderEmojis } from '../../../../render/emojis/render-emojis.ts'
import type { TypedFastify } from '../../../typed-fastify.ts'
import { sendJson } from '../../../support/response/send.ts'

/** Mastodon: GET /api/v1/custom_emojis. The local custom emojis. */
export async function customEmojis(api: TypedFastify, ctx: Ctx): Promise<void> {
  const cachedEmojis = cacheBriefly(renderEmojis)

  api.get(
    '',
    {
      schema: {
        tags: ['instance'],
        summary: 'View custom emojis',
        response: { 200: Type.Array(ref(CustomEmoji)) },
      },
    },
    async (_request, reply) => sendJson(reply, await cachedEmojis(ctx)),
  )
}
