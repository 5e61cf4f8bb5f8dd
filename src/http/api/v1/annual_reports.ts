import { Type } from 'typebox'
import { askForReport } from '../../../domain/annual-reports/ask.ts'
import { findReport, findReportState, markReportRead, readUnreadReports } from '../../../domain/annual-reports/find.ts'
import type { Ctx } from '../../../domain/context.ts'
import { Account } from '../../../entities/account.ts'
import { AnnualReport } from '../../../entities/annual-report.ts'
import { oneOf } from '../../../entities/one-of.ts'
import { ref } from '../../../entities/ref.ts'
import { Status } from '../../../entities/status.ts'
import { NotFound } from '../../../lib/errors.ts'
import { renderAnnualReports } from '../../../render/annual-reports/render-annual-reports.ts'
import type { Api } from '../../api.ts'
import { viewerOf } from '../../support/authorise.ts'
import { sendJson } from '../../support/send.ts'

/** After so many seconds a client may ask how the making of a report goes. */
const RETRY_SECONDS = 2

const ByYear = Type.Object({ year: Type.String({ description: 'Four digits.' }) })

const WithNamed = Type.Object({
  annual_reports: Type.Array(ref(AnnualReport)),
  accounts: Type.Array(ref(Account)),
  statuses: Type.Array(ref(Status), { description: 'Those that the reports name.' }),
})

/** What the viewer's years were like. */
export async function annualReports(api: Api, ctx: Ctx): Promise<void> {
  const tags = ['annual reports']
  const nothing = Type.Object({})

  api.get(
    '',
    { schema: { tags, summary: 'See the reports of my years that I have not read', response: { 200: WithNamed } } },
    async (request, reply) => {
      const { accountId } = viewerOf(request)
      const rows = await readUnreadReports(ctx, { accountId })
      return sendJson(reply, await ctx.read(renderAnnualReports, { rows, viewerId: accountId }))
    },
  )

  api.get(
    '/:year',
    { schema: { tags, summary: 'See the report of a year of mine', params: ByYear, response: { 200: WithNamed } } },
    async (request, reply) => {
      const { accountId } = viewerOf(request)
      const row = await findReport(ctx, { accountId, year: yearOf(request.params) })
      return sendJson(reply, await ctx.read(renderAnnualReports, { rows: [row], viewerId: accountId }))
    },
  )

  api.get(
    '/:year/state',
    {
      schema: {
        tags,
        summary: 'See whether there is a report of a year of mine, or can be',
        params: ByYear,
        response: { 200: Type.Object({ state: oneOf(['available', 'generating', 'eligible', 'ineligible']) }) },
      },
    },
    async (request) => {
      const { accountId } = viewerOf(request)
      return { state: await findReportState(ctx, { accountId, year: yearOf(request.params), now: ctx.now() }) }
    },
  )

  api.post(
    '/:year/generate',
    {
      schema: {
        tags,
        summary: 'Have the report of a year of mine made',
        params: ByYear,
        response: {
          200: Type.Object({}, { description: 'There is nothing to do.' }),
          202: Type.Object({}, { description: 'It is being made; Mastodon-Async-Refresh tells where to ask.' }),
        },
      },
    },
    async (request, reply) => {
      const { accountId } = viewerOf(request)
      const id = await askForReport(ctx, { accountId, year: yearOf(request.params) })
      if (id !== null) reply.code(202).header('mastodon-async-refresh', `id="${id}", retry=${RETRY_SECONDS}`)
      return {}
    },
  )

  api.post(
    '/:year/read',
    { schema: { tags, summary: 'Mark the report of a year as read', params: ByYear, response: { 200: nothing } } },
    async (request) => {
      const { accountId } = viewerOf(request)
      const year = yearOf(request.params)
      await ctx.write((tx) => markReportRead(tx, { accountId, year }))
      return {}
    },
  )
}

/** @throws NotFound for what is no year */
function yearOf({ year }: { year: string }): number {
  if (!/^[12]\d{3}$/.test(year)) throw new NotFound()
  return Number(year)
}
