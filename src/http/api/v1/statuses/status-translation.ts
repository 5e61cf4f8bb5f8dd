import { Type } from 'typebox'
import type { Ctx } from '../../../../domain/context.ts'
import { translateStatus } from '../../../../domain/translation/translate-status.ts'
import type { TranslatedStatus } from '../../../../domain/translation/translate-status.ts'
import { ref } from '../../../../entities/schema/ref.ts'
import { Translation } from '../../../../entities/statuses/translation.ts'
import { entity } from '../../../../lib/json/entity-json.ts'
import type { TypedFastify } from '../../../typed-fastify.ts'
import { viewerOf } from '../../../support/auth/authorize-routes.ts'
import { IdParams } from '../../../support/request/path-params.ts'

/** Mastodon: POST /api/v1/statuses/:id/translate */
export async function statusTranslation(api: TypedFastify, ctx: Ctx): Promise<void> {
  api.post(
    '/:id/translate',
    {
      schema: {
        tags: ['statuses'],
        summary: 'Translate a status',
        params: IdParams,
        body: Type.Object({ lang: Type.Optional(Type.String({ description: 'ISO 639. Defaults to your language.' })) }),
        response: { 200: ref(Translation) },
      },
    },
    async (request) => {
      const { accountId: viewerId } = viewerOf(request)
      const language = request.body.lang?.trim() || undefined
      return translationOf(await translateStatus(ctx, { id: request.params.id, viewerId, language }))
    },
  )
}

function translationOf({ media, poll, ...translated }: TranslatedStatus): Translation {
  return entity<Translation>({
    content: translated.content,
    spoiler_text: translated.spoilerText,
    language: translated.language,
    detected_source_language: translated.sourceLanguage,
    provider: translated.provider,
    media_attachments: media,
    poll: poll && { id: poll.id, options: poll.options.map((title) => ({ title })) },
  })
}
