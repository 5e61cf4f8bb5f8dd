import { Type } from 'typebox'
import type { Ctx } from '../../../../../domain/context.ts'
import {
  countTermsRecipients,
  notifyUsersOfTerms,
  requestTermsTestMail,
} from '../../../../../domain/instance/notify-users-of-terms.ts'
import { findTerms, listTerms, publishTerms, removeTerms } from '../../../../../domain/instance/terms-of-service.ts'
import { AdminTermsOfService } from '../../../../../entities/admin/settings/admin-terms-of-service.ts'
import { AdminTermsRecipients } from '../../../../../entities/admin/settings/admin-terms-recipients.ts'
import { ref } from '../../../../../entities/schema/ref.ts'
import { renderAdminTerms } from '../../../../../render/admin/settings/render-admin-settings.ts'
import type { TypedFastify } from '../../../../typed-fastify.ts'
import { staffOf } from '../../../../support/auth/authorize-routes.ts'

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
        description:
          'Replaces the version of the same date, unless that is in force already (422). Users can be notified again.',
        body: Type.Object({
          text: Type.Optional(Type.String({ description: 'Required. Markdown, at most 100,000 characters.' })),
          changelog: Type.Optional(
            Type.String({
              description: 'What has changed, for the mail to users. Markdown, at most 10,000 characters.',
            }),
          ),
          effective_date: Type.Optional(
            Type.String({ description: 'Such as `2026-01-31`; by default the present day in UTC.' }),
          ),
        }),
        response,
      },
    },
    async (request) => {
      const {
        text = '',
        changelog,
        effective_date: effectiveDate = ctx.now().toISOString().slice(0, 10),
      } = request.body
      await ctx.write((tx) => publishTerms(tx, { by: staffOf(request), text, changelog, effectiveDate }))
      return read(effectiveDate)
    },
  )

  api.get(
    '/:date/recipients',
    {
      schema: {
        tags,
        summary: 'Count the users who would be notified of a version',
        params: DateParams,
        response: { 200: ref(AdminTermsRecipients) },
      },
    },
    async (request) => countTermsRecipients(ctx, { effectiveDate: request.params.date }),
  )

  api.post(
    '/:date/test',
    {
      schema: {
        tags,
        summary: 'Send the mail about a version to yourself',
        description: '422 if no mail server is configured.',
        params: DateParams,
        response: { 200: Type.Object({}) },
      },
    },
    async (request) => {
      await requestTermsTestMail(ctx, { by: staffOf(request), effectiveDate: request.params.date })
      return {}
    },
  )

  api.post(
    '/:date/notify',
    {
      schema: {
        tags,
        summary: 'Notify users of a version',
        description:
          'All who signed up before it was published, once (422). Those who were active in the year before get a mail; all others see a page about the terms when they open the web client.',
        params: DateParams,
        response,
      },
    },
    async (request) => {
      const { date } = request.params
      await ctx.write((tx) => notifyUsersOfTerms(tx, { by: staffOf(request), effectiveDate: date }))
      return read(date)
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
