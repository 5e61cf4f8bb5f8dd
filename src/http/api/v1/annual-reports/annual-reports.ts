import { Type } from 'typebox'
import { requestAnnualReport } from '../../../../domain/annual-reports/request-annual-report.ts'
import {
  findReport,
  findReportState,
  markReportRead,
  listUnreadReports,
} from '../../../../domain/annual-reports/find-annual-report.ts'
import type { Ctx } from '../../../../domain/context.ts'
import { Account } from '../../../../entities/accounts/account.ts'
import { AnnualReport } from '../../../../entities/notifications/annual-report.ts'
import { oneOf } from '../../../../entities/schema/one-of.ts'
import { ref } from '../../../../entities/schema/ref.ts'
import { Status } from '../../../../entities/statuses/status.ts'
import { NotFoundError } from '../../../../lib/errors.ts'
import { renderAnnualReports } from '../../../../render/annual-reports/render-annual-reports.ts'
import type { TypedFastify } from '../../../typed-fastify.ts'
import { viewerOf } from '../../../support/auth/authorize-routes.ts'
import { sendJson } from '../../../support/response/send.ts'

/** Seconds after which a client may poll the state of a report that is being generated. */
const RETRY_SECONDS = 2

const YearParams = Type.Object({ year: Type.String({ description: 'Four digits.' }) })

const AnnualReportsResponse = Type.Object({
  annual_reports: Type.Array(ref(AnnualReport)),
  accounts: Type.Array(ref(Account)),
  statuses: Type.Array(ref(Status), { description: 'The statuses that the reports refer to.' }),
})

/**
 * Mastodon: GET /api/v1/annual_reports, GET /api/v1/annual_reports/:year, GET /api/v1/annual_reports/:year/state,
 * POST /api/v1/annual_reports/:year/{generate,read}
 */
export async function annualReports(api: TypedFastify, ctx: Ctx): Promise<void> {
  const tags = ['annual reports']
  const emptyResponse = Type.Object({})

  api.get(
    '',
    {
      schema: {
        tags,
        summary: 'View your unread annual reports',
        response: { 200: AnnualReportsResponse },
      },
    },
    async (request, reply) => {
      const { accountId } = viewerOf(request)
      const rows = await listUnreadReports(ctx, { accountId })
      return sendJson(reply, await ctx.read(renderAnnualReports, { rows, viewerId: accountId }))
    },
  )

  api.get(
    '/:year',
    {
      schema: {
        tags,
        summary: 'View your annual report of a year',
        params: YearParams,
        response: { 200: AnnualReportsResponse },
      },
    },
    async (request, reply) => {
      const { accountId } = viewerOf(request)
      const row = await findReport(ctx, { accountId, year: parseYear(request.params) })
      return sendJson(reply, await ctx.read(renderAnnualReports, { rows: [row], viewerId: accountId }))
    },
  )

  api.get(
    '/:year/state',
    {
      schema: {
        tags,
        summary: 'View the state of your annual report of a year',
        params: YearParams,
        response: { 200: Type.Object({ state: oneOf(['available', 'generating', 'eligible', 'ineligible']) }) },
      },
    },
    async (request) => {
      const { accountId } = viewerOf(request)
      return { state: await findReportState(ctx, { accountId, year: parseYear(request.params), now: ctx.now() }) }
    },
  )

  api.post(
    '/:year/generate',
    {
      schema: {
        tags,
        summary: 'Generate your annual report of a year',
        params: YearParams,
        response: {
          200: Type.Object({}, { description: 'There is nothing to generate.' }),
          202: Type.Object(
            {},
            { description: 'The report is being generated; the header Mastodon-Async-Refresh identifies the refresh.' },
          ),
        },
      },
    },
    async (request, reply) => {
      const { accountId } = viewerOf(request)
      const id = await requestAnnualReport(ctx, { accountId, year: parseYear(request.params) })
      if (id !== null) reply.code(202).header('mastodon-async-refresh', `id="${id}", retry=${RETRY_SECONDS}`)
      return {}
    },
  )

  api.post(
    '/:year/read',
    {
      schema: {
        tags,
        summary: 'Mark your annual report of a year as read',
        params: YearParams,
        response: { 200: emptyResponse },
      },
    },
    async (request) => {
      const { accountId } = viewerOf(request)
      const year = parseYear(request.params)
      await ctx.write((tx) => markReportRead(tx, { accountId, year }))
      return {}
    },
  )
}

/** @throws NotFoundError unless the text is a year from 1000 to 2999 */
function parseYear({ year }: { year: string }): number {
  if (!/^[12]\d{3}$/.test(year)) throw new NotFoundError()
  return Number(year)
}
