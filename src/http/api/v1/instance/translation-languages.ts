import { Type } from 'typebox'
import type { Ctx } from '../../../../domain/context.ts'
import { findTranslationLanguages } from '../../../../domain/translation/translation-languages.ts'
import type { TypedFastify } from '../../../typed-fastify.ts'

/** Mastodon: GET /api/v1/instance/translation_languages */
export async function translationLanguages(api: TypedFastify, ctx: Ctx): Promise<void> {
  api.get(
    '/translation_languages',
    {
      schema: {
        tags: ['instance'],
        summary: 'View the supported translation languages',
        response: {
          200: Type.Record(Type.String(), Type.Array(Type.String()), {
            description: 'Target languages by source language; `und`: for any source language.',
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
