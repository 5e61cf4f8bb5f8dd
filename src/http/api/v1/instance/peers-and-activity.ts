import { Type } from 'typebox'
import type { Ctx } from '../../../../domain/context.ts'
import { readActivity } from '../../../../domain/instance/weekly-activity.ts'
import { listPeers } from '../../../../domain/instance/list-peers.ts'
import { readPublishedFigures } from '../../../../domain/instance/published-figures.ts'
import { cacheBriefly } from '../../../../domain/core/cache-briefly.ts'
import type { TypedFastify } from '../../../typed-fastify.ts'
import { sendHidden, HiddenResponse } from '../../../support/response/send-hidden.ts'

const ActivityWeek = Type.Object({
  week: Type.String({ description: 'The start of the week, a Monday at 00:00 UTC, in Unix seconds.' }),
  statuses: Type.String({ description: 'Public and unlisted posts of local users, including boosts.' }),
  logins: Type.String({ description: 'Users who were active in the week.' }),
  registrations: Type.String({ description: 'Users who signed up in the week.' }),
})

/** Mastodon: GET /api/v1/instance/{peers,activity} */
export async function peersAndActivity(api: TypedFastify, ctx: Ctx): Promise<void> {
  const tags = ['instance']
  const cachedActivity = cacheBriefly((read) => readActivity(read, { now: ctx.now() }))

  api.get(
    '/peers',
    {
      schema: {
        tags,
        summary: 'View the known servers',
        response: { 200: Type.Array(Type.String({ description: 'A domain.' })), 404: HiddenResponse },
      },
    },
    async (_request, reply) =>
      (await readPublishedFigures(ctx)).peers ? ctx.readStale(listPeers, null) : sendHidden(reply),
  )

  api.get(
    '/activity',
    {
      schema: {
        tags,
        summary: 'View the activity of the last twelve weeks, latest first',
        response: { 200: Type.Array(ActivityWeek), 404: HiddenResponse },
      },
    },
    async (_request, reply) => {
      if (!(await readPublishedFigures(ctx)).activity) return sendHidden(reply)
      const weeks = await ctx.readStale(cachedActivity, null)
      return weeks.map(({ startsAt, statuses, logins, registrations }) => ({
        week: String(startsAt.getTime() / 1_000),
        statuses: String(statuses),
        logins: String(logins),
        registrations: String(registrations),
      }))
    },
  )
}
