import { findStaff } from '../domain/accounts/staff.ts'
import type { Ctx } from '../domain/context.ts'
import { writeMail } from '../domain/mails/write-mail.ts'
import { findReportNews } from '../domain/reports/find-news.ts'
import { statement } from '../platform/db/statement.ts'
import { reportLetter } from './templates/report.ts'

interface Facts {
  reporter: string
  target: string
  category: string
  comment: string
  posts: number
  collections: number
  rules: string[]
}

const handle = (a: string) => `${a}.username || coalesce('@' || ${a}.domain, '')`
const find = statement<{ params: { reportId: string }; row: Facts }>(
  `select ${handle('reporter')} as reporter, ${handle('target')} as target, r.category, r.comment,
     cardinality(r.status_ids) as posts, cardinality(r.collection_ids) as collections,
     array(select rule.text from rules rule where rule.id = any(r.rule_ids) order by rule.id) as rules
   from reports r join accounts reporter on reporter.id = r.account_id join accounts target on target.id = r.target_account_id
   where r.id = $reportId`,
)

/**
 * Effect: tells those who manage reports of a new one. Whom it is about hears of it only where nobody else could, and
 * never who made it.
 */
export async function mailReport(ctx: Ctx, { reportId }: { reportId: string }): Promise<void> {
  const staff = await findStaff(ctx, { permission: 'manageReports' })
  await ctx.write(async (tx) => {
    const news = await findReportNews(tx, { reportId })
    const [facts] = news ? await find(tx.db, { reportId }) : []
    if (!news || !facts) return
    const others = staff.filter(({ accountId }) => accountId !== news.targetAccountId)
    for (const { userId, email, accountId } of others.length > 0 ? others : staff) {
      const reporter = accountId === news.targetAccountId ? null : facts.reporter
      const letter = reportLetter({ site: ctx.config.localDomain, url: ctx.config.origin, ...facts, reporter })
      await writeMail(tx, { key: `report:${reportId}:${userId}`, recipient: email, ...letter })
    }
  })
}
