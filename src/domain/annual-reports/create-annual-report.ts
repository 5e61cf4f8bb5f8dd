import { statement } from '../../platform/db/statement.ts'
import type { Ctx } from '../context.ts'
import { createNotifications } from '../notifications/create/create-notifications.ts'
import { isRootOrSelfReply } from '../access/is-root-or-self-reply.ts'
import { statusIdRange } from './find-annual-report.ts'
import type { YearFigures } from './find-annual-report.ts'

const findRequestedReport = statement<{ params: { refreshId: string }; row: { account_id: string; year: number } }>(
  `select account_id, year from annual_reports where refresh_id = $refreshId and data is null`,
)

const countYear = statement<{
  params: { accountId: string; firstId: string; endId: string; startsAt: Date; endsAt: Date }
  row: { figures: YearFigures }
}>(
  `with own as (
     select s.id, s.visibility, s.reblog_of_id, ${isRootOrSelfReply()} as is_root_or_self_reply from statuses s
     where s.account_id = $accountId and s.id >= $firstId::bigint and s.id < $endId::bigint and s.deleted_at is null
   ), hashtag as (
     select t.display_name as name, count(*)::int as count from own join status_tags st on st.status_id = own.id
       join tags t on t.id = st.tag_id
     group by t.id, t.display_name order by 2 desc, t.id limit 1
   ), reblogged as (
     select own.id from own join status_stats st on st.status_id = own.id
     where own.visibility = 'public' and own.reblog_of_id is null and st.reblogs_count > 0
     order by st.reblogs_count desc, own.id desc limit 1
   )
   select jsonb_build_object(
     'posts', count(*) filter (where reblog_of_id is null and is_root_or_self_reply),
     'replies', count(*) filter (where reblog_of_id is null and not is_root_or_self_reply),
     'reblogs', count(*) filter (where reblog_of_id is not null),
     'polls', (select count(*) from own join polls p on p.status_id = own.id),
     'followers', (select count(*) from follows f
       where f.target_account_id = $accountId and f.created_at >= $startsAt::timestamptz and f.created_at < $endsAt::timestamptz),
     'topHashtag', (select jsonb_build_object('name', name, 'count', count) from hashtag),
     'mostRebloggedId', (select id::text from reblogged)) as figures
   from own`,
)
const storeReport = statement<{ params: { refreshId: string; data: string }; row: { id: string } }>(
  `update annual_reports set data = $data::jsonb where refresh_id = $refreshId and data is null returning id`,
)

/** Effect: computes and stores a requested annual report, and notifies its user. */
export async function createAnnualReport(ctx: Ctx, { refreshId }: { refreshId: string }): Promise<void> {
  const [requested] = await findRequestedReport(ctx.db, { refreshId })
  if (!requested) return
  const { account_id: accountId, year } = requested
  const [startsAt, endsAt] = [new Date(Date.UTC(year, 0)), new Date(Date.UTC(year + 1, 0))]
  const [row] = await countYear(ctx.db, { accountId, ...statusIdRange(year), startsAt, endsAt })
  await ctx.write(async (tx) => {
    const [report] = await storeReport(tx.db, { refreshId, data: JSON.stringify(row!.figures) })
    if (!report) return
    const recipientIds = [accountId]
    await createNotifications(tx, {
      type: 'annual_report',
      fromAccountId: accountId,
      annualReportId: report.id,
      recipientIds,
    })
  })
}
