import { statement } from '../../platform/db/statement.ts'
import type { Ctx, Tx } from '../context.ts'
import { findReportState, GENERATION_TIMEOUT_MS } from './find-annual-report.ts'

const startReport = statement<{
  params: { accountId: string; year: number; now: Date; timedOutBefore: Date }
  row: { refresh_id: string }
}>(
  `insert into annual_reports (account_id, year, requested_at) values ($accountId, $year, $now)
   on conflict (account_id, year) do update set refresh_id = gen_random_uuid(), requested_at = excluded.requested_at
   where annual_reports.data is null and annual_reports.requested_at <= $timedOutBefore
   returning refresh_id`,
)
const findRunning = statement<{ params: { accountId: string; year: number }; row: { refresh_id: string } }>(
  `select refresh_id from annual_reports where account_id = $accountId and year = $year and data is null`,
)

/**
 * Starts the generation of a user's annual report, unless it is running (Mastodon: POST
 * /api/v1/annual_reports/:year/generate). Returns the id of the generation, for `findReportRefresh`; null if the report
 * exists already or cannot be requested.
 */
export async function requestAnnualReport(
  ctx: Ctx,
  { accountId, year }: { accountId: string; year: number },
): Promise<string | null> {
  const state = await findReportState(ctx, { accountId, year, now: ctx.now() })
  if (state === 'available' || state === 'ineligible') return null
  return ctx.write((tx) => startReportGeneration(tx, { accountId, year }))
}

async function startReportGeneration(
  tx: Tx,
  { accountId, year }: { accountId: string; year: number },
): Promise<string | null> {
  const [started] = await startReport(tx.db, {
    accountId,
    year,
    now: tx.now,
    timedOutBefore: new Date(tx.now.getTime() - GENERATION_TIMEOUT_MS),
  })
  if (started) tx.emit('annual_report.requested', { refreshId: started.refresh_id })
  return started?.refresh_id ?? (await findRunning(tx.db, { accountId, year }))[0]?.refresh_id ?? null
}
