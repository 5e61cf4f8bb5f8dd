import { Type } from 'typebox'
import type { Ctx } from '../../../domain/context.ts'
import { keepFresh } from '../../../domain/keep-fresh.ts'
import { CustomEmoji } from '../../../entities/emoji.ts'
import { ref } from '../../../entities/ref.ts'
import { renderEmojis } from '../../../render/emojis/render-emojis.ts'
import type { Api } from '../../api.ts'
import { sendJson } from '../../support/send.ts'

/** The server's own emojis. */
export async function customEmojis(api: Api, ctx: Ctx): Promise<void> {
  const freshEmojis = keepFresh(renderEmojis)

  api.get(
    '',
    {
      schema: {
        tags: ['instance'],
        summary: 'See the custom emojis that one can choose from',
        response: { 200: Type.Array(ref(CustomEmoji)) },
      },
    },
    async (_request, reply) => sendJson(reply, await freshEmojis(ctx)),
  )
}
