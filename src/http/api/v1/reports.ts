import { Type } from 'typebox'
import type { Ctx } from '../../../domain/context.ts'
import { makeReport, MAX_COMMENT_CHARACTERS } from '../../../domain/reports/make.ts'
import { Id } from '../../../entities/id.ts'
import { oneOf } from '../../../entities/one-of.ts'
import { ref } from '../../../entities/ref.ts'
import { Report } from '../../../entities/report.ts'
import { renderReport } from '../../../render/reports/render-reports.ts'
import type { Api } from '../../api.ts'
import { viewerOf } from '../../support/authorise.ts'
import { countDeed } from '../../support/rate.ts'
import { sendJson } from '../../support/send.ts'
import { THROTTLES } from '../../support/throttles.ts'

const NewReport = Type.Object({
  account_id: Id,
  status_ids: Type.Optional(
    Type.Array(Id, { description: 'By the account and visible to the caller: any other is 404.' }),
  ),
  collection_ids: Type.Optional(Type.Array(Id)),
  comment: Type.Optional(Type.String({ description: `Up to ${MAX_COMMENT_CHARACTERS} characters.` })),
  forward: Type.Optional(Type.Boolean({ description: "Also tell the account's own server, without saying who told." })),
  forward_to_domains: Type.Optional(
    Type.Array(Type.String(), {
      description: 'Which servers to tell: that of the account, and of people it answered.',
    }),
  ),
  category: Type.Optional(oneOf(['spam', 'legal', 'violation', 'other'])),
  rule_ids: Type.Optional(
    Type.Array(Id, { description: 'With any, the category is `violation`; an unknown one is 422.' }),
  ),
})

/** What people tell the moderators. */
export async function reports(api: Api, ctx: Ctx): Promise<void> {
  api.post(
    '',
    {
      schema: {
        tags: ['reports'],
        summary: 'Report an account to the moderators',
        body: NewReport,
        response: { 200: ref(Report) },
      },
    },
    async (request, reply) => {
      const { accountId } = viewerOf(request)
      const { body } = request
      const id = await countDeed(ctx, { request, reply, throttle: THROTTLES.reports, accountId }, () =>
        ctx.write((tx) =>
          makeReport(tx, {
            accountId,
            targetAccountId: body.account_id,
            statusIds: body.status_ids ?? [],
            collectionIds: body.collection_ids ?? [],
            ruleIds: body.rule_ids ?? [],
            comment: body.comment ?? '',
            category: body.category,
            forward: body.forward ?? false,
            forwardToDomains: body.forward_to_domains,
          }),
        ),
      )
      return sendJson(reply, await ctx.read(renderReport, { id }))
    },
  )
}
