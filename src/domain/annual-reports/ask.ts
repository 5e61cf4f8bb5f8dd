import { statement } from '../../platform/db/statement.ts'
import type { Ctx, Tx } from '../context.ts'
import { findReportState, LONGEST_MS } from './find.ts'

const begin = statement<{
  params: { accountId: string; year: number; now: Date; askedAt: Date }
  row: { refresh_id: string }
}>(
  `insert into annual_reports (account_id, year, asked_at) values ($accountId, $year, $now)
   on conflict (account_id, year) do update set refresh_id = gen_random_uuid(), asked_at = excluded.asked_at
   where annual_reports.data is null and annual_reports.asked_at <= $askedAt
   returning refresh_id`,
)
const findRunning = statement<{ params: { accountId: string; year: number }; row: { refresh_id: string } }>(
  `select refresh_id from annual_reports where account_id = $accountId and year = $year and data is null`,
)

/**
 * Somebody wants to look back on a year: lets their report be made, unless it is being made. Gives the id of that work;
 * null when there is nothing to do: the report is there, or can't be had.
 */
export async function askForReport(
  ctx: Ctx,
  { accountId, year }: { accountId: string; year: number },
): Promise<string | null> {
  const state = await findReportState(ctx, { accountId, year, now: ctx.now() })
  if (state === 'available' || state === 'ineligible') return null
  return ctx.write((tx) => beginReport(tx, { accountId, year }))
}

async function beginReport(tx: Tx, { accountId, year }: { accountId: string; year: number }): Promise<string | null> {
  const [begun] = await begin(tx.db, { accountId, year, now: tx.now, askedAt: new Date(tx.now.getTime() - LONGEST_MS) })
  if (begun) tx.emit('annual_report.asked', { refreshId: begun.refresh_id })
  return begun?.refresh_id ?? (await findRunning(tx.db, { accountId, year }))[0]?.refresh_id ?? null
}
