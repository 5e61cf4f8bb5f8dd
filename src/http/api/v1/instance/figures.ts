import { Type } from 'typebox'
import type { Ctx } from '../../../../domain/context.ts'
import { readActivity } from '../../../../domain/instance/activity.ts'
import { readPeers } from '../../../../domain/instance/peers.ts'
import { readSettings } from '../../../../domain/instance/settings.ts'
import { keepFresh } from '../../../../domain/keep-fresh.ts'
import type { Api } from '../../../api.ts'
import { sendUnseen, Unseen } from '../../../support/unseen.ts'

const Week = Type.Object({
  week: Type.String({ description: 'When it began: Unix seconds of a Monday, 00:00 UTC.' }),
  statuses: Type.String({ description: 'Public and unlisted posts of people here, boosts among them.' }),
  logins: Type.String({ description: 'People who were here.' }),
  registrations: Type.String({ description: 'People who joined.' }),
})

/** What the server tells of its size and of whom it knows. */
export async function figures(api: Api, ctx: Ctx): Promise<void> {
  const tags = ['instance']
  const freshActivity = keepFresh((read) => readActivity(read, { now: ctx.now() }))

  api.get(
    '/peers',
    {
      schema: {
        tags,
        summary: 'See which other servers are known',
        response: { 200: Type.Array(Type.String({ description: 'A domain.' })), 404: Unseen },
      },
    },
    async (_request, reply) => ((await readSettings(ctx)).peers ? readPeers(ctx) : sendUnseen(reply)),
  )

  api.get(
    '/activity',
    {
      schema: {
        tags,
        summary: 'See how much happened in the last twelve weeks, the latest first',
        response: { 200: Type.Array(Week), 404: Unseen },
      },
    },
    async (_request, reply) => {
      if (!(await readSettings(ctx)).activity) return sendUnseen(reply)
      const weeks = await freshActivity(ctx)
      return weeks.map(({ startsAt, statuses, logins, registrations }) => ({
        week: String(startsAt.getTime() / 1_000),
        statuses: String(statuses),
        logins: String(logins),
        registrations: String(registrations),
      }))
    },
  )
}
