import { Type } from 'typebox'
import type { Ctx } from '../../../../domain/context.ts'
import { readRules } from '../../../../domain/instance/rules.ts'
import { ExtendedDescription, PrivacyPolicy, Rule, TermsOfService } from '../../../../entities/instance.ts'
import { ref } from '../../../../entities/ref.ts'
import { listLanguages } from '../../../../lib/text/language.ts'
import { renderDocument, renderTerms } from '../../../../render/instance/render-documents.ts'
import type { Api } from '../../../api.ts'

const Language = Type.Object({ code: Type.String(), name: Type.String({ description: 'In English.' }) })

/** What the owner says at length, and what is fixed here. */
export async function documents(api: Api, ctx: Ctx): Promise<void> {
  const tags = ['instance']

  api.get(
    '/rules',
    { schema: { tags, summary: 'See the rules', response: { 200: Type.Array(ref(Rule)) } } },
    async () => readRules(ctx),
  )

  api.get(
    '/extended_description',
    {
      schema: { tags, summary: 'See what the server is about, at length', response: { 200: ref(ExtendedDescription) } },
    },
    async () => renderDocument(ctx, { name: 'extended-description' }),
  )

  api.get(
    '/privacy_policy',
    { schema: { tags, summary: 'See the privacy policy', response: { 200: ref(PrivacyPolicy) } } },
    async () => renderDocument(ctx, { name: 'privacy-policy' }),
  )

  api.get(
    '/terms_of_service',
    {
      schema: {
        tags,
        summary: 'See the terms of service',
        description: 'Those that hold now, else those that will hold first.',
        response: { 200: ref(TermsOfService) },
      },
    },
    async () => renderTerms(ctx, { now: ctx.now() }),
  )

  api.get(
    '/terms_of_service/:date',
    {
      schema: {
        tags,
        summary: 'See the terms of service that came into force on a day',
        params: Type.Object({ date: Type.String({ description: 'Such as `2026-01-31`.' }) }),
        response: { 200: ref(TermsOfService) },
      },
    },
    async ({ params: { date } }) => renderTerms(ctx, { now: ctx.now(), date }),
  )

  api.get(
    '/languages',
    { schema: { tags, summary: 'See the languages that posts may be in', response: { 200: Type.Array(Language) } } },
    async () => listLanguages(),
  )
}
