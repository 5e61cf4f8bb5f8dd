import { Type } from 'typebox'
import type { Ctx } from '../../../../../domain/context.ts'
import { changeRetentionPolicy, MAX_RETENTION_DAYS } from '../../../../../domain/retention/retention-policy.ts'
import { startRetention } from '../../../../../domain/retention/run-retention.ts'
import { AdminRetentionPolicy } from '../../../../../entities/admin/operations/admin-retention-policy.ts'
import { ref } from '../../../../../entities/schema/ref.ts'
import { renderRetentionPolicy } from '../../../../../render/admin/operations/render-retention-policy.ts'
import type { TypedFastify } from '../../../../typed-fastify.ts'
import { staffOf } from '../../../../support/auth/authorize-routes.ts'

const days = (of: string) =>
  Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: MAX_RETENTION_DAYS,
      description: `Days after which ${of} are pruned; 0: never.`,
    }),
  )

const Changes = Type.Object({
  remote_statuses_days: days('remote statuses without local interaction'),
  notifications_days: days('notifications'),
  remote_versions_days: days('earlier versions of remote statuses'),
  local_versions_days: days('earlier versions of local statuses'),
})

/** Linnet's own: /api/v1/admin/retention_policy */
export async function adminRetentionPolicy(api: TypedFastify, ctx: Ctx): Promise<void> {
  const tags = ['admin: retention policy']
  const response = { 200: ref(AdminRetentionPolicy) }

  api.get('', { schema: { tags, summary: 'View the retention policy, sizes and runs', response } }, async () =>
    renderRetentionPolicy(ctx, { now: ctx.now() }),
  )

  api.put(
    '',
    { schema: { tags, summary: 'Change the retention policy', body: Changes, response } },
    async (request) => {
      const { body } = request
      const changes = {
        remoteStatusesDays: body.remote_statuses_days,
        notificationsDays: body.notifications_days,
        remoteVersionsDays: body.remote_versions_days,
        localVersionsDays: body.local_versions_days,
      }
      await ctx.write((tx) => changeRetentionPolicy(tx, { by: staffOf(request), changes }))
      return renderRetentionPolicy(ctx, { now: ctx.now() })
    },
  )

  api.post(
    '/run',
    { schema: { tags, summary: 'Apply the retention policy now, in the background', response } },
    async (request) => {
      await ctx.write((tx) => startRetention(tx, { by: staffOf(request) }))
      return renderRetentionPolicy(ctx, { now: ctx.now() })
    },
  )
}
