import { Type } from 'typebox'
import type { Ctx } from '../../../../domain/context.ts'
import { translateStatus } from '../../../../domain/translation/translate.ts'
import type { TranslatedStatus } from '../../../../domain/translation/translate.ts'
import { ref } from '../../../../entities/ref.ts'
import { Translation } from '../../../../entities/translation.ts'
import { entity } from '../../../../lib/entity-json.ts'
import type { Api } from '../../../api.ts'
import { viewerOf } from '../../../support/authorise.ts'
import { ById } from '../../../support/params.ts'

/** Statuses in another language. */
export async function statusTranslation(api: Api, ctx: Ctx): Promise<void> {
  api.post(
    '/:id/translate',
    {
      schema: {
        tags: ['statuses'],
        summary: 'Translate a status',
        params: ById,
        body: Type.Object({ lang: Type.Optional(Type.String({ description: 'ISO 639. One’s own, unless said.' })) }),
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
