import { Type } from 'typebox'
import type { Ctx } from '../../../../domain/context.ts'
import { listRules } from '../../../../domain/instance/rules.ts'
import { ExtendedDescription, PrivacyPolicy, Rule, TermsOfService } from '../../../../entities/instance/instance.ts'
import { ref } from '../../../../entities/schema/ref.ts'
import { listLanguages } from '../../../../lib/text/language.ts'
import { renderDocument, renderTerms } from '../../../../render/instance/render-documents.ts'
import type { TypedFastify } from '../../../typed-fastify.ts'

const Language = Type.Object({ code: Type.String(), name: Type.String({ description: 'The English name.' }) })

/**
 * Mastodon: GET /api/v1/instance/{rules,extended_description,privacy_policy,terms_of_service,languages} and
 * GET /api/v1/instance/terms_of_service/:date
 */
export async function instanceDocuments(api: TypedFastify, ctx: Ctx): Promise<void> {
  const tags = ['instance']

  api.get(
    '/rules',
    { schema: { tags, summary: 'View the rules of the server', response: { 200: Type.Array(ref(Rule)) } } },
    async () => listRules(ctx),
  )

  api.get(
    '/extended_description',
    {
      schema: {
        tags,
        summary: 'View the extended description of the server',
        response: { 200: ref(ExtendedDescription) },
      },
    },
    async () => renderDocument(ctx, { name: 'extended-description' }),
  )

  api.get(
    '/privacy_policy',
    { schema: { tags, summary: 'View the privacy policy', response: { 200: ref(PrivacyPolicy) } } },
    async () => renderDocument(ctx, { name: 'privacy-policy' }),
  )

  api.get(
    '/terms_of_service',
    {
      schema: {
        tags,
        summary: 'View the terms of service',
        description: 'The terms in force, or else the next ones.',
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
        summary: 'View the terms of service with an effective date',
        params: Type.Object({ date: Type.String({ description: 'The effective date, such as `2026-01-31`.' }) }),
        response: { 200: ref(TermsOfService) },
      },
    },
    async ({ params: { date } }) => renderTerms(ctx, { now: ctx.now(), date }),
  )

  api.get(
    '/languages',
    { schema: { tags, summary: 'View the languages that posts may have', response: { 200: Type.Array(Language) } } },
    async () => listLanguages(),
  )
}
