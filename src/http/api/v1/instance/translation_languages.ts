import { Type } from 'typebox'
import type { Ctx } from '../../../../domain/context.ts'
import { findTranslationLanguages } from '../../../../domain/translation/languages.ts'
import type { Api } from '../../../api.ts'

/** What can be translated into what. */
export async function translationLanguages(api: Api, ctx: Ctx): Promise<void> {
  api.get(
    '/translation_languages',
    {
      schema: {
        tags: ['instance'],
        summary: 'See what can be translated into what',
        response: {
          200: Type.Record(Type.String(), Type.Array(Type.String()), {
            description: 'By the language of a status; und: of any.',
          }),
        },
      },
    },
    async () => {
      const pairs = await findTranslationLanguages(ctx)
      return Object.fromEntries([...pairs].map(([source, targets]) => [source, [...targets]]))
    },
  )
}
