import { Type } from 'typebox'
import type { Ctx } from '../../../../../domain/context.ts'
import { findTerms, listTerms, publishTerms, removeTerms } from '../../../../../domain/instance/terms-of-service.ts'
import { AdminTermsOfService } from '../../../../../entities/admin/settings/admin-terms-of-service.ts'
import { ref } from '../../../../../entities/schema/ref.ts'
import { renderAdminTerms } from '../../../../../render/admin/settings/render-admin-settings.ts'
import type { TypedFastify } from '../../../../typed-fastify.ts'
import { staffOf } from '../../../../support/auth/authorise-routes.ts'

const DateParams = Type.Object({ date: Type.String({ description: 'The effective date, such as `2026-01-31`.' }) })

/** Linnet's own: /api/v1/admin/terms_of_service. There are few versions, so the list has no pages. */
export async function adminTermsOfService(api: TypedFastify, ctx: Ctx): Promise<void> {
  const tags = ['admin: terms of service']
  const response = { 200: ref(AdminTermsOfService) }
  const read = async (date: string): Promise<AdminTermsOfService> =>
    renderAdminTerms(await findTerms(ctx, { now: ctx.now(), date }))

  api.get(
    '',
    {
      schema: {
        tags,
        summary: 'View all versions of the terms of service, latest first',
        response: { 200: Type.Array(ref(AdminTermsOfService)) },
      },
    },
    async () => (await listTerms(ctx, { now: ctx.now() })).map(renderAdminTerms),
  )

  api.get(
    '/:date',
    { schema: { tags, summary: 'View a version of the terms of service', params: DateParams, response } },
    async (request) => read(request.params.date),
  )

  api.post(
    '',
    {
      schema: {
        tags,
        summary: 'Publish terms of service',
        description: 'Replaces the version of the same date, unless that is in force already (422).',
        body: Type.Object({
          text: Type.Optional(Type.String({ description: 'Required. Markdown, at most 100,000 characters.' })),
          effective_date: Type.Optional(
            Type.String({ description: 'Such as `2026-01-31`; by default the present day in UTC.' }),
          ),
        }),
        response,
      },
    },
    async (request) => {
      const { text = '', effective_date: effectiveDate = ctx.now().toISOString().slice(0, 10) } = request.body
      await ctx.write((tx) => publishTerms(tx, { by: staffOf(request), text, effectiveDate }))
      return read(effectiveDate)
    },
  )

  api.delete(
    '/:date',
    {
      schema: {
        tags,
        summary: 'Delete a version of the terms of service',
        params: DateParams,
        response: { 200: Type.Object({}) },
      },
    },
    async (request) => {
      await ctx.write((tx) => removeTerms(tx, { by: staffOf(request), effectiveDate: request.params.date }))
      return {}
    },
  )
}
